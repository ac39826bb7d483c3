// gRPC MeasureService over any Service. Start, Stop and Report are not overridden: the generated
// base answers UNIMPLEMENTED.
#ifndef QUIRE_SERVER_RPC_MEASURE_SERVICE_H_
#define QUIRE_SERVER_RPC_MEASURE_SERVICE_H_

#include <memory>

#include "quire/service.h"
#include "quire/v1/measure.grpc.pb.h"

namespace quire {

// gRPC's base class has a member type Service too, so ours is named in full.
class MeasureServiceHandlers final : public v1::MeasureService::CallbackService {
 public:
  explicit MeasureServiceHandlers(std::shared_ptr<quire::Service> service)
      : service_(std::move(service)) {}

  grpc::ServerUnaryReactor* Snapshot(grpc::CallbackServerContext* context,
                                     const v1::SnapshotRequest* request,
                                     v1::SnapshotResponse* response) override;

 private:
  const std::shared_ptr<quire::Service> service_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_MEASURE_SERVICE_H_
