// A Service in memory for tests: files are std::maps from key to record, every answer is
// deterministic, and hooks delay or fail what a test wants delayed or failed.
#ifndef QUIRE_TESTS_SUPPORT_FAKE_SERVICE_H_
#define QUIRE_TESTS_SUPPORT_FAKE_SERVICE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "quire/error.h"
#include "quire/service.h"

namespace quire {

// Thread safe. Answers come inside the call unless they are held.
class FakeService final : public Service, public std::enable_shared_from_this<FakeService> {
 public:
  explicit FakeService(std::string volume = "$DATA01") : volume_(std::move(volume)) {}

  // ---- Hooks ------------------------------------------------------------------------------

  // Every call (Create, Execute, OpenSession …, and each operation of a batch) asks first; an
  // error is its answer. `what` is the method's name, for operations "Operation".
  using FailHook = std::function<absl::Status(const std::string& what)>;
  void FailWith(FailHook hook);

  // While held, answers queue up; Release gives them out in order and ends the holding.
  void HoldAnswers();
  void ReleaseAnswers();

  // What ListOpens and ListLocks answer with.
  void SetListings(std::vector<OpenInfo> opens, std::vector<LockInfo> locks);

  // From here on requests are kept as they arrive.
  struct Requests {
    std::vector<OpenRequest> opens;
    std::vector<OperationBatch> batches;  // of sessions and single calls
    std::vector<uint64_t> cancels;
    std::vector<ScanRequest> scans;
    std::vector<ListLocksRequest> lock_lists;
  };
  void KeepRequests() { keep_requests_ = true; }
  Requests requests() const;

  // Writes and updates count but keep nothing: for measuring what lies above the service.
  void DropRecords() { drop_records_ = true; }

  // ---- What a test may look at ------------------------------------------------------------

  std::map<std::string, std::string> Records(const std::string& name) const;
  int open_sessions() const;
  int closed_sessions() const;    // Session::Close was called
  int detached_sessions() const;  // Session::Detach was called
  int open_scans() const;
  uint64_t pages_read() const;
  size_t answers_held() const;

  // ---- Service ----------------------------------------------------------------------------

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
  // One level of one block, with all records; LSN 9.
  void Check(FileReference file, Done<std::vector<PartitionCheck>> done) override;
  // LSN 9 to 11, 4,096 bytes; 22 for another volume.
  void Backup(BackupRequest request, Done<BackupAnswer> done) override {
    absl::StatusOr<BackupAnswer> answer = BackupAnswer{9, 11, 1000, 4096};
    if (request.volume != volume_) answer = MakeError(ErrorNumber::kBadParameter, request.volume);
    std::move(done)(std::move(answer));
  }
  void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) override;

 private:
  friend class FakeSession;
  friend class FakeScan;
  friend class FakeLoad;

  struct FakeFile {
    FileInfo info;
    std::map<std::string, std::string> records;
  };

  // Runs `answer` now, or later when answers are held.
  void Answer(absl::AnyInvocable<void() &&> answer);
  template <typename DoneType, typename Value>
  void Answer(DoneType done, Value value) {
    Answer([done = std::move(done), value = std::move(value)]() mutable {
      std::move(done)(std::move(value));
    });
  }
  absl::Status Fail(const std::string& what) const;
  template <typename Request>
  void Keep(std::vector<Request> Requests::*list, const Request& request) {
    if (!keep_requests_) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    (requests_.*list).push_back(request);
  }
  absl::StatusOr<FakeFile*> Find(const FileName& name);  // mutex_ held
  absl::StatusOr<std::vector<PartitionCheck>> CheckNow(const FileName& name);
  BatchResult Run(const FileName& name, const OperationBatch& batch);
  OperationResult RunOne(FakeFile& file, const Operation& operation, std::string* data);
  static OperationResult ReadOne(FakeFile& file, const Operation& operation, std::string* data);
  absl::StatusOr<ScanPage> ReadPage(ScanRequest* request, uint64_t* given);

  const std::string volume_;
  mutable std::mutex mutex_;
  FailHook fail_;
  bool holding_ = false;
  std::vector<absl::AnyInvocable<void() &&>> held_;
  std::map<FileName, FakeFile> files_;
  uint64_t next_id_ = 1;
  uint64_t change_sequence_ = 0;
  int open_sessions_ = 0;
  int open_scans_ = 0;
  uint64_t pages_read_ = 0;
  bool drop_records_ = false;
  std::atomic<bool> keep_requests_{false};
  Requests requests_;
  int closed_sessions_ = 0;
  int detached_sessions_ = 0;
  std::vector<OpenInfo> opens_;
  std::vector<LockInfo> locks_;
};

}  // namespace quire

#endif  // QUIRE_TESTS_SUPPORT_FAKE_SERVICE_H_
