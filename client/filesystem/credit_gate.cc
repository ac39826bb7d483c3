#include "client/filesystem/credit_gate.h"

#include "client/filesystem/signal.h"

namespace quire {

void CreditGate::Take() {
  if (taken_.load() >= limit_) AwaitAtMost(limit_ / 2);
  taken_.fetch_add(1);
}

void CreditGate::Give() {
  // Sequentially consistent with AwaitAtMost: either the waiter sees the lower number, or this
  // thread sees the waiter's threshold.
  const int64_t left = taken_.fetch_sub(1) - 1;
  const int64_t threshold = threshold_.load();
  if (threshold != kNobodyWaits && left <= threshold) {
    bell_.fetch_add(1);
    bell_.notify_one();
  }
}

void CreditGate::AwaitAtMost(int64_t most) {
  for (int i = 0; i < kSpinRounds; ++i) {
    if (taken_.load() <= most) return;
    SpinPause();
  }
  while (true) {
    const uint32_t bell = bell_.load();
    threshold_.store(most);
    if (taken_.load() <= most) break;
    bell_.wait(bell);
  }
  threshold_.store(kNobodyWaits);
}

}  // namespace quire
