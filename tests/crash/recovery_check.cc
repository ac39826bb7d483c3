#include "tests/crash/recovery_check.h"

#include <memory>

#include "quire/error.h"
#include "quire/text.h"

namespace quire::test {
namespace {

constexpr uint32_t kNoInterval = 3600 * 1000;  // ms
constexpr uint32_t kRareInterval = 1000;       // ms; longer than most histories take

}  // namespace

VolumeOptions SmallVolume(uint64_t kind) {
  VolumeOptions options;
  options.name = "$DATA01";
  options.capacity_bytes = uint64_t{64} << 20;
  options.cache_bytes = 512 << 10;
  options.trail_segment_bytes = 64 << 10;
  options.dirty_limit_bytes = kind % 3 == 1 ? 48 << 10 : 128 << 10;
  options.trail_limit_bytes = kind % 3 == 2 ? 96 << 10 : 512 << 10;
  options.control_point_interval_ms = kind % 3 == 0 ? 5 : kRareInterval;
  return options;
}

std::string FindBrokenRecovery(const CrashSite& site, History& history, Moment crash,
                               bool repeats) {
  const uint64_t stored_sequence = site.dump().change_sequence;
  // Before any recovery: the store is whole as of its control point, the trail goes on from there.
  if (history.HoldsEveryMode(crash)) {
    if (std::string faults = site.inspect(); !faults.empty()) return "not recovered: " + faults;
  }
  VolumeOptions options = site.options;
  options.control_point_interval_ms = kNoInterval;  // none but recovery's own
  {
    absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(options);
    if (!volume.ok()) return "the first recovery: " + Describe(volume.status());
    if (std::string broken = history.FindBrokenPromise(**volume, crash, stored_sequence);
        !broken.empty()) {
      return broken;
    }
    (*volume)->Crash();
  }
  if (std::string faults = site.inspect(); !faults.empty()) return "recovered: " + faults;
  const StoreDump once = site.dump();
  {
    absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(options);
    if (!volume.ok()) return "the second recovery: " + Describe(volume.status());
    (*volume)->Crash();
  }
  if (std::string difference = FirstDifference(once, site.dump()); !difference.empty()) {
    return "the second recovery changed something: " + difference;
  }
  if (!repeats) return "";
  absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(options);
  if (!volume.ok()) return "the third recovery: " + Describe(volume.status());
  std::string broken = history.RepeatUnanswered(**volume, crash);
  (*volume)->Crash();
  return broken;
}

}  // namespace quire::test
