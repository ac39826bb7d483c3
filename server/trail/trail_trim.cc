#include "server/trail/trail_trim.h"

#include <algorithm>
#include <cerrno>

#include "server/base/huge_memory.h"
#include "server/trail/errors.h"

namespace quire {
namespace {

constexpr uint64_t kStepBytes = uint64_t{1} << 20;

absl::Status Erase(TrailDevice& device, const SegmentContent& segment, uint64_t offset) {
  const HugeMemory zeros(kStepBytes);
  if (zeros.data() == nullptr) return trail_error::DiscFailed("reading", "zeros", ENOMEM);
  for (; offset < segment.bytes; offset += kStepBytes) {
    const uint64_t bytes = std::min(kStepBytes, segment.bytes - offset);
    absl::Status status =
        device.WriteDurably(segment.number, offset, absl::MakeConstSpan(zeros.data(), bytes));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TrailEnd> TrimTrail(TrailDevice& device, uint64_t volume_id, Lsn from,
                                   const ReplayLimit& limit) {
  TrailEnd end;
  const absl::StatusOr<TrailContent> content = ReplayTrail(
      device, volume_id, from,
      [&](Lsn, absl::Span<const TrailRecord>) {
        ++end.batches;
        return absl::OkStatus();
      },
      limit);
  if (!content.ok()) return content.status();
  end.last_lsn = content->last_lsn;
  end.time_us = content->last_time_us;
  end.epoch = content->epoch;
  if (!content->stop) return end;
  end.trimmed = true;
  // From the end backwards: cut off at any point, what is left has no hole.
  for (auto segment = content->segments.rbegin(); segment != content->segments.rend(); ++segment) {
    absl::Status status;
    if (segment->number > content->stop->segment) status = device.Remove(segment->number);
    if (segment->number == content->stop->segment) {
      status = Erase(device, *segment, content->stop->offset);
    }
    if (!status.ok()) return status;
  }
  return end;
}

}  // namespace quire
