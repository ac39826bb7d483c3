#include "client/bench/handoff/ping_pong.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "quire/mutex.h"
#include "quire/wakeup.h"

namespace quire {
namespace bench {
namespace {

// Each primitive has two sides, 0 and 1: Post(side) lets the thread of that side go on, Wait(side)
// waits for it. PostAndWait(me) does Post(1 - me) and Wait(me).

class ByCondition {
 public:
  explicit ByCondition(uint64_t) {}
  void Post(int side) {
    MutexLock lock(&mutex_);
    PostLocked(side);
  }
  void Wait(int side) {
    MutexLock lock(&mutex_);
    WaitLocked(side);
  }
  void PostAndWait(int me) {
    MutexLock lock(&mutex_);
    PostLocked(1 - me);
    WaitLocked(me);
  }

 private:
  void PostLocked(int side) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    posted_[side] = true;
    changed_[side].Signal();
  }
  void WaitLocked(int side) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    while (!posted_[side]) changed_[side].Wait(&mutex_);
    posted_[side] = false;
  }
  Mutex mutex_;
  bool posted_[2] ABSL_GUARDED_BY(mutex_) = {};
  CondVar changed_[2];
};

class ByAbsl {
 public:
  explicit ByAbsl(uint64_t) {}
  void Post(int side) {
    absl::MutexLock lock(&mutex_);
    posted_[side] = true;
    changed_[side].Signal();
  }
  void Wait(int side) {
    absl::MutexLock lock(&mutex_);
    while (!posted_[side]) changed_[side].Wait(&mutex_);
    posted_[side] = false;
  }
  void PostAndWait(int me) {
    absl::MutexLock lock(&mutex_);
    posted_[1 - me] = true;
    changed_[1 - me].Signal();
    while (!posted_[me]) changed_[me].Wait(&mutex_);
    posted_[me] = false;
  }

 private:
  absl::Mutex mutex_;
  bool posted_[2] = {};
  absl::CondVar changed_[2];
};

// The mutex itself looks at the condition when it is released.
class ByAbslAwait {
 public:
  explicit ByAbslAwait(uint64_t) {}
  void Post(int side) {
    absl::MutexLock lock(&mutex_);
    posted_[side] = true;
  }
  void Wait(int side) {
    absl::MutexLock lock(&mutex_, absl::Condition(&posted_[side]));
    posted_[side] = false;
  }
  void PostAndWait(int me) {
    absl::MutexLock lock(&mutex_);
    posted_[1 - me] = true;
    mutex_.Await(absl::Condition(&posted_[me]));
    posted_[me] = false;
  }

 private:
  absl::Mutex mutex_;
  bool posted_[2] = {};
};

// Good for one event: a new one each time, made beforehand.
class ByNotification {
 public:
  explicit ByNotification(uint64_t turns) {
    for (auto& side : notifications_) side = std::make_unique<absl::Notification[]>(turns);
  }
  void Post(int side) { notifications_[side][posts_[side]++].Notify(); }
  void Wait(int side) { notifications_[side][waits_[side]++].WaitForNotification(); }

 private:
  std::array<std::unique_ptr<absl::Notification[]>, 2> notifications_;
  // Each of one thread.
  uint64_t posts_[2] = {};
  uint64_t waits_[2] = {};
};

class ByAtomicWait {
 public:
  explicit ByAtomicWait(uint64_t) {}
  void Post(int side) {
    posted_[side].store(1, std::memory_order_release);
    posted_[side].notify_one();
  }
  void Wait(int side) {
    posted_[side].wait(0, std::memory_order_acquire);
    posted_[side].store(0, std::memory_order_relaxed);
  }

 private:
  alignas(64) std::atomic<uint32_t> posted_[2] = {};
};

template <int kSpins>
class ByFutex {
 public:
  explicit ByFutex(uint64_t) {}
  void Post(int side) {
    Side& to = sides_[side];
    to.posted.store(1);
    if (to.parked.exchange(false)) FutexWakeOne(&to.posted);
  }
  void Wait(int side) {
    Side& from = sides_[side];
    for (int i = 0; i < kSpins && from.posted.load(std::memory_order_acquire) == 0; ++i) {
      PauseInSpin();
    }
    while (from.posted.load() == 0) {
      from.parked.store(true);
      FutexWait(&from.posted, 0);
    }
    from.posted.store(0);
  }

