// CHECK over the volumes of a file.
#ifndef QUIRE_CLIENT_FILESYSTEM_CHECK_FILE_H_
#define QUIRE_CLIENT_FILESYSTEM_CHECK_FILE_H_

#include <memory>
#include <vector>

#include "client/filesystem/routing.h"
#include "quire/service.h"

namespace quire {

// Every partition at once, each by its volume; entries in partition order, with the error of those
// that could not be checked (66: not reached). A secondary's own name means that partition, as in
// INFO. Does not block; `done` runs on any thread. 11, 14; 66 when the volume of the name given is
// not reached.
void CheckRouted(std::shared_ptr<Routing> routing, FileReference file,
                 Done<std::vector<PartitionCheck>> done);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_CHECK_FILE_H_
