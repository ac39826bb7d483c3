// LISTLOCKS over the partitions of a file.
#ifndef QUIRE_CLIENT_FILESYSTEM_LIST_LOCKS_H_
#define QUIRE_CLIENT_FILESYSTEM_LIST_LOCKS_H_

#include <memory>

#include "client/filesystem/routing.h"
#include "quire/service.h"

namespace quire {

// A page is one partition's page, the partitions following in order; pages without a lock are left
// out unless it is the last. Page tokens are "partition:token of its volume". Errors: 11, 22 for a
// token that is not one, 66, 72. Does not block.
void ListLocksRouted(std::shared_ptr<Routing> routing, ListLocksRequest request,
                     Done<ListLocksPage> done);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_LIST_LOCKS_H_
