// Ends a Routing on the thread of its owner. What is under way holds the routing too, and may be
// the last to let go of it, on a thread of a volume that the routing owns; a volume cannot be ended
// by one of its own threads.
#ifndef QUIRE_CLIENT_FILESYSTEM_ROUTING_OWNER_H_
#define QUIRE_CLIENT_FILESYSTEM_ROUTING_OWNER_H_

#include <map>
#include <memory>
#include <string>

#include "client/filesystem/routing.h"

namespace quire {

class RoutingOwner {
 public:
  RoutingOwner(std::map<std::string, std::shared_ptr<Service>> volumes, RoutingOptions options);
  RoutingOwner(const RoutingOwner&) = delete;
  RoutingOwner& operator=(const RoutingOwner&) = delete;
  // Ends the routing's workers and waits for callbacks under way. A session, scan or load that its
  // user still keeps is waited for a second; then the routing ends with the last of them.
  ~RoutingOwner();

  const std::shared_ptr<Routing>& get() const { return routing_; }

 private:
  struct Farewell;

  const std::shared_ptr<Farewell> farewell_;
  std::shared_ptr<Routing> routing_;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_ROUTING_OWNER_H_
