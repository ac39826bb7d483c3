// The disc process: a role that one thread at a time holds (R-D18). It executes requests in order
// on the cached blocks, gathers what must be durable into batches, and makes the cuts of control
// points.
//
//   Submit ─▶ inbox ─▶ role: execute ─▶ open batch ─▶ seal ─▶ committer ─▶ replies
//                          └─ cut ─▶ control-point writer ─▶ (event) ─▶ role
//
// A thread that submits to an idle volume takes the role, runs its request and what queued
// meanwhile, and gives it back. The committer, on finishing a batch, takes the idle role just long
// enough to seal the next one. When somebody must go on and nobody can, the helper thread does; it
// also runs replies while the committer writes.
//
// The committer is a role as well, held by its thread or, for one batch, by a thread that blocks
// for the answer (Request::caller_waits) and has just given the first role back: nobody ever holds
// the first role while the trail is being written (R-D7). A caller that finds more sealed when it
// has finished wakes the committer thread instead of staying.
//
// A reply that has to wait is kept with its batch. Replies of one batch run in the order of
// execution; a reply that need not wait may pass one that does, so sessions put theirs in order.
//
// Locks: mutex_ guards the queues between the roles; nothing is executed, written or replied under
// it. Lock order: mutex_ is a leaf.
#ifndef QUIRE_SERVER_VOLUME_DISC_PROCESS_H_
#define QUIRE_SERVER_VOLUME_DISC_PROCESS_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "quire/mutex.h"
#include "quire/wakeup.h"
#include "server/volume/command.h"
#include "server/volume/control_point.h"
#include "server/volume/control_point_pace.h"
#include "server/volume/recovery_estimate.h"
#include "server/volume/redo_record.h"
#include "server/volume/request.h"
#include "server/volume/request_list.h"

namespace quire {

class DiscProcess {
 public:
  explicit DiscProcess(VolumeState* state);
  ~DiscProcess();  // Stop or Crash must have ended

  void Start();
  // Takes no more requests (they get 66), finishes those taken, takes a last control point, ends
  // the threads. Blocks.
  void Stop();
  // Ends at once: requests under way are answered as unknown, nothing is flushed.
  void Crash();

  // Any thread. The request is always answered. With caller_waits the call may block for one write
  // of the trail and run the replies of that batch; from inside a reply it never does.
  void Submit(std::unique_ptr<Request> request);

  // disc_process_direct.cc: runs `work` in the role, now and on this thread, if the volume is idle;
  // else returns false, and so when `work` ended for want of memory, which it should not: what it
  // has counted by then stays counted. For what changes nothing and waits for nothing. Any thread.
  bool TryRun(absl::FunctionRef<void(VolumeState&)> work);

  absl::Status Health() const ABSL_LOCKS_EXCLUDED(mutex_);
  void OnLatched(std::function<void(absl::Status)> callback) ABSL_LOCKS_EXCLUDED(mutex_);
  // From now on every request gets 66; only the first reason counts (R-D8). Any thread.
  void Latch(const absl::Status& why) ABSL_LOCKS_EXCLUDED(mutex_);

  // ---- For Execute, in the role ----

  // The request's reply waits until the file's last change is durable (R-D7).
  void WaitForFile(const FileEntry& entry, Request& request);
  // Whether a reply about the file need not wait.
  bool IsDurable(const FileEntry& entry) const {
    return !entry.durable() ||
           entry.last_change_batch <= durable_batch_.load(std::memory_order_acquire);
  }
  // `change` of the file was executed: it belongs to the open batch (write-through by the images of
  // its blocks, audited as a redo record) and to the volume's sequence of changes.
  void NoteChange(FileEntry& entry, const RedoRecord& change, Request& request);
  // The open keeps the answer of a mutation just executed: it goes to the trail in the same batch
  // as the mutation's changes, or if it was refused, with the next that has any (R-D10). Not for
  // BUFFERED files, and not for what a redo record tells.
  void LogAnswer(OpenEntry& open, uint64_t sequence, bool executed);
  // After an operation with its answer, never between: a large batch is sealed.
  void SealIfLarge();
  // Whether changes of a BUFFERED file are not in a completed control point yet.
  bool NeedsFlush(const FileEntry& entry) const {
    return !entry.durable() && entry.buffered_change > covered_changes_;
  }
  // Something other than blocks is about to change: the catalog, a label, the opens.
  void BeginChange() { ++changes_begun_; }
  // Rises before anything of the volume changes. As long as it is what it was, an allocation that
  // failed has left nothing half done.
  uint64_t ChangesBegun() const { return state_->cache->change_calls() + changes_begun_; }
  // A command record joins the open batch; the reply waits for it.
  void Log(const Command& command, FileEntry* entry, Request& request);
  // Whether `change`, of `blocks` more blocks, would find room in store and trail: 43 (R-D8). Takes
  // the memory it needs in the open batch, so that a want of it is met before anything changes.
  absl::Status EnsureRoom(const FileEntry& entry, uint32_t blocks, const Operation& change);
  // Waits for locks. A waiter's id is new; the wait ends when the lock table grants it, when its
  // deadline is over, or by EndLockWait. Every request put aside here is executed once more.
  WaiterId NewWaiter() { return next_waiter_++; }
  // False once the server stops: nothing may start to wait then.
  bool MayWait() const { return !no_waits_; }
  // Ends the wait of the request with this order key, if one waits.
  void EndLockWait(uint64_t order_key, LockWaitEnd end);
  // The server stops: ends all waits, and none may start any more.
  void EndAllWaits();
  // `done` is called (any thread) when a control point whose cut comes after this call is
  // complete, or has failed. `at_cut` runs in the role at the cut, before labels are encoded.
  using AfterControlPoint = absl::AnyInvocable<void(absl::StatusOr<ControlPointReport>) &&>;
  void WantControlPoint(absl::AnyInvocable<void() &&> at_cut, AfterControlPoint done);

