// Counter snapshots between proto messages and Quire's own types.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_MEASURE_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_MEASURE_H_

#include "absl/status/statusor.h"
#include "quire/measure.h"
#include "quire/v1/measure.pb.h"

namespace quire {

void ToProto(const MeasureSnapshot& snapshot, v1::SnapshotResponse* out);
// 22 for an entity or counter kind that this version does not know.
absl::StatusOr<MeasureSnapshot> FromProto(const v1::SnapshotResponse& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_MEASURE_H_
