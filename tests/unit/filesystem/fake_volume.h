// A volume for tests of the file system layer: files are std::maps, and every call can be made to
// fail, to lose its answer, or to wait.
#ifndef QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_VOLUME_H_
#define QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_VOLUME_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

// What happens to a batch instead of being executed and answered.
enum class Cut {
  kNone,
  kLost,        // the stream breaks before it is executed
  kAnswerLost,  // it is executed, then the stream breaks
  kRestart,     // as kLost, and the volume is started again: saved answers and locks are gone
};

// Always held by a shared pointer: work posted to its thread keeps it.
class FakeVolume : public Service, public std::enable_shared_from_this<FakeVolume> {
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
  // Asked before every batch of a session. Set before use.
  std::function<Cut()> on_batch;
  // Breaks all streams; opens are known no more, those with locks get 60 when they are resumed.
  void Restart();
  // Opens without a stream are forgotten: 60.
  void ExpireLeases();
  // How often each mutation was executed, by its sequence (of all opens).
  std::map<uint64_t, int> executions();
  // Sequences asked to be cancelled.
  std::vector<uint64_t> cancels();
  bool detached();  // some session was

  // While held, batches are neither executed nor answered. Not with UseThread.
  void Hold();
  void Release();
  // Answers come from a thread of the volume's own instead of the caller's. Call before use.
  void UseThread();
  // Runs what is left there and ends it. The volume itself may then go on any thread.
  void StopThread();

  uint32_t credits = 8;
  // Whether answers are kept of batches without mutations too. A volume keeps none.
  bool keeps_reads = true;
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
  void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) override;
  void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) override;
  void Volumes(Done<std::vector<std::string>> done) override;
  void Refresh(std::string volume, Done<RefreshAnswer> done) override;
  // Whole, of one data block, LSN 5.
  void Check(FileReference file, Done<std::vector<PartitionCheck>> done) override;
  // The folder comes back as its length in bytes.
  void Backup(BackupRequest request, Done<BackupAnswer> done) override {
    std::move(done)(BackupAnswer{1, 2, 3, request.directory.size()});
  }
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
  // One open, whatever becomes of its streams.
  struct Standing {
    Position position;
    uint32_t lock_mode = 0;
    bool keeps_answers = true;  // sync depth >= 1
    struct Saved {
      OperationResult result;
      std::string record;
      Position position;  // behind it
    };
    std::map<uint64_t, Saved> answers;  // by sequence
  };
  // One stream of an open; shared by its Session and the batches on their way.
  struct Open {
    FileReference file;
    std::optional<OpenState> told;  // the last state its user was told
    std::shared_ptr<SessionEvents> events;
    std::deque<OperationBatch> waiting;
    size_t outstanding = 0;
    bool closed = false;
    bool close_wanted = false;
    bool detach_wanted = false;
  };

  static std::string KeyOfName(const FileName& name);
  // Runs on the volume's thread, or here.
  void Run(Task task);
  Failure Enter(const std::string& call);
  absl::StatusOr<Disc*> Find(const FileReference& file) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // For an open: saved answers, position, locks.
  BatchResult ExecuteBatch(Open& open, const OperationBatch& batch)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  OperationResult ExecuteOfOpen(uint64_t open_id, Disc& disc, const Operation& operation,
                                std::string* data) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  OperationResult ReadNext(Standing& standing, Disc& disc, std::string* data);
  // LOCK and UNLOCK of a record or (empty key) the file; another's lock is 73.
  OperationResult ChangeLock(uint64_t open_id, bool lock, const std::string& key)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  uint32_t LocksOf(uint64_t open_id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<Opened> Admit(const OpenRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Forget(uint64_t open_id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends the stream as a broken connection does.
  void Break(const std::shared_ptr<Open>& open);
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
  std::map<uint64_t, Standing> standing_ ABSL_GUARDED_BY(mutex_);  // by open id
  std::set<uint64_t> ended_ ABSL_GUARDED_BY(mutex_);               // open ids that were closed
  std::set<uint64_t> expired_ ABSL_GUARDED_BY(mutex_);             // open ids whose lease ended
  std::map<std::string, uint64_t> locks_ ABSL_GUARDED_BY(mutex_);  // key, "": the file; open id
  std::map<std::pair<uint64_t, uint64_t>, BatchResult> unary_answers_ ABSL_GUARDED_BY(mutex_);
  std::map<uint64_t, int> executions_ ABSL_GUARDED_BY(mutex_);
  std::vector<uint64_t> cancels_ ABSL_GUARDED_BY(mutex_);
  bool detached_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t epoch_ ABSL_GUARDED_BY(mutex_) = 7;
  std::vector<std::string> calls_ ABSL_GUARDED_BY(mutex_);
  bool down_ ABSL_GUARDED_BY(mutex_) = false;
  bool held_ ABSL_GUARDED_BY(mutex_) = false;
  size_t batches_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t highest_outstanding_ ABSL_GUARDED_BY(mutex_) = 0;

  // Shared with the thread: a callback under way on it may be the volume's last owner.
  struct TaskQueue {
    Mutex mutex;
    CondVar posted;
    std::deque<Task> tasks ABSL_GUARDED_BY(mutex);
    bool stopping ABSL_GUARDED_BY(mutex) = false;
  };
  const std::shared_ptr<TaskQueue> queue_ = std::make_shared<TaskQueue>();
  bool threaded_ = false;
  std::thread thread_;
};

}  // namespace quire::testing

#endif  // QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_VOLUME_H_
