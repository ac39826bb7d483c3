// The serving end of RecordService.Session: one open of the Service behind it.
//
//   messages read  ->  Session::Submit, Session::Cancel   one at a time, in order
//   OnResults      ->  queue  ->  one write at a time
//
// Memory is bounded by the open's credits: a batch beyond them ends the session with 31, so a
// client that does not read its results makes at most that many of them pile up. Reading goes on
// meanwhile, because a Cancel must get through when all credits are used up.
//
// How a session ends decides what becomes of its open:
//   Close, the client's side closed, a message out of order   Session::Close: the open ends
//   the stream breaks or is cancelled                         destroyed: it lives on for its lease
//   the server stops                                          Session::Detach: the same, after
//                                                             what was submitted; the client gets
//                                                             66
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
