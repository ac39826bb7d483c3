// LISTOPENS and LISTLOCKS of one partition. Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_LIST_OPENS_H_
#define QUIRE_SERVER_VOLUME_LIST_OPENS_H_

#include "absl/status/statusor.h"
#include "quire/service.h"
#include "server/volume/volume_state.h"

namespace quire {

// 11, 14, 72; 22 for a page token that was not given here.
absl::StatusOr<ListOpensPage> ListOpens(const VolumeState& state, const ListOpensRequest& request);
// A page never ends between the holder of a record and those that wait for it; it may be longer
// than asked for then.
absl::StatusOr<ListLocksPage> ListLocks(VolumeState& state, const ListLocksRequest& request);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_LIST_OPENS_H_
