// Records of the audit trail as text for people.
#ifndef QUIRE_SERVER_MAIN_INSPECT_RECORD_H_
#define QUIRE_SERVER_MAIN_INSPECT_RECORD_H_

#include <string>

#include "absl/status/statusor.h"
#include "server/trail/trail_batch.h"

namespace quire {

// One line, whatever kind it is, decoded as recovery would. 59 when the payload does not decode:
// recovery would refuse it too.
absl::StatusOr<std::string> RecordText(const TrailRecord& record);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_RECORD_H_
