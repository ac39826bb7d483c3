#include "server/volume/control_point_pace.h"

#include <algorithm>

namespace quire {
namespace {

// Below it, what every control point costs whatever its size (two syncs, the blocks that change all
// the time) would outweigh what it places.
constexpr uint64_t kLeastBytes = uint64_t{16} << 20;
// Until a control point has told: bytes per microsecond of an ordinary disc.
constexpr double kFirstRate = 500;
// One that is smaller tells of its constant cost and not of the disc.
constexpr uint64_t kTellingBytes = uint64_t{2} << 20;
constexpr double kWeightOfLast = 0.25;

// The share of the room that changes may have used after `elapsed` times the expected duration.
// Something at once; most of it when the end is due; the rest more slowly, since a control point
// that is late may be late by any time and nobody should meet the limit.
double ShareAfter(double elapsed) {
  constexpr double kAtOnce = 0.06;
  constexpr double kWhenDue = 0.7;
  constexpr double kAllAfter = 3;
  if (elapsed <= 1) return kAtOnce + (kWhenDue - kAtOnce) * elapsed;
  return std::min(1.0, kWhenDue + (1 - kWhenDue) * (elapsed - 1) / (kAllAfter - 1));
}

uint64_t Left(uint64_t limit, uint64_t used) {
  return limit > used ? limit - used : 0;
}

}  // namespace

ControlPointPace::ControlPointPace(uint32_t target_ms, uint64_t limit_bytes)
    : target_us_(int64_t{target_ms} * 1000),
      limit_bytes_(limit_bytes),
      bytes_(SizeAt(kFirstRate)) {}

uint64_t ControlPointPace::SizeAt(double bytes_per_us) const {
  const uint64_t most = limit_bytes_ / 2;
  if (target_us_ == 0) return most;
  // Compared as numbers with a fraction: the rate may be anything.
  const double wanted = bytes_per_us * static_cast<double>(target_us_);
  if (wanted >= static_cast<double>(most)) return most;
  return std::min(most, std::max(kLeastBytes, static_cast<uint64_t>(wanted)));
}

void ControlPointPace::Note(uint64_t bytes, int64_t micros) {
  if (bytes < kTellingBytes || micros <= 0) return;
  const double rate = static_cast<double>(bytes) / static_cast<double>(micros);
  bytes_per_us_ =
      bytes_per_us_ == 0 ? rate : bytes_per_us_ + kWeightOfLast * (rate - bytes_per_us_);
  bytes_ = SizeAt(bytes_per_us_);
}

double ControlPointPace::ShareOfRoom(uint64_t flush_bytes, int64_t micros, bool bulk) const {
  constexpr double kOfSingleOnes = 0.15;  // what bulk changes leave to them

  const double rate = bytes_per_us_ == 0 ? kFirstRate : bytes_per_us_;
  const double expected_us = std::max(1.0, static_cast<double>(flush_bytes) / rate);
  const double elapsed = static_cast<double>(std::max<int64_t>(micros, 0)) / expected_us;
  return (1 - kOfSingleOnes) * ShareAfter(elapsed) + (bulk ? 0 : kOfSingleOnes);
}

bool ControlPointPace::Outrun(const Dirty& flush, const Dirty& dirty, const Dirty& limits,
                              int64_t micros, bool bulk) const {
  const double share = ShareOfRoom(flush.bytes, micros, bulk);
  const auto beyond = [share](uint64_t flushing, uint64_t now, uint64_t room) {
    return static_cast<double>(now) >=
           static_cast<double>(flushing) + share * static_cast<double>(room);
  };
  return beyond(flush.bytes, dirty.bytes, std::min(bytes_, Left(limits.bytes, flush.bytes))) ||
         beyond(flush.blocks, dirty.blocks, Left(limits.blocks, flush.blocks));
}

}  // namespace quire
