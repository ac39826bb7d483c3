#include "server/volume/control_point_pace.h"

#include <algorithm>

namespace quire {
namespace {

// Below it, what every control point costs whatever its size (two syncs, the blocks that change all
// the time) would outweigh what it places.
constexpr uint64_t kLeastBytes = uint64_t{16} << 20;
// Until a control point has told: what a disc of 500 MB/s takes in the default target.
constexpr uint64_t kFirstBytes = uint64_t{32} << 20;
// One that is smaller tells of its constant cost and not of the disc.
constexpr uint64_t kTellingBytes = uint64_t{2} << 20;
constexpr double kWeightOfLast = 0.25;

}  // namespace

ControlPointPace::ControlPointPace(uint32_t target_ms, uint64_t most_bytes)
    : target_us_(int64_t{target_ms} * 1000),
      most_bytes_(most_bytes),
      bytes_(target_ms == 0 ? most_bytes : std::min(most_bytes, kFirstBytes)) {}

void ControlPointPace::Note(uint64_t bytes, int64_t micros) {
  if (target_us_ == 0 || bytes < kTellingBytes || micros <= 0) return;
  const double rate = static_cast<double>(bytes) / static_cast<double>(micros);
  bytes_per_us_ =
      bytes_per_us_ == 0 ? rate : bytes_per_us_ + kWeightOfLast * (rate - bytes_per_us_);
  // Compared as numbers with a fraction: the rate may be anything.
  const double wanted = bytes_per_us_ * static_cast<double>(target_us_);
  bytes_ = wanted >= static_cast<double>(most_bytes_)
               ? most_bytes_
               : std::min(most_bytes_, std::max(kLeastBytes, static_cast<uint64_t>(wanted)));
}

}  // namespace quire
