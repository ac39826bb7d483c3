// Many volumes behind one door: what quire-router serves, and what a client with a volume map uses
// in its own process. The one routing code of Quire.
#ifndef QUIRE_CLIENT_FILESYSTEM_ROUTER_SERVICE_H_
#define QUIRE_CLIENT_FILESYSTEM_ROUTER_SERVICE_H_

#include <map>
#include <memory>
#include <string>

#include "client/filesystem/routing_options.h"
#include "quire/service.h"

namespace quire {

// `volumes`: "$DATA01" -> service of that volume, no null pointers; a service whose server is down
// answers 66 and does not hinder the others. Record calls never block the caller; calls over
// several volumes (Create, Purge, Info, List, …) run on a few threads of the service's own.
// Sessions, scans and loads may outlive the service; destroying it waits for the calls under way on
// its threads and must not happen on one of them.
std::shared_ptr<Service> MakeRouterService(std::map<std::string, std::shared_ptr<Service>> volumes,
                                           RoutingOptions options = {});

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_ROUTER_SERVICE_H_