 private:
  struct Inbox {
    RequestList requests;
    std::optional<ControlPointResult> control_point;
    bool batch_done = false;
    bool tick = false;
    bool retry = false;  // the pace lets more changes through by now
    bool empty() const {
      return requests.empty() && !control_point && !batch_done && !tick && !retry;
    }
  };
  struct SealedBatch {
    uint64_t number = 0;
    Lsn last_lsn = 0;
    std::unique_ptr<TrailBatch> records;
    RequestList waiters;
  };
  struct WantedControlPoint {
    absl::AnyInvocable<void() &&> at_cut;
    AfterControlPoint done;
  };

  // disc_process.cc, in the role unless said otherwise
  void Enqueue(std::unique_ptr<Request> request);  // any thread; also while stopping
  void EndThreads();                               // of the caller of Stop or Crash
  // True: the caller has the committer's role when it returns (only with `caller_waits`).
  // An exception in a role would leave it taken for ever: it ends the program instead.
  bool RunRole(bool caller_waits) noexcept;
  void Work(Inbox inbox);
  void Admit(std::unique_ptr<Request> request);
  bool MayRun(Request& request);
  void NoteWait(Request& request, Counter waits, Counter time);
  void Park(std::unique_ptr<Request>& request);
  void Run(std::unique_ptr<Request> request);
  absl::Status Execute(Request& request);
  // Calls step(); an allocation that fails in it latches the volume.
  template <typename Step>
  void LatchWithoutMemory(Step step);
  void Route(std::unique_ptr<Request> request);
  void RetryParked();
  void RejectAll();
  // What recovery would have to replay now takes as long as it may.
  bool AtRecoveryTarget() const;
  void HandRole() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);  // to the helper
  template <typename Change>
  void Post(Change change);  // any thread: an event for the role
  bool Latched() const { return latched_.load(std::memory_order_acquire); }
  absl::Status LatchStatus() const;

  // disc_process_locks.cc, in the role
  void KeepWaiting(std::unique_ptr<Request> request);
  void EndWait(std::unique_ptr<Request> request, LockWaitEnd end);
  void EndWaits(const std::vector<WaiterId>& waiters, LockWaitEnd end);
  void TakeGrants();
  void ResumeWaiting();
  void EndTimedOutWaits();

  // disc_process_batches.cc
  bool OpenBatchIsEmpty() const;
  bool OpenBatchIsLarge() const;
  uint64_t OpenBatchBytes() const;
  // The record joins the open batch, or the next one where it would make this one too long.
  void AddToBatch(const TrailRecord& record);
  void MaybeSeal();
  void Seal();
  void SealOrThrow();
  void AddAnswers();
  void CountUnlogged();

