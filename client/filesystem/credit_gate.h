// How many batches of an open are under way, and the places where its user waits for fewer.
//
// One thread takes and waits; any thread gives back.
#ifndef QUIRE_CLIENT_FILESYSTEM_CREDIT_GATE_H_
#define QUIRE_CLIENT_FILESYSTEM_CREDIT_GATE_H_

#include <atomic>
#include <cstdint>

namespace quire {

class CreditGate {
 public:
  // Credits in all, at least 1. Before the first Take.
  void SetLimit(uint32_t limit) { limit_ = limit == 0 ? 1 : limit; }

  // Takes one credit. When all are taken it waits until half are free: waking the taker for each
  // single one would cost a switch of threads per batch.
  void Take();
  void Give();
  // Waits until every credit taken has been given back.
  void AwaitIdle() { AwaitAtMost(0); }

  uint32_t taken() const { return static_cast<uint32_t>(taken_.load()); }

 private:
  static constexpr int64_t kNobodyWaits = -1;

  void AwaitAtMost(int64_t most);

  uint32_t limit_ = 1;
  std::atomic<int64_t> taken_{0};
  // The waiter's wish: wake me when at most so many are taken.
  std::atomic<int64_t> threshold_{kNobodyWaits};
  std::atomic<uint32_t> bell_{0};
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_CREDIT_GATE_H_
