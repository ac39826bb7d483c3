#include "client/bench/peers/zipfian.h"

#include <algorithm>
#include <cmath>

namespace quire {
namespace bench {
namespace {

constexpr double kTheta = 0.99;
constexpr double kAlpha = 1 / (1 - kTheta);
constexpr uint64_t kFnvOffset = 0xCBF29CE484222325u;  // FNV-1a, 64 bits
constexpr uint64_t kFnvPrime = 0x100000001B3u;

double Zeta2() {
  return 1 + std::pow(0.5, kTheta);
}

uint64_t FnvHash(uint64_t value) {
  uint64_t hash = kFnvOffset;
  for (int i = 0; i < 8; ++i) {
    hash = (hash ^ (value & 0xFF)) * kFnvPrime;
    value >>= 8;
  }
  return hash;
}

}  // namespace

Zipfian::Zipfian(uint64_t items) {
  Grow(items);
}

void Zipfian::Grow(uint64_t items) {
  for (; items_ < items; ++items_) zeta_ += std::pow(1.0 / static_cast<double>(items_ + 1), kTheta);
  eta_ = (1 - std::pow(2.0 / static_cast<double>(items_), 1 - kTheta)) / (1 - Zeta2() / zeta_);
}

uint64_t Zipfian::Next(SplitMix64* random) const {
  const double uniform = static_cast<double>(random->Next() >> 11) * 0x1.0p-53;
  const double scaled = uniform * zeta_;
  if (scaled < 1) return 0;
  if (scaled < Zeta2()) return 1;
  const double item = static_cast<double>(items_) * std::pow(eta_ * uniform - eta_ + 1, kAlpha);
  return std::min(items_ - 1, static_cast<uint64_t>(item));
}

uint64_t Zipfian::NextScrambled(SplitMix64* random) const {
  return FnvHash(Next(random)) % items_;
}

}  // namespace bench
}  // namespace quire
