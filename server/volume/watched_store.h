// Around the volume's store: failures that come to light outside control points (a page of the
// store that cannot be read, a snapshot that cannot be renewed, room that cannot be asked for) are
// told to the volume, whichever request meets them (R-D8, R-D14).
#ifndef QUIRE_SERVER_VOLUME_WATCHED_STORE_H_
#define QUIRE_SERVER_VOLUME_WATCHED_STORE_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "server/store/block_store.h"

namespace quire {

// `failed` is called with every error of a reading call, RenewSnapshot or EnsureRoom that is
// neither 59 (one file's) nor 43 (passes), on the calling thread, before the call returns. Commit's
// errors are left to who asked for the control point. Readers opened beside the store are watched
// in the same way. It may be called several times.
std::unique_ptr<BlockStore> WatchStore(std::unique_ptr<BlockStore> store,
                                       std::function<void(const absl::Status&)> failed);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_WATCHED_STORE_H_
