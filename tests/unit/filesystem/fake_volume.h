// A volume for tests of the file system layer: files are std::maps, and every call can be made to
// fail, to lose its answer, or to wait.
#ifndef QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_VOLUME_H_
#define QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_VOLUME_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "quire/mutex.h"
#include "quire/service.h"

namespace quire::testing {

// What a call does instead of its work. `lost_answer`: the work is done, then the error comes.
struct Failure {
  absl::Status status;
  bool lost_answer = false;
};

class FakeVolume : public Service {
 public:
  explicit FakeVolume(std::string name) : name_(std::move(name)) {}
  ~FakeVolume() override;

  // ---- What tests set and see ----

  // Asked before every call of FileService and every OpenSession, with "Create", "Alter", "Purge",
  // "Info", "List", "Open", "Scan", "Load", "Execute". An OK status lets the call work. Set before
  // use.
  std::function<Failure(const std::string& call)> on_call;

  // Everything answers 66; standing sessions are not touched.
  void SetDown(bool down);
  // Ends all sessions with `status`, as a broken connection does.
  void BreakSessions(const absl::Status& status);
  // While held, batches are neither executed nor answered. Not with UseThread.
  void Hold();
  void Release();
  // Answers come from a thread of the volume's own instead of the caller's. Call before use.
  void UseThread();

  uint32_t credits = 8;
  bool HasLabel(const std::string& file);  // "SUBVOL.FILE"
  std::vector<FileInfo> Labels();
  std::vector<std::string> Keys(const std::string& file);
  void RemoveLabel(const std::string& file);
  void SetOpenCount(const std::string& file, uint32_t count);
  size_t sessions();
  // Batches that came since the start, and the highest number without results of one session.
  size_t batches();
  size_t highest_outstanding();
  std::vector<OpenRequest> opens();
  std::vector<ScanRequest> scans();
  std::vector<std::string> calls();

  // ---- Service ----
  std::unique_ptr<Session> OpenSession(OpenRequest request,
                                       std::shared_ptr<SessionEvents> events) override;
  void Execute(UnaryRequest request, Done<BatchResult> done) override;
  std::unique_ptr<ScanStream> Scan(ScanRequest request) override;
  std::unique_ptr<LoadStream> Load(LoadRequest request) override;
  void Create(CreateRequest request, Done<FileInfo> done) override;
  void Info(FileReference file, Done<FileDescription> done) override;
  void Alter(AlterRequest request, DoneStatus done) override;
  void Purge(PurgeRequest request, DoneStatus done) override;
  void List(ListRequest request, Done<ListPage> done) override;
  void Volumes(Done<std::vector<std::string>> done) override;
  void Refresh(std::string volume, Done<RefreshAnswer> done) override;
  void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) override;

 private:
  friend class FakeSession;
  friend class FakeScan;
  friend class FakeLoad;
  using Task = absl::AnyInvocable<void() &&>;

  struct Disc {
    FileInfo info;
    std::map<std::string, std::string> records;
  };
  // One open; shared by its Session and the batches on their way.
  struct Open {
    FileReference file;
    std::shared_ptr<SessionEvents> events;
    std::deque<OperationBatch> waiting;
    size_t outstanding = 0;
    bool closed = false;
    bool close_wanted = false;
  };

  static std::string KeyOfName(const FileName& name);
  // Runs on the volume's thread, or here.
  void Run(Task task);
  Failure Enter(const std::string& call);
  absl::StatusOr<Disc*> Find(const FileReference& file) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  BatchResult ExecuteBatch(const FileReference& file, const OperationBatch& batch)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  OperationResult ExecuteOne(Disc& disc, const Operation& operation, std::string* data);
  void Pump(const std::shared_ptr<Open>& open);
  absl::StatusOr<FileInfo> Make(const CreateRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Change(const AlterRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Remove(const PurgeRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string name_;
  Mutex mutex_;
  std::map<std::string, Disc> files_ ABSL_GUARDED_BY(mutex_);  // by "SUBVOL.FILE"
  std::vector<std::shared_ptr<Open>> opens_ ABSL_GUARDED_BY(mutex_);
  std::vector<OpenRequest> open_requests_ ABSL_GUARDED_BY(mutex_);
  std::vector<ScanRequest> scan_requests_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> calls_ ABSL_GUARDED_BY(mutex_);
  bool down_ ABSL_GUARDED_BY(mutex_) = false;
  bool held_ ABSL_GUARDED_BY(mutex_) = false;
  size_t batches_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t highest_outstanding_ ABSL_GUARDED_BY(mutex_) = 0;

  Mutex task_mutex_;
  CondVar task_posted_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(task_mutex_);
  bool stopping_ ABSL_GUARDED_BY(task_mutex_) = false;
  bool threaded_ = false;
  std::thread thread_;
};

}  // namespace quire::testing

#endif  // QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_VOLUME_H_
