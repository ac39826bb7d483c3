// A one-shot wake-up between two threads, made for the reply of one operation: the waiter spins a
// few microseconds, then sleeps. A futex hand-off costs about a microsecond, one through a
// condition variable twelve.
//
// One waiter at a time. Set may be called by any thread.
#ifndef QUIRE_CLIENT_FILESYSTEM_SIGNAL_H_
#define QUIRE_CLIENT_FILESYSTEM_SIGNAL_H_

#include <atomic>
#include <cstdint>

namespace quire {

// Some 3 µs on current processors: longer than an embedded operation, shorter than a time slice
// that the server on the same machine would miss.
inline constexpr int kSpinRounds = 64;

inline void SpinPause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class Signal {
 public:
  // Makes Wait block again. Only while nobody waits and nobody may still call Set.
  void Reset() { set_.store(0, std::memory_order_relaxed); }

  void Set() {
    set_.store(1, std::memory_order_release);
    set_.notify_one();
  }

  // Returns after Set; what the setter did before is then visible.
  void Wait() const {
    for (int i = 0; i < kSpinRounds; ++i) {
      if (IsSet()) return;
      SpinPause();
    }
    while (!IsSet()) set_.wait(0, std::memory_order_acquire);
  }

  bool IsSet() const { return set_.load(std::memory_order_acquire) != 0; }

 private:
  std::atomic<uint32_t> set_{0};
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_SIGNAL_H_
