#include "quire/measure.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

using RecordKey = std::tuple<Entity, std::string, uint64_t, int64_t>;

RecordKey KeyOf(const EntityRecord& record) {
  return {record.entity, record.file.ToString(), record.open_id, record.opened_us};
}

bool IsLevel(CounterKind kind) {
  return kind == CounterKind::kMax || kind == CounterKind::kSnapshot;
}

void Subtract(const EntityRecord& start, EntityRecord& end) {
  for (CounterValue& counter : end.counters) {
    if (!IsLevel(counter.kind)) counter.value -= start.Value(counter.name);
  }
}

absl::StatusOr<VolumeSnapshot> VolumeDifference(const VolumeSnapshot& start, VolumeSnapshot end) {
  if (start.epoch != end.epoch) {
    return MakeError(
        ErrorNumber::kBadParameter,
        StrCat("volume ", end.volume, " was restarted inside the window (epoch ", start.epoch,
               ", now ", end.epoch, "); counters began anew. Take a new first snapshot"));
  }
  std::map<RecordKey, const EntityRecord*> before;
  for (const EntityRecord& record : start.records) before.emplace(KeyOf(record), &record);
  std::erase_if(end.records, [&](const EntityRecord& record) {
    return record.closed_us != 0 && record.closed_us <= start.time_us;
  });
  for (EntityRecord& record : end.records) {
    if (auto found = before.find(KeyOf(record)); found != before.end()) {
      Subtract(*found->second, record);
    }
  }
  return end;
}

}  // namespace

int64_t EntityRecord::Value(std::string_view name) const {
  for (const CounterValue& counter : counters) {
    if (counter.name == name) return counter.value;
  }
  return 0;
}

absl::StatusOr<MeasureSnapshot> Difference(const MeasureSnapshot& start,
                                           const MeasureSnapshot& end) {
  MeasureSnapshot window;
  for (const VolumeSnapshot& volume : end.volumes) {
    const auto before =
        std::find_if(start.volumes.begin(), start.volumes.end(),
                     [&](const VolumeSnapshot& other) { return other.volume == volume.volume; });
    if (before == start.volumes.end()) {
      return MakeError(
          ErrorNumber::kBadParameter,
          StrCat("volume ", volume.volume, " is not in the first snapshot; take a new one"));
    }
    absl::StatusOr<VolumeSnapshot> difference = VolumeDifference(*before, volume);
    if (!difference.ok()) return difference.status();
    window.volumes.push_back(*std::move(difference));
  }
  return window;
}

EntityRecord Sum(const std::vector<EntityRecord>& records) {
  EntityRecord sum;
  if (!records.empty()) sum.entity = records.front().entity;
  for (const EntityRecord& record : records) {
    for (const CounterValue& counter : record.counters) {
      auto found = std::find_if(sum.counters.begin(), sum.counters.end(),
                                [&](const CounterValue& c) { return c.name == counter.name; });
      if (found == sum.counters.end()) {
        sum.counters.push_back(counter);
      } else if (counter.kind == CounterKind::kMax) {
        found->value = std::max(found->value, counter.value);
      } else {
        found->value += counter.value;
      }
    }
  }
  return sum;
}

}  // namespace quire
