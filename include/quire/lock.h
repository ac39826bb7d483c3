// Locks of records and files (Enscribe Programmer's Guide, "Locking"). Owner of a lock is an open;
// own locks never stand in their owner's way; all locks are exclusive and are released by unlock
// calls, by close, or when the lease of the open ends.
#ifndef QUIRE_LOCK_H_
#define QUIRE_LOCK_H_

#include <cstdint>
#include <string>

#include "quire/file_name.h"

namespace quire {

// SETMODE 4: what happens at another's lock. Writers get 73 at once in every mode (R-S4). Values
// are SETMODE's and travel on the wire.
enum class LockMode : uint8_t {
  kNormal = 0,             // reads and lock calls wait
  kReject = 1,             // both get 73
  kReadThrough = 2,        // reads ignore the lock; lock calls wait
  kReadThroughReject = 3,  // reads ignore the lock; lock calls get 73
  kReadWarn = 6,           // reads ignore the lock, with warning 9; lock calls wait
  kReadWarnReject = 7,     // reads ignore the lock, with warning 9; lock calls get 73
};

// Whether `value` is one of them.
constexpr bool IsLockMode(uint32_t value) {
  return value <= 3 || value == 6 || value == 7;
}
constexpr bool LockCallsWait(LockMode mode) {
  return mode == LockMode::kNormal || mode == LockMode::kReadThrough || mode == LockMode::kReadWarn;
}

enum class LockKind : uint8_t {
  kFile = 1,
  kRecord = 2,
  kGeneric = 3,  // LOCKLENGTH below KEYLEN: all keys with the same first bytes
};

// One line of LISTLOCKS.
struct LockInfo {
  FileName file;  // the partition
  LockKind kind = LockKind::kRecord;
  bool granted = false;  // else waiting
  uint64_t open_id = 0;
  std::string client_name;
  std::string key;       // empty for a file lock
  int64_t since_us = 0;  // granted or waiting since
};

}  // namespace quire

#endif  // QUIRE_LOCK_H_
