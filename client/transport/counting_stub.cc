#include "client/transport/counting_stub.h"

#include <utility>

namespace quire {
namespace {

using Counts = std::shared_ptr<CallCounts>;

class CountingSession final : public Session {
 public:
  CountingSession(std::unique_ptr<Session> inner, Counts counts)
      : inner_(std::move(inner)), counts_(std::move(counts)) {}
  void Submit(OperationBatch batch) override {
    ++counts_->batches;
    counts_->operations += batch.size();
    inner_->Submit(std::move(batch));
  }
  void Cancel(uint64_t sequence) override {
    ++counts_->cancels;
    inner_->Cancel(sequence);
  }
  void Close() override { inner_->Close(); }
  void Detach() override { inner_->Detach(); }

 private:
  const std::unique_ptr<Session> inner_;
  const Counts counts_;
};

class CountingScan final : public ScanStream {
 public:
  CountingScan(std::unique_ptr<ScanStream> inner, Counts counts)
      : inner_(std::move(inner)), counts_(std::move(counts)) {}
  void Next(Done<ScanPage> done) override {
    ++counts_->scan_pages;
    inner_->Next(std::move(done));
  }

 private:
  const std::unique_ptr<ScanStream> inner_;
  const Counts counts_;
};

class CountingLoad final : public LoadStream {
 public:
  CountingLoad(std::unique_ptr<LoadStream> inner, Counts counts)
      : inner_(std::move(inner)), counts_(std::move(counts)) {}
  void Send(RecordChunk chunk, Done<LoadAnswer> done) override {
    ++counts_->load_chunks;
    inner_->Send(std::move(chunk), std::move(done));
  }
  void Finish(DoneStatus done) override { inner_->Finish(std::move(done)); }

 private:
  const std::unique_ptr<LoadStream> inner_;
  const Counts counts_;
};

class CountingStub final : public Service {
 public:
  CountingStub(std::shared_ptr<Service> inner, Counts counts)
      : inner_(std::move(inner)), counts_(std::move(counts)) {}

  std::unique_ptr<Session> OpenSession(OpenRequest request,
                                       std::shared_ptr<SessionEvents> events) override {
    ++counts_->sessions;
    return std::make_unique<CountingSession>(
        inner_->OpenSession(std::move(request), std::move(events)), counts_);
  }
  void Execute(UnaryRequest request, Done<BatchResult> done) override {
    ++counts_->unary;
    counts_->operations += request.operation.size();
    inner_->Execute(std::move(request), std::move(done));
  }
  std::unique_ptr<ScanStream> Scan(ScanRequest request) override {
    ++counts_->scans;
    return std::make_unique<CountingScan>(inner_->Scan(std::move(request)), counts_);
  }
  std::unique_ptr<LoadStream> Load(LoadRequest request) override {
    ++counts_->loads;
    return std::make_unique<CountingLoad>(inner_->Load(std::move(request)), counts_);
  }
  void Create(CreateRequest request, Done<FileInfo> done) override {
    ++counts_->file_calls;
    inner_->Create(std::move(request), std::move(done));
  }
  void Info(FileReference file, Done<FileDescription> done) override {
    ++counts_->file_calls;
    inner_->Info(std::move(file), std::move(done));
  }
  void Alter(AlterRequest request, DoneStatus done) override {
    ++counts_->file_calls;
    inner_->Alter(std::move(request), std::move(done));
  }
  void Purge(PurgeRequest request, DoneStatus done) override {
    ++counts_->file_calls;
    inner_->Purge(std::move(request), std::move(done));
  }
  void List(ListRequest request, Done<ListPage> done) override {
    ++counts_->file_calls;
    inner_->List(std::move(request), std::move(done));
  }
  void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) override {
    ++counts_->file_calls;
    inner_->ListOpens(std::move(request), std::move(done));
  }
  void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) override {
    ++counts_->file_calls;
    inner_->ListLocks(std::move(request), std::move(done));
  }
  void Volumes(Done<std::vector<std::string>> done) override {
    ++counts_->file_calls;
    inner_->Volumes(std::move(done));
  }
  void Refresh(std::string volume, Done<RefreshAnswer> done) override {
    ++counts_->file_calls;
    inner_->Refresh(std::move(volume), std::move(done));
  }
  void Check(FileReference file, Done<std::vector<PartitionCheck>> done) override {
    ++counts_->file_calls;
    inner_->Check(std::move(file), std::move(done));
  }
  void Backup(BackupRequest request, Done<BackupAnswer> done) override {
    ++counts_->file_calls;
    inner_->Backup(std::move(request), std::move(done));
  }
  void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) override {
    ++counts_->snapshots;
    inner_->Snapshot(std::move(request), std::move(done));
  }

 private:
  const std::shared_ptr<Service> inner_;
  const Counts counts_;
};

}  // namespace

std::shared_ptr<Service> MakeCountingStub(std::shared_ptr<Service> inner,
                                          std::shared_ptr<CallCounts> counts) {
  return std::make_shared<CountingStub>(std::move(inner), std::move(counts));
}

}  // namespace quire
