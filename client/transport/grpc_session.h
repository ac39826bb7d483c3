// The client's end of RecordService.Session.
//
// One write is under way at a time; batches and cancels queue behind it in order (the open's
// credits bound their number). The stream's own object lives until gRPC is done with it, whatever
// its user does.
//
// Destroying the session without Close cancels the stream, and so does Detach once everything
// submitted has its results: to the server the stream is broken, and the open lives on for its
// lease. (Closing this side of the stream alone would be a Close.) What waits for a lock goes on
// waiting until it is destroyed.
#ifndef QUIRE_CLIENT_TRANSPORT_GRPC_SESSION_H_
#define QUIRE_CLIENT_TRANSPORT_GRPC_SESSION_H_

#include <memory>
#include <string>

#include "quire/service.h"
#include "quire/v1/record.grpc.pb.h"

namespace quire {

// `context` must be fresh. Batches may be submitted at once; they are sent when the open stands.
std::unique_ptr<Session> StartGrpcSession(std::shared_ptr<v1::RecordService::Stub> stub,
                                          std::unique_ptr<grpc::ClientContext> context,
                                          std::string target, const OpenRequest& request,
                                          std::shared_ptr<SessionEvents> events);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_GRPC_SESSION_H_
