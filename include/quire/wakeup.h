// How one thread wakes another that waits for a change of what a mutex guards. A condition variable
// in use, with the primitive to choose: `quire-bench handoff` compares them.
//
//   MutexLock lock(&mutex_);
//   while (queue_.empty()) wakeup_.Wait(&mutex_);     // one thread
//   …
//   MutexLock lock(&mutex_); queue_.push_back(x); wakeup_.Signal();   // any other
#ifndef QUIRE_WAKEUP_H_
#define QUIRE_WAKEUP_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "quire/mutex.h"

namespace quire {

enum class WakeupKind : uint8_t {
  kCondition = 0,  // std::condition_variable
  kFutex = 1,      // parks at once; a signal to a thread that does not wait costs no system call
  kSpin = 2,       // looks for kWakeupSpins rounds, then as kFutex
  kEventfd = 3,
};
inline constexpr std::array<std::string_view, 4> kWakeupNames = {"condition", "futex", "spin",
                                                                 "eventfd"};
// The one that won in `quire-bench handoff` (deploy/decisions/0012-hand-off.md).
inline constexpr WakeupKind kDefaultWakeup = WakeupKind::kFutex;
// About 3 µs on current processors (R-D18: a few).
inline constexpr int kWakeupSpins = 64;

// nullopt: no such name.
std::optional<WakeupKind> WakeupKindOf(std::string_view name);

// Tells the processor that this thread looks at memory in a loop.
inline void PauseInSpin() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Parks while *word is `expected`, or for `micros` (0 or more; less: without end); may return
// without reason. Wakes one thread parked there.
void FutexWait(std::atomic<uint32_t>* word, uint32_t expected, int64_t micros = -1);
void FutexWakeOne(std::atomic<uint32_t>* word);

class Wakeup {
 public:
  Wakeup() = default;
  ~Wakeup();
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;

  // Before the first Wait and Signal. Without descriptors left, kEventfd becomes kCondition.
  void Use(WakeupKind kind);

  // One thread at a time, in a loop that tests the condition: it may return without a signal.
  // Releases the mutex while it waits.
  void Wait(Mutex* mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // The same, for at most so long.
  void WaitForMicros(Mutex* mutex, int64_t micros) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // After the change, under the mutex or behind it. Not lost: a Wait that could not see the change
  // returns.
  void Signal();

 private:
  void Park(Mutex* mutex, int64_t micros) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void AwaitChange(uint32_t seen, int64_t micros);
  void AwaitDescriptor(int64_t micros) const;

  WakeupKind kind_ = kDefaultWakeup;
  CondVar condition_;
  std::atomic<uint32_t> signals_{0};
  std::atomic<bool> parked_{false};  // or about to be
  int descriptor_ = -1;
};

}  // namespace quire

#endif  // QUIRE_WAKEUP_H_
