#include "client/filesystem/open_file.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "client/filesystem/batch_plan.h"
#include "client/filesystem/errors.h"
#include "client/filesystem/file_stream.h"
#include "client/filesystem/load_file.h"
#include "client/filesystem/new_id.h"
#include "client/filesystem/prefetching_scanner.h"
#include "client/filesystem/volume_set.h"
#include "quire/error.h"

namespace quire {
namespace {

// The partitions as the primary's label names them. Figures that change (EOF, counts) are not
// known of secondaries at open; INFO asks for them.
FileDescription Describe(const FileInfo& primary) {
  FileDescription description;
  description.primary = primary;
  for (const PartitionAddress& address : SecondaryAddresses(primary)) {
    FileInfo secondary;
    secondary.name = address.file.name;
    secondary.attributes = primary.attributes;
    secondary.partition = address.partition;
    secondary.primary_volume = primary.name.volume;
    secondary.create_id = primary.create_id;
    secondary.owner_group = primary.owner_group;
    secondary.owner_user = primary.owner_user;
    secondary.security = primary.security;
    secondary.created_us = primary.created_us;
    description.secondaries.emplace_back(std::move(secondary));
  }
  return description;
}

class OpenedFile : public File {
 public:
  OpenedFile(std::shared_ptr<Service> service, std::shared_ptr<FileStream> stream,
             std::unique_ptr<Session> session, std::string client_name, const Opened& opened,
             const FileOpenOptions& options)
      : service_(std::move(service)),
        stream_(std::move(stream)),
        session_(std::move(session)),
        client_name_(std::move(client_name)),
        open_id_(opened.open_id),
        open_warning_(opened.warning),
        description_(Describe(opened.info)),
        batch_operations_(
            std::clamp(options.batch_operations, 1u, std::max(1u, opened.max_batch_operations))),
        batch_bytes_(opened.max_batch_bytes),
        batches_(PartitionCount(opened.info.attributes)) {}

  ~OpenedFile() override { Close().IgnoreError(); }

  const FileDescription& description() const override { return description_; }
  uint64_t open_id() const override { return open_id_; }
  ErrorNumber open_warning() const override { return open_warning_; }

  absl::Status Write(std::string_view record) override {
    return Execute(Change(OperationKind::kWrite, record), nullptr);
  }
  absl::Status Update(std::string_view record) override {
    return Execute(Change(OperationKind::kUpdate, record), nullptr);
  }
  absl::Status Delete(std::string_view key) override {
    return Execute(ByKey(OperationKind::kDelete, key), nullptr);
  }
  absl::StatusOr<std::string> Read(std::string_view key, ReadMode mode, bool reverse) override {
    Operation read = ByKey(OperationKind::kRead, key);
    read.mode = mode;
    read.reverse = reverse;
    std::string record;
    if (absl::Status s = Execute(read, &record); !s.ok()) return s;
    return record;
  }

  void WriteNowait(std::string_view record, Completion done) override {
    Add(Change(OperationKind::kWrite, record), std::move(done));
  }
  void UpdateNowait(std::string_view record, Completion done) override {
    Add(Change(OperationKind::kUpdate, record), std::move(done));
  }
  void DeleteNowait(std::string_view key, Completion done) override {
    Add(ByKey(OperationKind::kDelete, key), std::move(done));
  }
  void ReadNowait(std::string_view key, Completion done) override {
    Add(ByKey(OperationKind::kRead, key), std::move(done));
  }

  void Flush() override {
    for (PendingBatch& batch : batches_) SendBatch(batch);
  }
  absl::Status Wait() override {
    Settle();
    return closed_ ? filesystem_errors::FileClosed(description_.primary.name) : stream_->status();
  }

  std::unique_ptr<Scanner> Scan(const ScanOptions& options) override {
    Settle();
    ScanRequest request;
    request.file = Reference();
    request.range = options.range;
    request.reverse = options.reverse;
    request.start_exclusive = options.start_exclusive;
    request.chunk_bytes = options.chunk_bytes;
    request.max_records = options.max_records;
    return MakePrefetchingScanner(service_, std::move(request));
  }
  absl::StatusOr<LoadSummary> Load(RecordSource source, const LoadOptions& options) override {
    if (closed_) return filesystem_errors::FileClosed(description_.primary.name);
    Settle();
    return LoadRecords(*service_, Reference(), source, options);
  }

