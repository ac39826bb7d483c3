// Counters as they are now, with a warning for every volume that is not in them.
#ifndef QUIRE_CLIENT_MEASURE_LIVE_SNAPSHOT_H_
#define QUIRE_CLIENT_MEASURE_LIVE_SNAPSHOT_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/measure/session.h"
#include "quire/measure.h"

namespace quire {
namespace measure {

// Of one volume (66 when it does not answer), or with an empty name of all that answer. `concerns`
// says which of the volumes that do not answer are worth the warning.
absl::StatusOr<MeasureSnapshot> TakeLiveSnapshot(
    MeasureSession& session, const std::string& volume,
    const std::function<bool(std::string_view volume)>& concerns);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_LIVE_SNAPSHOT_H_
