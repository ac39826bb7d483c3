#include "server/volume/recovery_estimate.h"

namespace quire {
namespace {

// Of `quire_bench_micro --benchmark_filter=Recovery` on two cores shared with other work (AMD EPYC,
// local disc, November 2026), the placing of the blocks in the store included: images of 4 KiB at
// 185 MB/s; redo records at 11 us each where neighbours share blocks, at 300 us where each meets
// another block of a cold store. A real trail lies in between.
constexpr uint64_t kImageBytesPerMicro = 150;
constexpr uint64_t kRedoMicros = 100;

}  // namespace

void RecoveryEstimate::Add(const RecoveryEstimate& other) {
  image_bytes_ += other.image_bytes_;
  redo_records_ += other.redo_records_;
}

int64_t RecoveryEstimate::micros() const {
  return static_cast<int64_t>(image_bytes_ / kImageBytesPerMicro + redo_records_ * kRedoMicros);
}

}  // namespace quire