  // disc_process_commit.cc
  static bool MayCommit();  // the thread may take the committer's role for a batch of its own
  void CommitterLoop();     // committer thread
  void CommitAsCaller() noexcept;  // a thread that submitted and waits; has the committer's role
  // In the committer's role, which they give back: the replies that are now due.
  RequestList CommitOldest();
  absl::StatusOr<Lsn> Append(TrailBatch& records);
  RequestList FinishBatch();
  RequestList RejectSealed();
  void SealWhileIdle();  // in both roles; gives the first one back
  static void RunReplies(RequestList replies);
  void HelperLoop();                                          // helper thread
  bool TakeDueRetry() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);  // into the inbox
  void AwaitWork() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);     // helper thread
  void ReplyLater(RequestList replies);                       // any thread
  void GiveCommitterBack() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status WaitDurable(uint64_t batch);  // control-point writer; blocks

  // disc_process_control.cc, in the role
  // Changes have to wait: at the dirty limit, or because they outrun the control point under way.
  bool AtDirtyLimit(bool bulk) const;
  bool OutrunsControlPoint(bool bulk) const;
  // Whether it has to wait for dirty memory. Notes that it does.
  bool WaitsForRoom(bool bulk);
  void RetryByTime();
  void MaybeStartControlPoint();
  void StartControlPoint();
  ControlPointJob CutJob();
  void FinishControlPoint(ControlPointResult result);
  void OnTick();
  bool Quiet() const;

  VolumeState* const state_;

  // Of the role.
  std::unique_ptr<TrailBatch> open_records_;  // commands and redo records of the open batch
  std::string redo_;                          // the redo record added last; kept for its memory
  RequestList open_waiters_;
  std::vector<FileEntry*> open_files_;     // write-through files changed in the open batch
  std::vector<uint64_t> answering_opens_;  // ids of opens with answers for the open batch
  uint64_t answer_bytes_ = 0;              // about what those take
  uint64_t open_number_ = 1;
  uint64_t changes_begun_ = 0;
  RequestList parked_;
  bool trail_behind_ = false;         // some of them wait for the trail
  bool bulk_waits_for_room_ = false;  // some for dirty memory: bulk ones, or…
  bool single_waits_for_room_ = false;
  absl::flat_hash_set<uint64_t> parked_keys_;
  std::map<WaiterId, std::unique_ptr<Request>> waiting_;  // for locks
  absl::flat_hash_map<uint64_t, WaiterId> waiting_keys_;  // order keys of them
  RequestList resumable_;                                 // their waits have ended
  WaiterId next_waiter_ = 1;
  bool resuming_ = false;
  bool leave_to_caller_ = false;  // whoever has the role commits the first batch it seals
  bool retry_parked_ = false;     // what was parked behind a wait may run now
  bool no_waits_ = false;
  std::vector<WantedControlPoint> wanted_;    // for the next cut
  std::vector<AfterControlPoint> under_way_;  // of the control point under way
  std::vector<FileId> flushed_labels_;        // labels in it
  std::vector<FileId> emptied_;               // purged files without blocks: labels may go
  std::vector<FileId> forgotten_;             // of them, in the control point under way
  ControlPointPace pace_{0, 0};               // set by Start
  std::optional<FlushList> flush_;            // set while a control point is under way
  bool control_point_asked_ = false;
  bool buffered_changes_ = false;  // since the last cut
  uint64_t covered_changes_ = 0;   // change sequence of the last control point completed
  bool closed_ = false;            // Stop has seen the last control point
  int64_t last_cut_us_ = 0;        // monotonic
  uint64_t trail_bytes_since_cut_ = 0;
  RecoveryEstimate replay_since_cut_;
  RecoveryEstimate replay_before_cut_;  // of the control point under way: due until it is complete
  int64_t retry_after_us_ = 0;          // after a control point that found no room

  mutable Mutex mutex_;
  Inbox inbox_ ABSL_GUARDED_BY(mutex_);
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;         // somebody has the role
  bool role_handed_ ABSL_GUARDED_BY(mutex_) = false;  // …namely the helper, when it wakes
  std::deque<SealedBatch> sealed_ ABSL_GUARDED_BY(mutex_);
  bool committing_ ABSL_GUARDED_BY(mutex_) = false;          // somebody has the committer's role
  uint32_t committing_callers_ ABSL_GUARDED_BY(mutex_) = 0;  // in CommitAsCaller
  std::vector<std::unique_ptr<TrailBatch>> spare_records_ ABSL_GUARDED_BY(mutex_);
  RequestList replies_ ABSL_GUARDED_BY(mutex_);
  int64_t retry_at_us_ ABSL_GUARDED_BY(mutex_) = 0;  // monotonic, of the helper; 0: never
  absl::Status latch_status_ ABSL_GUARDED_BY(mutex_);
  std::function<void(absl::Status)> on_latched_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;  // no new requests
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;    // threads end
  Wakeup committer_wakes_;
  Wakeup helper_wakes_;
  CondVar progress_;  // a batch became durable, the role went idle, the volume latched
  std::atomic<uint64_t> durable_batch_{0};
  std::atomic<uint64_t> sealed_count_{0};  // batches sealed and not durable
  std::atomic<uint64_t> sealed_bytes_{0};  // of them
  std::atomic<bool> latched_{false};

  std::thread committer_;
  std::thread helper_;
  std::unique_ptr<ControlPointWriter> writer_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_DISC_PROCESS_H_
