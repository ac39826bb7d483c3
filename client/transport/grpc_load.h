// The client's end of RecordService.Load. Chunks queue in order, one write under way at a time;
// each Done is called with the answer to its own chunk.
#ifndef QUIRE_CLIENT_TRANSPORT_GRPC_LOAD_H_
#define QUIRE_CLIENT_TRANSPORT_GRPC_LOAD_H_

#include <memory>
#include <string>

#include "quire/service.h"
#include "quire/v1/record.grpc.pb.h"

namespace quire {

// `context` must be fresh.
std::unique_ptr<LoadStream> StartGrpcLoad(std::shared_ptr<v1::RecordService::Stub> stub,
                                          std::unique_ptr<grpc::ClientContext> context,
                                          std::string target, const LoadRequest& request);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_GRPC_LOAD_H_
