// How operations meet the locks of others: the tables of Enscribe's lock modes (R-S4). Disc process
// role only.
#ifndef QUIRE_SERVER_VOLUME_RECORD_LOCKS_H_
#define QUIRE_SERVER_VOLUME_RECORD_LOCKS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "quire/error.h"
#include "quire/lock.h"
#include "server/volume/disc_process.h"
#include "server/volume/open_table.h"
#include "server/volume/request.h"

namespace quire {

enum class LockStep : uint8_t {
  kGo,       // nothing stands in the way, or it is read through
  kRefused,  // `status` says why
  kWait,     // the request's lock_wait has begun; the operation is executed again after it
};

// One operation's way through the locks of its file. The lock key of a record is its key cut to
// LOCKLENGTH; a lock on it is generic when that is shorter than KEYLEN.
class RecordLocks {
 public:
  // `timeout_ms`: longest wait. `may_wait` false: who would wait gets 40 at once.
  RecordLocks(VolumeState& state, DiscProcess& process, Request& request, OpenEntry& open,
              uint32_t timeout_ms, bool may_wait);

  // A wait of this operation has ended: counts it. OK when it was granted, else the 40 it ends
  // with.
  absl::Status FinishWait();
  // A plain READ of the record with `key`, by the lock mode. `warning` becomes 9 where one is due.
  LockStep Read(std::string_view key, ErrorNumber* warning) { return Read(key, mode(), warning); }
  LockStep Read(std::string_view key, LockMode mode, ErrorNumber* warning);
  // Whether Read would go on without waiting or being refused.
  bool Passes(std::string_view key, LockMode mode) const;
  // LOCKREC, READLOCK …: locks the record.
  LockStep LockRecord(std::string_view key);
  LockStep LockFile();
  // WRITE, WRITEUPDATE, delete: 73 at once, whatever the mode.
  LockStep Change(std::string_view key);
  // UNLOCKREC; ignored for generic locks.
  void UnlockRecord(std::string_view key);
  // The operation is over: a record that a wait has locked, and that turned out not to be the one
  // read, is released.
  void Finish();

  const absl::Status& status() const { return status_; }

 private:
  std::string_view LockKey(std::string_view key) const;
  LockKind RecordKind() const;
  LockMode mode() const { return static_cast<LockMode>(open_.lock_mode); }
  LockRequest RequestFor(LockKind kind, std::string_view lock_key) const;
  LockStep Acquire(LockKind kind, std::string_view lock_key);
  LockStep Answered(LockAnswer answer, LockKind kind, std::string_view lock_key, WaiterId waiter,
                    bool holds);
  LockStep Bounce(LockKind kind);
  void Count(Counter counter, int64_t amount = 1);
  std::string NameOf(uint64_t owner) const;
  std::string CycleText() const;

  VolumeState& state_;
  DiscProcess& process_;
  Request& request_;
  OpenEntry& open_;
  const uint32_t timeout_ms_;
  const bool may_wait_;
  std::string granted_key_;  // of the wait that has ended
  bool granted_ = false;
  bool granted_holds_ = false;
  absl::Status status_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_RECORD_LOCKS_H_
