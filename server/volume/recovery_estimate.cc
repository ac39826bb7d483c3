#include "server/volume/recovery_estimate.h"

namespace quire {
namespace {

// RATES
constexpr uint64_t kImageBytesPerMicro = 100;
constexpr uint64_t kRedoNanos = 8000;

}  // namespace

void RecoveryEstimate::Add(const RecoveryEstimate& other) {
  image_bytes_ += other.image_bytes_;
  redo_records_ += other.redo_records_;
}

int64_t RecoveryEstimate::micros() const {
  return static_cast<int64_t>(image_bytes_ / kImageBytesPerMicro +
                              redo_records_ * kRedoNanos / 1000);
}

}  // namespace quire
