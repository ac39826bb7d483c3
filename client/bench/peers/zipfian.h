// YCSB's choice of what is asked for: a few items are asked for often (Gray and others, "Quickly
// Generating Billion-Record Synthetic Databases", SIGMOD 1994; constant 0.99 as in YCSB).
#ifndef QUIRE_CLIENT_BENCH_PEERS_ZIPFIAN_H_
#define QUIRE_CLIENT_BENCH_PEERS_ZIPFIAN_H_

#include <cstdint>

#include "client/bench/splitmix.h"

namespace quire {
namespace bench {

class Zipfian {
 public:
  // items > 1.
  explicit Zipfian(uint64_t items);
  // More items than before: what is added costs its number.
  void Grow(uint64_t items);
  uint64_t items() const { return items_; }
  // 0 … items - 1; the lowest the most often.
  uint64_t Next(SplitMix64* random) const;
  // The same with the popular ones spread over all: YCSB's scrambled order.
  uint64_t NextScrambled(SplitMix64* random) const;

 private:
  uint64_t items_ = 0;
  double zeta_ = 0;
  double eta_ = 0;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_ZIPFIAN_H_
