#include "client/measure/window.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "client/measure/errors.h"

namespace quire {
namespace measure {
namespace {

// Values at one moment of which a report shows both ends; the volume sends the one at the moment.
struct BothEnds {
  Entity entity;
  std::string_view ending;
  std::string_view starting;
};
constexpr BothEnds kBothEnds[] = {
    {Entity::kDiskfile, "ENDING-EOF", "STARTING-EOF"},
    {Entity::kDisc, "ENDING-FREE-SPACE", "STARTING-FREE-SPACE"},
};

MeasureSnapshot VolumesOf(const MeasureSnapshot& snapshot, const EntitySpec& spec) {
  MeasureSnapshot matching;
  for (const VolumeSnapshot& volume : snapshot.volumes) {
    if (spec.MatchesVolume(volume.volume)) matching.volumes.push_back(volume);
  }
  return matching;
}

const VolumeSnapshot* FindVolume(const MeasureSnapshot& snapshot, std::string_view name) {
  for (const VolumeSnapshot& volume : snapshot.volumes) {
    if (volume.volume == name) return &volume;
  }
  return nullptr;
}

absl::Status CheckOrder(const MeasureSnapshot& start, const MeasureSnapshot& end) {
  for (const VolumeSnapshot& first : start.volumes) {
    const VolumeSnapshot* last = FindVolume(end, first.volume);
    if (last == nullptr) return measure_errors::VolumeNotInLastSnapshot(first.volume);
    if (first.epoch == last->epoch && first.time_us > last->time_us) {
      return measure_errors::SnapshotsSwapped(first.volume);
    }
  }
  return absl::OkStatus();
}

// A record that was not there at the start began empty.
void AddStartingValue(const VolumeSnapshot& start, EntityRecord* record) {
  for (const BothEnds& both : kBothEnds) {
    if (both.entity != record->entity) continue;
    const auto before =
        std::find_if(start.records.begin(), start.records.end(), [&](const EntityRecord& other) {
          return other.entity == record->entity && other.file == record->file;
        });
    const auto ending =
        std::find_if(record->counters.begin(), record->counters.end(),
                     [&](const CounterValue& counter) { return counter.name == both.ending; });
    if (ending == record->counters.end()) continue;
    CounterValue starting = *ending;
    starting.name = std::string(both.starting);
    starting.value = before == start.records.end() ? 0 : before->Value(both.ending);
    record->counters.insert(ending, std::move(starting));
  }
}

WindowRecord InWindow(EntityRecord record, const VolumeSnapshot* start, int64_t end_us) {
  WindowRecord windowed;
  windowed.from_us = std::max(start == nullptr ? 0 : start->time_us, record.opened_us);
  windowed.to_us = record.closed_us == 0 ? end_us : std::min(record.closed_us, end_us);
  if (start != nullptr) AddStartingValue(*start, &record);
  windowed.record = std::move(record);
  return windowed;
}

}  // namespace

absl::StatusOr<std::vector<WindowRecord>> RecordsOfWindow(
    const std::optional<MeasureSnapshot>& start, const MeasureSnapshot& end,
    const EntitySpec& spec) {
  MeasureSnapshot window = VolumesOf(end, spec);
  MeasureSnapshot first;
  if (start) {
    first = VolumesOf(*start, spec);
    if (absl::Status s = CheckOrder(first, window); !s.ok()) return s;
    absl::StatusOr<MeasureSnapshot> difference = Difference(first, window);
    if (!difference.ok()) return difference.status();
    window = *std::move(difference);
  }
  std::vector<WindowRecord> records;
  for (VolumeSnapshot& volume : window.volumes) {
    const VolumeSnapshot* before = FindVolume(first, volume.volume);
    for (EntityRecord& record : volume.records) {
      if (record.volume.empty()) record.volume = volume.volume;
      if (!spec.Matches(record)) continue;
      records.push_back(InWindow(std::move(record), before, volume.time_us));
    }
  }
  return records;
}

}  // namespace measure
}  // namespace quire
