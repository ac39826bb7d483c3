// A single record call (Service::Execute) over the partitions of a file.
#ifndef QUIRE_CLIENT_FILESYSTEM_UNARY_CALL_H_
#define QUIRE_CLIENT_FILESYSTEM_UNARY_CALL_H_

#include <memory>

#include "client/filesystem/routing.h"
#include "quire/service.h"

namespace quire {

// Sends the operation to the partition of its key; generic and approximate reads go on in the next
// partition on error 1. A label that turns out stale is fetched again once and the operation sent
// once more, which is safe because a volume answers 60 before it executes anything.
//
// A volume that cannot be reached is tried again until the retry time is over, where repeating is
// safe: when nothing was done, for reads, and for changes that carry a client id and a sequence,
// which are then done once (R-S2). Other changes end with 201. An operation that failed is an OK
// answer whose one result has its error, as from a volume. Does not block.
void ExecuteRouted(std::shared_ptr<Routing> routing, UnaryRequest request, Done<BatchResult> done);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_UNARY_CALL_H_
