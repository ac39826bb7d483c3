// The locks of a volume: who holds what, who waits for it, in which order it is given. Plain data,
// no clock, no threads, no waiting: a request that must wait is kept, and its number comes out of
// TakeGranted once it holds its lock. Disc process role only.
//
// All locks are exclusive and belong to an open. Within one file all record locks have keys of one
// length (LOCKLENGTH, else KEYLEN), so two of them conflict when their keys are equal; a file lock
// conflicts with every lock of another open in the file. Own locks never block.
//
// Order. Each record has a queue, and each file has a gate before its records. File requests wait
// at the gate; so does a record request behind a file request, which is what keeps a file request
// from starving. An open that has a lock in the file, or has passed the gate to wait for one, is
// not held up at the gate again: the file requests there wait for it already. Queues and gate are
// first come first served. Plain reads are held up by locks that are held, not by requests, and
// take their turn where they wait.
#ifndef QUIRE_SERVER_KEYSEQ_LOCK_TABLE_H_
#define QUIRE_SERVER_KEYSEQ_LOCK_TABLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quire/limits.h"
#include "quire/lock.h"
#include "server/base/ids.h"

namespace quire {

class LockState;

// Chosen by the caller, one per waiting request; 0: the request does not wait.
using WaiterId = uint64_t;

struct LockLimits {
  uint32_t per_open = kMaxLocksPerOpen;  // held and waiting, reads that wait included
  uint32_t per_volume = kMaxLocksPerVolume;
};

struct LockRequest {
  FileId file = 0;
  uint64_t owner = 0;  // open id, not 0
  LockKind kind = LockKind::kRecord;
  std::string_view key;  // cut to LOCKLENGTH when kGeneric; empty for kFile
  int64_t now_us = 0;    // shown as "since"
};

enum class LockAnswer {
  kGranted,
  kLocked,       // another's, or others are waiting before; the request was not to wait
  kWaits,        // kept; see TakeGranted
  kCycle,        // not kept: its owner would wait for itself; see last_cycle
  kOpenLimit,    // not kept: error 35
  kVolumeLimit,  // not kept: error 31
};

// `owner` waits for the lock named, because of `waits_for`.
struct CycleStep {
  uint64_t owner = 0;
  FileId file = 0;
  LockKind kind = LockKind::kRecord;
  std::string key;
  uint64_t waits_for = 0;
  bool held = false;  // `waits_for` holds a lock in the way; else it is waiting before `owner`

  bool operator==(const CycleStep&) const = default;
};

// One line of LISTLOCKS.
struct LockLine {
  LockKind kind = LockKind::kRecord;
  bool granted = false;
  bool read = false;  // a plain read that waits
  uint64_t owner = 0;
  std::string key;
  int64_t since_us = 0;  // when it was asked for

  bool operator==(const LockLine&) const = default;
};

class LockTable {
 public:
  explicit LockTable(LockLimits limits = {});
  ~LockTable();
  LockTable(const LockTable&) = delete;
  LockTable& operator=(const LockTable&) = delete;
  // Before the first lock.
  void SetLimits(LockLimits limits) { limits_ = limits; }
  const LockLimits& limits() const { return limits_; }

  // Takes a lock. A lock held already is granted again, and so, without being recorded, is a record
  // lock under the own file lock. A file lock replaces the own record locks of the file. Without a
  // waiter the request does not overtake those that wait: kLocked. O(log n), and what a cycle's
  // detection costs when an owner that others may wait for has to wait.
  LockAnswer Acquire(const LockRequest& request, WaiterId waiter);
  // A plain read of `key`: holds nothing. Granted when no other's lock covers the key.
  LockAnswer AwaitRead(const LockRequest& request, WaiterId waiter);

  // Whether another holds the file lock or the lock of `key`, which is cut as in requests: what
  // stops a writer (R-S4).
  bool LockedByOther(FileId file, uint64_t owner, std::string_view key) const;
  // False: nobody holds or waits for anything in the file.
  bool HasLocks(FileId file) const;

  // Nothing happens when the lock is not held. Waits of the owner go on, except in ReleaseOwner,
  // which also takes its untaken entries out of TakeGranted.
  void ReleaseRecord(FileId file, uint64_t owner, std::string_view key);
  void ReleaseFile(FileId file, uint64_t owner);  // the file lock, or all record locks
  // Releases the file lock, and the record locks that it replaced are held again.
  void TakeBackFile(FileId file, uint64_t owner);
  void ReleaseOwner(uint64_t owner);
  // Nothing happens when it does not wait, e.g. because it was granted just now.
  void CancelWait(WaiterId waiter);

  // Requests that were granted since the last call. The locks are held already. Ask after every
  // release, cancel and file lock taken, and go on with them in this order: a read then comes
  // before the owner of a lock that followed it can change anything.
  std::vector<WaiterId> TakeGranted();

  uint32_t Held(uint64_t owner) const;
  uint32_t Held(FileId file, uint64_t owner) const;
  bool HoldsFile(FileId file, uint64_t owner) const;
  bool HoldsRecord(FileId file, uint64_t owner, std::string_view key) const;
  uint32_t total() const;  // held and waiting in the volume

  // Of the last kCycle: starts with the owner of the refused request; each step's `waits_for` is
  // the owner of the next, and the last one's is the first owner.
  const std::vector<CycleStep>& last_cycle() const { return last_cycle_; }

  // LISTLOCKS of one file: the file lock first, then by key, the holder before those that wait, in
  // their order.
  std::vector<LockLine> List(FileId file) const;

 private:
  // kGranted when one more may be held or wait; else the limit it would pass.
  LockAnswer CheckRoom(uint64_t owner) const;
  LockAnswer Wait(const LockRequest& request, bool read, WaiterId waiter);

  LockLimits limits_;
  std::unique_ptr<LockState> state_;
  std::vector<CycleStep> last_cycle_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_KEYSEQ_LOCK_TABLE_H_
