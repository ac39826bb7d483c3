// The serving end of RecordService.Load. A few chunks are under way at a time; answers are written
// in the order of the chunks. After a chunk that stopped, the stream ends with OK behind its
// answer, and what the client sent after it is not tried.
#ifndef QUIRE_SERVER_RPC_LOAD_REACTOR_H_
#define QUIRE_SERVER_RPC_LOAD_REACTOR_H_

#include <memory>

#include "quire/service.h"
#include "quire/v1/record.grpc.pb.h"
#include "server/rpc/stream_registry.h"

namespace quire {

// Chunks sent to the service and not answered to the client yet.
inline constexpr uint32_t kLoadChunksUnderWay = 16;

grpc::ServerBidiReactor<v1::LoadRequest, v1::LoadResponse>* StartLoad(
    std::shared_ptr<Service> service, std::shared_ptr<StreamRegistry> streams,
    grpc::CallbackServerContext* context);

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_LOAD_REACTOR_H_
