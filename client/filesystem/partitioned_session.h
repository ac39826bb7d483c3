// An open of a file with all its partitions, as one Session.
#ifndef QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SESSION_H_
#define QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SESSION_H_

#include <memory>

#include "client/filesystem/routing.h"
#include "quire/service.h"

namespace quire {

// Opens the primary, reads its label from the answer, and opens all secondaries at once under the
// same open id. A secondary that cannot be opened leaves the open standing with warning 3; its
// operations get 72. Each partition is a resuming session (resuming_session.h): a volume that is
// lost and comes back within the retry time is not noticed; which numbers come otherwise is said
// there. The other partitions go on (R-S3).
//
// With OpenRequest::resume an open goes on that another router had begun (R-S1): every partition
// that was open must be resumed, else the resume fails with what that partition says.
//
// Results come in request order over all partitions (R-S5; BatchPlan says what overlaps). The
// position of a file of several partitions is kept here, and travels with the operations that use
// it; whole-file operations visit the partitions in order. A LOCKFILE or SETMODE that fails at one
// is taken back at those before it. Batches submitted before OnOpened wait. Detach leaves the open
// for its lease, and what has no result to whoever resumes it. `events` are called one at a time on
// threads of the volumes' services, or inside calls of the session.
std::unique_ptr<Session> OpenPartitioned(std::shared_ptr<Routing> routing, OpenRequest request,
                                         std::shared_ptr<SessionEvents> events);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SESSION_H_
