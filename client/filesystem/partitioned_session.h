// An open of a file with all its partitions, as one Session.
#ifndef QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SESSION_H_
#define QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SESSION_H_

#include <memory>

#include "client/filesystem/routing.h"
#include "quire/service.h"

namespace quire {

// Opens the primary, reads its label from the answer, and opens all secondaries at once under the
// same open id. A secondary that cannot be opened leaves the open standing with warning 3; its
// operations get 72. A volume lost later: what it had not answered gets 201, later operations 66
// (or what the volume said in closing, e.g. 60); the other partitions go on (R-S3).
//
// Results come in request order over all partitions (R-S5; BatchPlan says what overlaps).
// Batches submitted before OnOpened wait. `events` are called one at a time on threads of the
// volumes' services, or inside calls of the session.
std::unique_ptr<Session> OpenPartitioned(std::shared_ptr<Routing> routing, OpenRequest request,
                                         std::shared_ptr<SessionEvents> events);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SESSION_H_
