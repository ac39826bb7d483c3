#include "client/transport/logging_stub.h"

#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

// One call from its start to its end.
class CallLine {
 public:
  CallLine(std::shared_ptr<const LogSink> sink, std::string what)
      : sink_(std::move(sink)), what_(std::move(what)), start_(absl::Now()) {}

  void Start() const { (*sink_)(StrCat(what_, ": started")); }
  void End(const absl::Status& status) const {
    const int64_t elapsed_us = absl::ToInt64Microseconds(absl::Now() - start_);
    (*sink_)(StrCat(what_, ": ", Describe(status), " (", elapsed_us, " us)"));
  }

 private:
  std::shared_ptr<const LogSink> sink_;
  std::string what_;
  absl::Time start_;
};

class LoggingEvents final : public SessionEvents {
 public:
  LoggingEvents(std::shared_ptr<SessionEvents> inner, CallLine line)
      : inner_(std::move(inner)), line_(std::move(line)) {}
  void OnOpened(absl::StatusOr<Opened> opened) override { inner_->OnOpened(std::move(opened)); }
  void OnResults(BatchResult result) override { inner_->OnResults(std::move(result)); }
  void OnClosed(absl::Status status) override {
    line_.End(status);
    inner_->OnClosed(std::move(status));
  }

 private:
  const std::shared_ptr<SessionEvents> inner_;
  const CallLine line_;
};

class LoggingScan final : public ScanStream {
 public:
  LoggingScan(std::unique_ptr<ScanStream> inner, CallLine line)
      : inner_(std::move(inner)), line_(std::move(line)) {}
  void Next(Done<ScanPage> done) override {
    inner_->Next([done = std::move(done), line = line_](absl::StatusOr<ScanPage> page) mutable {
      if (!page.ok() || page->end) line.End(page.status());
      std::move(done)(std::move(page));
    });
  }

 private:
  const std::unique_ptr<ScanStream> inner_;
  const CallLine line_;
};

class LoggingLoad final : public LoadStream {
 public:
  LoggingLoad(std::unique_ptr<LoadStream> inner, CallLine line)
      : inner_(std::move(inner)), line_(std::move(line)) {}
  void Send(RecordChunk chunk, Done<LoadAnswer> done) override {
    inner_->Send(std::move(chunk), std::move(done));
  }
  void Finish(DoneStatus done) override {
    inner_->Finish([done = std::move(done), line = line_](absl::Status status) mutable {
      line.End(status);
      std::move(done)(std::move(status));
    });
  }

 private:
  const std::unique_ptr<LoadStream> inner_;
  const CallLine line_;
};

class LoggingStub final : public Service {
 public:
  LoggingStub(std::shared_ptr<Service> inner, LogSink sink)
      : inner_(std::move(inner)), sink_(std::make_shared<const LogSink>(std::move(sink))) {}

  std::unique_ptr<Session> OpenSession(OpenRequest request,
                                       std::shared_ptr<SessionEvents> events) override {
    CallLine line = Line("SESSION", request.file.name.ToString());
    line.Start();
    return inner_->OpenSession(std::move(request),
                               std::make_shared<LoggingEvents>(std::move(events), std::move(line)));
  }
  void Execute(UnaryRequest request, Done<BatchResult> done) override {
    const std::string name = request.file.name.ToString();
    inner_->Execute(std::move(request), Logged(Line("EXECUTE", name), std::move(done)));
  }
  std::unique_ptr<ScanStream> Scan(ScanRequest request) override {
    CallLine line = Line("SCAN", request.file.name.ToString());
    line.Start();
    return std::make_unique<LoggingScan>(inner_->Scan(std::move(request)), std::move(line));
  }
  std::unique_ptr<LoadStream> Load(LoadRequest request) override {
    CallLine line = Line("LOAD", request.file.name.ToString());
    line.Start();
    return std::make_unique<LoggingLoad>(inner_->Load(std::move(request)), std::move(line));
  }
  void Create(CreateRequest request, Done<FileInfo> done) override {
    const std::string name = request.name.ToString();
    inner_->Create(std::move(request), Logged(Line("CREATE", name), std::move(done)));
  }
  void Info(FileReference file, Done<FileDescription> done) override {
    const std::string name = file.name.ToString();
    inner_->Info(std::move(file), Logged(Line("INFO", name), std::move(done)));
  }
  void Alter(AlterRequest request, DoneStatus done) override {
    const std::string name = request.file.name.ToString();
    inner_->Alter(std::move(request), LoggedStatus(Line("ALTER", name), std::move(done)));
  }
  void Purge(PurgeRequest request, DoneStatus done) override {
    const std::string name = request.file.name.ToString();
    inner_->Purge(std::move(request), LoggedStatus(Line("PURGE", name), std::move(done)));
  }
  void List(ListRequest request, Done<ListPage> done) override {
    const std::string name = request.fileset.ToString();
    inner_->List(std::move(request), Logged(Line("LIST", name), std::move(done)));
  }
  void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) override {
    const std::string name = request.file.name.ToString();
    inner_->ListOpens(std::move(request), Logged(Line("LISTOPENS", name), std::move(done)));
  }
  void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) override {
    const std::string name = request.file.name.ToString();
    inner_->ListLocks(std::move(request), Logged(Line("LISTLOCKS", name), std::move(done)));
  }
  void Volumes(Done<std::vector<std::string>> done) override {
    inner_->Volumes(Logged(Line("VOLUMES", "*"), std::move(done)));
  }
  void Refresh(std::string volume, Done<RefreshAnswer> done) override {
    CallLine line = Line("REFRESH", volume);
    inner_->Refresh(std::move(volume), Logged(std::move(line), std::move(done)));
  }
  void Check(FileReference file, Done<std::vector<PartitionCheck>> done) override {
    const std::string name = file.name.ToString();
    inner_->Check(std::move(file), Logged(Line("CHECK", name), std::move(done)));
  }
  void Backup(BackupRequest request, Done<BackupAnswer> done) override {
    CallLine line = Line("BACKUP", request.volume);
    inner_->Backup(std::move(request), Logged(std::move(line), std::move(done)));
  }
  void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) override {
    CallLine line = Line("SNAPSHOT", request.volume);
    inner_->Snapshot(std::move(request), Logged(std::move(line), std::move(done)));
  }

 private:
  CallLine Line(std::string_view call, const std::string& object) const {
    return CallLine(sink_, StrCat(call, " ", object.empty() ? "*" : object));
  }

  template <typename T>
  static Done<T> Logged(CallLine line, Done<T> done) {
    return [line = std::move(line), done = std::move(done)](absl::StatusOr<T> answer) mutable {
      line.End(answer.status());
      std::move(done)(std::move(answer));
    };
  }
  static DoneStatus LoggedStatus(CallLine line, DoneStatus done) {
    return [line = std::move(line), done = std::move(done)](absl::Status status) mutable {
      line.End(status);
      std::move(done)(std::move(status));
    };
  }

  const std::shared_ptr<Service> inner_;
  const std::shared_ptr<const LogSink> sink_;
};

}  // namespace

std::shared_ptr<Service> MakeLoggingStub(std::shared_ptr<Service> inner, LogSink sink) {
  return std::make_shared<LoggingStub>(std::move(inner), std::move(sink));
}

}  // namespace quire