 private:
  struct alignas(64) Side {
    std::atomic<uint32_t> posted{0};
    std::atomic<bool> parked{false};
  };
  Side sides_[2];
};

class ByEventfd {
 public:
  explicit ByEventfd(uint64_t) : descriptors_{eventfd(0, EFD_CLOEXEC), eventfd(0, EFD_CLOEXEC)} {}
  ~ByEventfd() {
    for (const int descriptor : descriptors_) close(descriptor);
  }
  ByEventfd(const ByEventfd&) = delete;
  ByEventfd& operator=(const ByEventfd&) = delete;
  void Post(int side) {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t put = write(descriptors_[side], &one, sizeof(one));
  }
  void Wait(int side) {
    uint64_t count = 0;
    while (read(descriptors_[side], &count, sizeof(count)) != sizeof(count)) {
    }
  }

 private:
  const int descriptors_[2];
};

class ByPipe {
 public:
  explicit ByPipe(uint64_t) {
    for (auto& ends : pipes_) {
      if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
    }
  }
  ~ByPipe() {
    for (const auto& ends : pipes_) {
      close(ends[0]);
      close(ends[1]);
    }
  }
  ByPipe(const ByPipe&) = delete;
  ByPipe& operator=(const ByPipe&) = delete;
  void Post(int side) { [[maybe_unused]] const ssize_t put = write(pipes_[side][1], "x", 1); }
  void Wait(int side) {
    char byte = 0;
    while (read(pipes_[side][0], &byte, 1) != 1) {
    }
  }

 private:
  int pipes_[2][2];
};

double CpuSeconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <typename Turns>
HandoffCost Measured(uint64_t turns, std::thread other, Turns play) {
  const double cpu_before = CpuSeconds();
  const auto start = std::chrono::steady_clock::now();
  play();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const double cpu_s = CpuSeconds() - cpu_before;
  other.join();
  const double handoffs = 2 * static_cast<double>(turns);
  return {elapsed.count() * 1e6 / handoffs, cpu_s * 1e6 / handoffs};
}

template <typename Primitive>
HandoffCost Separate(uint64_t turns) {
  Primitive primitive(turns);
  std::thread other([&] {
    for (uint64_t i = 0; i < turns; ++i) {
      primitive.Wait(1);
      primitive.Post(0);
    }
  });
  return Measured(turns, std::move(other), [&] {
    for (uint64_t i = 0; i < turns; ++i) {
      primitive.Post(1);
      primitive.Wait(0);
    }
  });
}

template <typename Primitive>
HandoffCost Joined(uint64_t turns) {
  Primitive primitive(turns);
  std::thread other([&] {
    primitive.Wait(1);
    for (uint64_t i = 1; i < turns; ++i) primitive.PostAndWait(1);
    primitive.Post(0);
  });
  return Measured(turns, std::move(other), [&] {
    for (uint64_t i = 0; i < turns; ++i) primitive.PostAndWait(0);
  });
}

}  // namespace

std::vector<HandoffWay> HandoffWays() {
  return {
      {"condition variable", Separate<ByCondition>},
      {"condition variable, joined", Joined<ByCondition>},
      {"atomic wait", Separate<ByAtomicWait>},
      {"futex", Separate<ByFutex<0>>},
      {"spin, then futex", Separate<ByFutex<kWakeupSpins>>},
      {"eventfd", Separate<ByEventfd>},
      {"pipe", Separate<ByPipe>},
      {"absl CondVar", Separate<ByAbsl>},
      {"absl CondVar, joined", Joined<ByAbsl>},
      {"absl Mutex::Await", Separate<ByAbslAwait>},
      {"absl Mutex::Await, joined", Joined<ByAbslAwait>},
      {"absl Notification", Separate<ByNotification>},
  };
}

}  // namespace bench
}  // namespace quire
