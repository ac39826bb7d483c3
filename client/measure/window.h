// Records of a window: counters at its end less those at its start.
#ifndef QUIRE_CLIENT_MEASURE_WINDOW_H_
#define QUIRE_CLIENT_MEASURE_WINDOW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "client/measure/entity_spec.h"
#include "quire/measure.h"

namespace quire {
namespace measure {

// One record of a report and the time its counters were gathered in, microseconds since 1970.
struct WindowRecord {
  EntityRecord record;
  int64_t from_us = 0;  // 0: since the volume's start, whose time is not known here
  int64_t to_us = 0;
  bool is_total = false;
  size_t added_up = 1;  // of a total: how many records

  // 0 when the start is unknown.
  int64_t LengthMicros() const { return from_us == 0 || to_us < from_us ? 0 : to_us - from_us; }
};

// The records of `spec` between two snapshots; without `start`, since the volumes' start. An open
// has a window of its own: from its opening at the earliest to its closing at the latest. With a
// start, DISKFILE records get STARTING-EOF and DISC records STARTING-FREE-SPACE.
//
// Volumes the spec is not about are not looked at. Errors, 22: a volume was restarted in between
// (R-C4), is in one snapshot only, or its first snapshot is the later one.
absl::StatusOr<std::vector<WindowRecord>> RecordsOfWindow(
    const std::optional<MeasureSnapshot>& start, const MeasureSnapshot& end,
    const EntitySpec& spec);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_WINDOW_H_
