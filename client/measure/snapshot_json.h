// Snapshots as JSON values, in the layout of snapshot_file.h.
#ifndef QUIRE_CLIENT_MEASURE_SNAPSHOT_JSON_H_
#define QUIRE_CLIENT_MEASURE_SNAPSHOT_JSON_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "nlohmann/json_fwd.hpp"
#include "quire/measure.h"

namespace quire {
namespace measure {

nlohmann::ordered_json SnapshotToJson(const MeasureSnapshot& snapshot);

// Checks every member it uses: the value may come from any file. Errors: 22, saying which member
// is wrong; `path` names the file in them.
absl::StatusOr<MeasureSnapshot> SnapshotFromJson(const nlohmann::ordered_json& json,
                                                 std::string_view path);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_SNAPSHOT_JSON_H_
