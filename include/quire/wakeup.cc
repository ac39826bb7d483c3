#include "quire/wakeup.h"

#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace quire {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "the kernel looks at the word");

std::optional<WakeupKind> WakeupKindOf(std::string_view name) {
  for (size_t i = 0; i < kWakeupNames.size(); ++i) {
    if (name == kWakeupNames[i]) return static_cast<WakeupKind>(i);
  }
  return std::nullopt;
}

namespace {

timespec ToTimespec(int64_t micros) {
  constexpr int64_t kMicrosPerSecond = 1000000;
  return {.tv_sec = micros / kMicrosPerSecond, .tv_nsec = micros % kMicrosPerSecond * 1000};
}

}  // namespace

void FutexWait(std::atomic<uint32_t>* word, uint32_t expected, int64_t micros) {
  const timespec longest = ToTimespec(std::max<int64_t>(micros, 0));
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, micros < 0 ? nullptr : &longest, nullptr,
          0);
}

void FutexWakeOne(std::atomic<uint32_t>* word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

Wakeup::~Wakeup() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Wakeup::Use(WakeupKind kind) {
  if (kind == WakeupKind::kEventfd && descriptor_ < 0) descriptor_ = eventfd(0, EFD_CLOEXEC);
  kind_ = kind == WakeupKind::kEventfd && descriptor_ < 0 ? WakeupKind::kCondition : kind;
}

void Wakeup::Wait(Mutex* mutex) {
  if (kind_ == WakeupKind::kCondition) return condition_.Wait(mutex);
  Park(mutex, -1);
}

void Wakeup::WaitForMicros(Mutex* mutex, int64_t micros) {
  micros = std::max<int64_t>(micros, 0);
  if (kind_ == WakeupKind::kCondition) {
    condition_.WaitForMicros(mutex, micros);
  } else {
    Park(mutex, micros);
  }
}

void Wakeup::Park(Mutex* mutex, int64_t micros) {
  // A signal for a change that the caller could not see under the mutex comes after this.
  const uint32_t seen = signals_.load();
  if (kind_ != WakeupKind::kSpin) parked_.store(true);
  mutex->Unlock();
  AwaitChange(seen, micros);
  mutex->Lock();
}

void Wakeup::AwaitChange(uint32_t seen, int64_t micros) {
  if (kind_ == WakeupKind::kEventfd) return AwaitDescriptor(micros);
  if (kind_ == WakeupKind::kSpin) {
    for (int i = 0; i < kWakeupSpins; ++i) {
      if (signals_.load(std::memory_order_acquire) != seen) return;
      PauseInSpin();
    }
    // Signal counts, then looks whether somebody is parked; this side says so, then looks at the
    // count (in the kernel). One of the two sees the other.
    parked_.store(true);
  }
  FutexWait(&signals_, seen, micros);
}

void Wakeup::AwaitDescriptor(int64_t micros) const {
  if (micros >= 0) {
    pollfd readable = {.fd = descriptor_, .events = POLLIN, .revents = 0};
    const timespec longest = ToTimespec(micros);
    if (ppoll(&readable, 1, &longest, nullptr) <= 0) return;
  }
  // What was written since the last read ends the read at once.
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = read(descriptor_, &count, sizeof(count));
}

void Wakeup::Signal() {
  if (kind_ == WakeupKind::kCondition) return condition_.Signal();
  signals_.fetch_add(1);
  if (!parked_.exchange(false)) return;
  if (kind_ == WakeupKind::kEventfd) {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t put = write(descriptor_, &one, sizeof(one));
  } else {
    FutexWakeOne(&signals_);
  }
}

}  // namespace quire