  absl::Status Close() override {
    if (std::exchange(closed_, true)) return absl::OkStatus();
    Settle();
    const absl::Status before = stream_->status();
    session_->Close();
    const absl::Status after = stream_->AwaitClosed();
    session_.reset();
    return before.ok() ? after : before;
  }

 private:
  static Operation Change(OperationKind kind, std::string_view record) {
    Operation operation;
    operation.kind = kind;
    operation.record = record;
    return operation;
  }
  static Operation ByKey(OperationKind kind, std::string_view key) {
    Operation operation;
    operation.kind = kind;
    operation.key = key;
    return operation;
  }

  FileReference Reference() const {
    FileReference file;
    file.name = description_.primary.name;
    file.create_id = description_.primary.create_id;
    file.open_id = open_id_;
    file.client_name = client_name_;
    return file;
  }

  void Add(const Operation& operation, Completion done) {
    if (closed_) {
      std::move(done)(filesystem_errors::FileClosed(description_.primary.name), {});
      return;
    }
    const FileAttributes& attributes = description_.primary.attributes;
    PendingBatch& batch = batches_[WalkOf(attributes, operation).first];
    const size_t bytes = std::max(operation.key.size(), operation.record.size());
    if (!batch.empty() && batch.operations.data_bytes() + bytes > batch_bytes_) SendBatch(batch);
    batch.operations.Add(operation);
    batch.completions.push_back(std::move(done));
    if (batch.operations.size() >= batch_operations_) SendBatch(batch);
  }

  void SendBatch(PendingBatch& batch) {
    if (!batch.empty()) stream_->Submit(*session_, std::exchange(batch, PendingBatch()));
  }

  // Sends what is collected and waits for it: scans and loads run beside the session and must see
  // what was called for before them.
  void Settle() {
    if (session_ == nullptr) return;
    Flush();
    stream_->AwaitIdle();
  }

  absl::Status Execute(const Operation& operation, std::string* record) {
    struct Answer {
      absl::Status status;
      std::string* record;
      Signal ready;
    };
    // Shared: the setter still touches the signal while the waiter already leaves.
    auto answer = std::make_shared<Answer>();
    answer->record = record;
    // What a read over borders must not overtake goes first.
    if (operation.kind == OperationKind::kRead && operation.mode != ReadMode::kByKey) Flush();
    Add(operation, [answer](const absl::Status& status, std::string_view found) {
      answer->status = status;
      if (answer->record != nullptr) answer->record->assign(found);
      answer->ready.Set();
    });
    Flush();
    answer->ready.Wait();
    return answer->status;
  }

  const std::shared_ptr<Service> service_;
  const std::shared_ptr<FileStream> stream_;
  std::unique_ptr<Session> session_;
  const std::string client_name_;
  const uint64_t open_id_;
  const ErrorNumber open_warning_;
  const FileDescription description_;
  const uint32_t batch_operations_;
  const uint32_t batch_bytes_;
  std::vector<PendingBatch> batches_;  // one per partition
  bool closed_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<File>> OpenFile(std::shared_ptr<Service> service,
                                               const FileName& name, const std::string& client_name,
                                               const FileOpenOptions& options) {
  OpenRequest request;
  request.file.name = name;
  request.file.open_id = NewId();
  request.file.client_name = client_name;
  request.access = options.access;
  request.exclusion = options.exclusion;
  request.sync_depth = options.sync_depth;
  auto stream = std::make_shared<FileStream>(name.ToString());
  std::unique_ptr<Session> session = service->OpenSession(std::move(request), stream);
  const absl::StatusOr<Opened> opened = stream->AwaitOpened();
  if (!opened.ok()) return filesystem_errors::AsReadFailure(opened.status(), name.volume);
  return std::make_unique<OpenedFile>(std::move(service), std::move(stream), std::move(session),
                                      client_name, *opened, options);
}

}  // namespace quire
