// What a router, or a client that routes by itself, can be told.
#ifndef QUIRE_CLIENT_FILESYSTEM_ROUTING_OPTIONS_H_
#define QUIRE_CLIENT_FILESYSTEM_ROUTING_OPTIONS_H_

#include <memory>

#include "absl/time/time.h"
#include "client/filesystem/timer.h"

namespace quire {

struct RoutingOptions {
  // How long a volume that does not answer is tried before operations get 66 (nothing was done) or
  // 201 (outcome unknown); never beyond the lease of an open.
  absl::Duration retry_time = absl::Seconds(5);
  std::shared_ptr<Timer> timer = nullptr;  // null: one of its own
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_ROUTING_OPTIONS_H_
