// What a test and the preloaded library (fault_library.cc) in a server process share: which of the
// server's system calls fails and how, and what happened since. One page of memory, mapped by both
// from the file that the environment names, so that a fault can be switched on and off while the
// server runs.
#ifndef QUIRE_TESTS_FAULT_FAULT_CONTROL_H_
#define QUIRE_TESTS_FAULT_FAULT_CONTROL_H_

#include <atomic>
#include <cstdint>

namespace quire::test {

inline constexpr char kFaultControlVariable[] = "QUIRE_FAULT_CONTROL";

// Calls that mean the same to the server are one kind.
enum class FaultCall : uint32_t {
  kOpen = 1,       // open, open64, openat
  kWrite,          // write, pwrite, pwritev
  kRead,           // pread
  kSync,           // fsync, fdatasync
  kAllocate,       // fallocate
  kTruncate,       // ftruncate
  kRename,         // rename; the path is the new name
  kUnlink,         // unlink
  kMakeDirectory,  // mkdir
  kMap,            // mmap of a file
};

// The effect of a write that stops half-way instead of failing with an errno value.
inline constexpr int32_t kShortWrite = -1;
// The call waits until the fault is switched off, and then does what it always does.
inline constexpr int32_t kStall = -2;

struct FaultControl {
  // ---- Set by the test while `armed` is 0
  FaultCall call;
  int32_t effect;        // an errno value, kShortWrite or kStall
  char path_end[64];     // how the file's path ends
  uint64_t least_bytes;  // of a write: shorter ones are let through
  uint64_t most_bytes;   // longer ones too; 0: no limit
  uint64_t first;        // 1: the first matching call fails
  uint32_t repeats;      // 0: only that one; 1: all from it on
  std::atomic<uint32_t> armed;

  // ---- Set by the library
  std::atomic<uint64_t> seen;    // matching calls while armed
  std::atomic<uint64_t> failed;  // of them, failed or cut short
  // After the first sync that failed: further syncs through the same open file, and writes to the
  // file through any. A sync of the same file through another open file is the way to ask whether
  // an earlier sync lost something, and is told so once, as the kernel does.
  std::atomic<uint64_t> failed_sync_inode;
  std::atomic<int32_t> failed_sync_descriptor;
  std::atomic<uint64_t> syncs_after;
  std::atomic<uint64_t> writes_after;
};

static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace quire::test

#endif  // QUIRE_TESTS_FAULT_FAULT_CONTROL_H_
