#include "server/rpc/measure_service.h"

#include <utility>

#include "client/transport/convert_measure.h"
#include "server/rpc/unary_reply.h"

namespace quire {

grpc::ServerUnaryReactor* MeasureServiceHandlers::Snapshot(grpc::CallbackServerContext* context,
                                                           const v1::SnapshotRequest* request,
                                                           v1::SnapshotResponse* response) {
  auto reply = UnaryReply<v1::SnapshotResponse>::Make(context, response);
  service_->Snapshot(
      SnapshotRequest{request->volume()}, [reply](absl::StatusOr<MeasureSnapshot> snapshot) {
        reply->Answer(std::move(snapshot), [](const MeasureSnapshot& value,
                                              v1::SnapshotResponse* out) { ToProto(value, out); });
      });
  return reply->Reactor();
}

}  // namespace quire
