// One file with one partition whose sessions have positions and locks as position.h and lock.h say,
// over a std::map: what a File is tested with. Answers come inside the calls, but for what waits
// for a lock or is held.
#ifndef QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_OPEN_SERVICE_H_
#define QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_OPEN_SERVICE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "quire/service.h"

namespace quire::testing {

class FakeOpenService : public Service {
 public:
  explicit FakeOpenService(FileAttributes attributes) { info_.attributes = std::move(attributes); }

  // ---- What tests set and see ----

  // Records by key.
  void Put(const std::string& key, const std::string& record);
  void Erase(const std::string& key);
  std::map<std::string, std::string> Records();
  // Another open locks the record: LOCK calls and locking reads wait, changes get 73, other reads
  // get warning 9.
  void LockElsewhere(const std::string& key);
  void UnlockElsewhere(const std::string& key);
  // Returns when an operation waits for a lock.
  void AwaitLockWait();
  // While held, batches are collected and not executed.
  void Hold();
  void Release();
  void BreakSessions(const absl::Status& status);
  // Called for every batch, before it is executed.
  std::function<void(const OperationBatch&)> on_batch;
  // Called for every chunk asked for; an error is its answer. Chunks hold so many records.
  std::function<absl::Status()> on_chunk;
  size_t chunk_records = 2;

  std::vector<OpenRequest> opens();
  std::vector<ScanRequest> scans();
  // Kinds of the operations executed, in order, and their sequences.
  std::vector<OperationKind> executed();
  std::vector<uint64_t> sequences();
  std::vector<uint64_t> acked();
  size_t chunks();

  // ---- Service ----
  std::unique_ptr<Session> OpenSession(OpenRequest request,
                                       std::shared_ptr<SessionEvents> events) override;
  std::unique_ptr<ScanStream> Scan(ScanRequest request) override;
  void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) override;
  void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) override;

  // Not part of this double.
  void Execute(UnaryRequest, Done<BatchResult> done) override { std::move(done)(NotHere()); }
  std::unique_ptr<LoadStream> Load(LoadRequest) override { return nullptr; }
  void Create(CreateRequest, Done<FileInfo> done) override { std::move(done)(NotHere()); }
  void Info(FileReference, Done<FileDescription> done) override { std::move(done)(NotHere()); }
  void Alter(AlterRequest, DoneStatus done) override { std::move(done)(NotHere()); }
  void Purge(PurgeRequest, DoneStatus done) override { std::move(done)(NotHere()); }
  void List(ListRequest, Done<ListPage> done) override { std::move(done)(NotHere()); }
  void Volumes(Done<std::vector<std::string>> done) override { std::move(done)(NotHere()); }
  void Refresh(std::string, Done<RefreshAnswer> done) override { std::move(done)(NotHere()); }
  void Check(FileReference, Done<std::vector<PartitionCheck>> done) override {
    std::move(done)(NotHere());
  }
  void Backup(BackupRequest, Done<BackupAnswer> done) override { std::move(done)(NotHere()); }
  void Snapshot(SnapshotRequest, Done<MeasureSnapshot> done) override {
    std::move(done)(NotHere());
  }

 private:
  friend class FakeOpenSession;
  friend class FakeOpenScan;

  struct Open {
    std::shared_ptr<SessionEvents> events;
    Position position;
    std::deque<OperationBatch> batches;
    BatchResult result;  // of the first batch, as far as it was executed
    std::set<uint64_t> cancelled;
    bool close_wanted = false;
    bool closed = false;
    bool pumping = false;
  };

  static absl::Status NotHere();
  void PumpAll();
  void Pump(const std::shared_ptr<Open>& open);
  // Executes what can be; true when the first batch has all its results.
  bool Work(Open& open) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // False when it has to wait for a lock.
  bool ExecuteOne(Open& open, const Operation& operation, OperationResult* result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ReadOne(Open& open, const Operation& operation, OperationResult* result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ChangeOne(const Operation& operation, const std::string& key, OperationResult* result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::string> KeysOf(const KeyRange& range, bool start_exclusive, bool reverse)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::string TargetOf(const Open& open, const Operation& operation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex mutex_;
  CondVar waits_;
  FileInfo info_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::string> records_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> locked_elsewhere_ ABSL_GUARDED_BY(mutex_);
  bool held_ ABSL_GUARDED_BY(mutex_) = false;
  bool lock_wait_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::shared_ptr<Open>> open_ ABSL_GUARDED_BY(mutex_);
  std::vector<OpenRequest> open_requests_ ABSL_GUARDED_BY(mutex_);
  std::vector<ScanRequest> scan_requests_ ABSL_GUARDED_BY(mutex_);
  std::vector<OperationKind> executed_ ABSL_GUARDED_BY(mutex_);
  std::vector<uint64_t> sequences_ ABSL_GUARDED_BY(mutex_);
  std::vector<uint64_t> acked_ ABSL_GUARDED_BY(mutex_);
  size_t chunks_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace quire::testing

#endif  // QUIRE_TESTS_UNIT_FILESYSTEM_FAKE_OPEN_SERVICE_H_
