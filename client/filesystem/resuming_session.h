// An open that outlives its streams (R-S1, R-S2): a Session over a Service whose connection may
// break, and whose server may be started again, without its user seeing it.
#ifndef QUIRE_CLIENT_FILESYSTEM_RESUMING_SESSION_H_
#define QUIRE_CLIENT_FILESYSTEM_RESUMING_SESSION_H_

#include <memory>

#include "absl/time/time.h"
#include "client/filesystem/timer.h"
#include "quire/service.h"

namespace quire {

struct ResumePolicy {
  // How long after a break the open is tried to be resumed before operations are answered without;
  // never beyond the open's lease.
  absl::Duration retry_time = absl::Seconds(10);
  std::shared_ptr<Timer> timer;  // not null
};

// Opens at `service`. A first open that fails is not tried again: OnOpened has its error.
//
// Afterwards, when the stream ends by itself because the connection was lost (201, 66), the open is
// resumed, at once and then with growing pauses, and the batches without results are sent again in
// order, as they were submitted:
// - Mutations that had been sent are repeated only where the server still has its saved answers
//   (Opened::answers_kept): after its restart for write-through and audited files. Else their batch
//   gets 201; a batch without mutations is repeated.
// - When the server has lost changes that were acknowledged, its next answer is 122, passed
//   on as it is.
// - With sync depth 0 whatever had been sent gets 201, and the open goes on with the rest.
// - When the retry time is over, what had been sent gets 201, or 66 when it has no mutation; what
//   had not been sent gets 66. The session stays: each later Submit tries once to resume, and gets
//   66 when that fails.
// - A resume that is refused (60, 16, 12 …) ends the session with that status. What had been sent
//   gets 201 when its batch has a mutation; everything else gets that status.
//
// The user sees OnOpened once, one OnResults per batch in order, OnClosed once, all by the rules of
// SessionEvents. An open that was to be closed and cannot be reached any more is closed with OK: it
// ends with its lease. Cancel also takes back what waits for the connection. Detach does not
// resume; what has no result by then is left without one. Batches are kept (one copy each) until
// their results are here, at most the open's credits.
std::unique_ptr<Session> OpenResuming(std::shared_ptr<Service> service, OpenRequest request,
                                      std::shared_ptr<SessionEvents> events, ResumePolicy policy);

// Whether `status` says that a connection broke or a server is down, so that trying again may help.
bool IsConnectionLost(const absl::Status& status);

// Pause before attempt number `attempt`, from 0: none, then 10 ms doubling up to 500 ms, of which a
// random part is left out so that clients do not come all at once.
int64_t RetryPauseMicros(uint32_t attempt);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_RESUMING_SESSION_H_
