// Snapshots as files: what SNAPSHOT writes and FROM FILE reads.
//
// One JSON object, text UTF-8, numbers plain:
//
//   {"format": "quire-snapshot", "version": 1,
//    "volumes": [
//      {"volume": "$DATA01",
//       "epoch": 3,                       raised at every start of the volume
//       "time_us": 1576568249000000,      microseconds since 1970
//       "records": [
//         {"entity": "DISCOPEN",          or DISKFILE, DISC, PROCESS
//          "file": "$DATA01.SUB.FILE",    DISCOPEN and DISKFILE only
//          "open_id": 41,                 DISCOPEN only; 0 elsewhere
//          "opener": "fup",               DISCOPEN and PROCESS; empty elsewhere
//          "opened_us": 1576568250000000, 0: does not apply
//          "closed_us": 0,                0: open, or does not apply
//          "counters": [
//            {"name": "REQUESTS",
//             "kind": "incrementing",     or accumulating, busy, max, snapshot
//             "unit": "#",                or bytes, us
//             "value": 135070}]}]}]}
//
// The version only climbs; members a version does not know are passed over.
#ifndef QUIRE_CLIENT_MEASURE_SNAPSHOT_FILE_H_
#define QUIRE_CLIENT_MEASURE_SNAPSHOT_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "quire/measure.h"

namespace quire {
namespace measure {

inline constexpr int64_t kSnapshotFileVersion = 1;
inline constexpr int64_t kLongestSnapshotBytes = int64_t{1} << 30;

// Puts the new file in the place of an old one in one step; a failure leaves the old one. The
// contents are synced. 43 with the system's reason.
absl::Status WriteSnapshotFile(const MeasureSnapshot& snapshot, const std::string& path);

// Errors: 11 when the file cannot be read, 22 with the reason when it is no snapshot.
absl::StatusOr<MeasureSnapshot> ReadSnapshotFile(const std::string& path);

// The two without the file; `path` names it in errors.
std::string SnapshotText(const MeasureSnapshot& snapshot);
absl::StatusOr<MeasureSnapshot> ParseSnapshotText(std::string_view text, std::string_view path);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_SNAPSHOT_FILE_H_
