// The serving end of RecordService.Session: one open of the Service behind it.
//
//   messages read  ->  Session::Submit   one batch at a time, in order
//   OnResults      ->  queue  ->  one write at a time
//
// Memory is bounded by the open's credits: while that many batches are submitted and their results
// not yet written, nothing is read, so a client that does not read its results stops itself. A
// client that vanishes ends the open at once; closing its side of the stream is a Close.
#ifndef QUIRE_SERVER_RPC_SESSION_REACTOR_H_
#define QUIRE_SERVER_RPC_SESSION_REACTOR_H_

#include <memory>

#include "quire/service.h"
#include "quire/v1/record.grpc.pb.h"
#include "server/rpc/stream_registry.h"

namespace quire {

grpc::ServerBidiReactor<v1::SessionRequest, v1::SessionResponse>* StartSession(
    std::shared_ptr<Service> service, std::shared_ptr<StreamRegistry> streams,
    grpc::CallbackServerContext* context);

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_SESSION_REACTOR_H_
