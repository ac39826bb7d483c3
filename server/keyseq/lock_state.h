// What the lock table keeps, and how locks pass from one open to the next. The rules stand in
// lock_table.h.
#ifndef QUIRE_SERVER_KEYSEQ_LOCK_STATE_H_
#define QUIRE_SERVER_KEYSEQ_LOCK_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "quire/lock.h"
#include "server/base/ids.h"
#include "server/keyseq/lock_table.h"

namespace quire {

struct FileLocks;
struct RecordLock;

// One request that waits: at the gate of its file, or, once past it, at its record.
struct LockWait {
  WaiterId id = 0;
  uint64_t owner = 0;
  LockKind kind = LockKind::kRecord;
  bool read = false;  // holds nothing afterwards
  std::string key;
  int64_t since_us = 0;
  uint64_t ticket = 0;  // order of arrival in the volume
  FileLocks* file = nullptr;
  RecordLock* record = nullptr;  // null: at the gate
  uint64_t place = 0;            // in the queue it is in; rises
};

// First come first served. `blocking` are those that later ones wait for: file requests at a gate,
// lock requests at a record.
struct LockQueue {
  std::map<uint64_t, LockWait*> all;
  std::map<uint64_t, LockWait*> blocking;
};

// While the file lock is held no record has a holder; those that waited at a record then stay.
// Otherwise a record without holder has no queue: it is removed.
struct RecordLock {
  std::string_view key;  // of its entry in FileLocks::records
  uint64_t holder = 0;   // 0: none
  LockKind kind = LockKind::kRecord;
  int64_t since_us = 0;
  std::unique_ptr<LockQueue> queue;  // null: nobody waits
};

// A record lock of the owner of the file lock, as it was when it was given up for that.
struct GivenUpLock {
  std::string key;
  LockKind kind = LockKind::kRecord;
  int64_t since_us = 0;
};

struct FileLocks {
  FileId id = 0;
  uint64_t owner = 0;  // of the file lock; 0: none
  int64_t since_us = 0;
  std::vector<GivenUpLock> given_up;  // while there is an owner
  std::map<std::string, RecordLock, std::less<>> records;
  std::map<uint64_t, absl::flat_hash_set<RecordLock*>> holders;  // the records each open holds
  std::map<uint64_t, uint32_t> queued;  // lock requests of each open that wait at records
  LockQueue gate;

  bool IsIdle() const { return owner == 0 && records.empty() && gate.all.empty(); }
  // Whether `open` has passed the gate: it holds a record, or waits for one.
  bool IsPastGate(uint64_t open) const { return holders.contains(open) || queued.contains(open); }
  // Whether a record request of `open`, at the gate's `place`, is held up by a file request.
  bool IsHeldUpAtGate(uint64_t open, uint64_t place) const;
  const RecordLock* Find(std::string_view key) const;
};

struct LockOwner {
  uint32_t held = 0;
  std::set<FileId> files;  // where it holds any
  std::vector<LockWait*> waits;
};

// Everything of one volume. Calls that may release leave no request waiting that could be granted.
class LockState {
 public:
  FileLocks* FindFile(FileId file) const;
  FileLocks& FileOf(FileId file);  // made when there is none
  const LockOwner* FindOwner(uint64_t owner) const;
  bool IsWaiting(WaiterId waiter) const { return waits_.contains(waiter); }
  uint32_t total() const { return total_; }
  // Locks that are kept in mind, and so need room, but are not held.
  uint32_t given_up() const { return given_up_; }

  // Whether `owner` may have it now. `file` may be null: there are no locks.
  static bool MayHoldFile(const FileLocks* file, uint64_t owner);
  static bool MayHoldRecord(const FileLocks* file, uint64_t owner, std::string_view key);
  static bool MayRead(const FileLocks* file, uint64_t owner, std::string_view key);

  // Gives what May… allowed.
  void HoldFile(FileLocks& file, uint64_t owner, int64_t now_us);
  void HoldRecord(FileLocks& file, uint64_t owner, std::string_view key, LockKind kind,
                  int64_t now_us);
  // Queues what cannot be had now.
  const LockWait& AddWait(const LockRequest& request, bool read, WaiterId waiter);
  // Takes back the wait added last, before anything else happened.
  void WithdrawWait(WaiterId waiter);

  void ReleaseRecord(FileLocks& file, uint64_t owner, std::string_view key);
  void ReleaseFile(FileLocks& file, uint64_t owner);
  // As if the file lock had not been got.
  void TakeBackFile(FileLocks& file, uint64_t owner);
  void ReleaseOwner(uint64_t owner);
  void CancelWait(WaiterId waiter);
  std::vector<WaiterId> TakeGranted();

 private:
  struct Granted {
    WaiterId waiter;
    uint64_t owner;
  };

  // Holding.
  void CountHeld(FileLocks& file, uint64_t owner);
  void CountReleased(FileLocks& file, uint64_t owner, uint32_t locks);
  void TakeRecord(FileLocks& file, RecordLock& record, uint64_t owner, LockKind kind,
                  int64_t since_us);
  void DropRecord(FileLocks& file, RecordLock& record);
  static void RemoveIfIdle(FileLocks& file, RecordLock& record);
  void RemoveIfIdle(FileLocks& file);
  void RemoveOwnerIfIdle(uint64_t owner);

  // Waiting.
  void Enqueue(LockWait& wait, RecordLock* record);
  static void Unqueue(LockWait& wait);
  std::unique_ptr<LockWait> TakeOut(LockWait& wait);
  std::vector<WaiterId> WaitsIn(const FileLocks& file, uint64_t owner) const;

  // Granting.
  void Grant(LockWait& wait);
  void GrantFile(LockWait& wait);
  void GrantOwn(FileLocks& file, uint64_t owner);
  void ServeRecord(FileLocks& file, RecordLock& record);
  void PassGate(LockWait& wait);
  void PassOwn(FileLocks& file, uint64_t owner);
  // `all`: the file lock went, so every request at the gate may be concerned.
  void SettleGate(FileLocks& file, bool all);
  bool SettleGateOnce(FileLocks& file, bool all);
  void ReleaseIn(FileLocks& file, uint64_t owner);
  void ForgetGivenUp(FileLocks& file);

  absl::flat_hash_map<FileId, std::unique_ptr<FileLocks>> files_;
  absl::flat_hash_map<uint64_t, std::unique_ptr<LockOwner>> owners_;
  absl::flat_hash_map<WaiterId, std::unique_ptr<LockWait>> waits_;
  uint32_t total_ = 0;  // held and waiting
  uint32_t given_up_ = 0;
  uint64_t next_place_ = 1;
  std::vector<Granted> granted_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_KEYSEQ_LOCK_STATE_H_
