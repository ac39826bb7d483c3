// A Service behind gRPC: RecordService, FileService, MeasureService, health and reflection.
#ifndef QUIRE_SERVER_RPC_SERVER_H_
#define QUIRE_SERVER_RPC_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "quire/service.h"

namespace quire {

// Start and Stop are for one thread; SetServing is for any.
class RpcServer {
 public:
  struct Options {
    std::string address = "127.0.0.1:0";  // port 0: one that is free
  };

  // Listens and serves. 66 when the address cannot be had.
  static absl::StatusOr<std::unique_ptr<RpcServer>> Start(std::shared_ptr<Service> service,
                                                          const Options& options);

  // As Stop with no time to finish.
  virtual ~RpcServer() = default;

  virtual int port() const = 0;

  // Health of "" and of every service: SERVING (from the start) or NOT_SERVING.
  virtual void SetServing(bool serving) = 0;

  // Drain: health says NOT_SERVING, no new calls are taken, sessions and loads answer what they
  // have read and end with 66 (retry REOPEN), other calls finish. What is left at the deadline is
  // cancelled. Returns when no call is left; a second Stop does nothing.
  virtual void Stop(absl::Duration deadline) = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_SERVER_H_
