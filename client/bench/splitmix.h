// SplitMix64 (Steele, Lea, Flood 2014): the generator behind made-up input. The same seed gives
// the same numbers on every machine, which the standard library's distributions do not promise.
#ifndef QUIRE_CLIENT_BENCH_SPLITMIX_H_
#define QUIRE_CLIENT_BENCH_SPLITMIX_H_

#include <cstdint>

namespace quire {
namespace bench {

class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
  }

  // 0 … limit - 1; limit > 0. The bias of the remainder is below 2^-40 for limits below 2^24.
  uint64_t Below(uint64_t limit) { return Next() % limit; }
  // lowest … highest.
  uint64_t Between(uint64_t lowest, uint64_t highest) {
    return lowest + Below(highest - lowest + 1);
  }

 private:
  uint64_t state_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SPLITMIX_H_
