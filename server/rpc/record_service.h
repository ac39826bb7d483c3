// gRPC RecordService over any Service.
#ifndef QUIRE_SERVER_RPC_RECORD_SERVICE_H_
#define QUIRE_SERVER_RPC_RECORD_SERVICE_H_

#include <memory>

#include "quire/service.h"
#include "quire/v1/record.grpc.pb.h"
#include "server/rpc/stream_registry.h"

namespace quire {

// gRPC's base class has a member type Service too, so ours is named in full.
// Scan sends bytes of its own making (scan_message.h).
class RecordServiceHandlers final
    : public v1::RecordService::WithRawCallbackMethod_Scan<v1::RecordService::CallbackService> {
 public:
  RecordServiceHandlers(std::shared_ptr<quire::Service> service,
                        std::shared_ptr<StreamRegistry> streams)
      : service_(std::move(service)), streams_(std::move(streams)) {}

  grpc::ServerUnaryReactor* Write(grpc::CallbackServerContext* context,
                                  const v1::WriteRequest* request,
                                  v1::WriteResponse* response) override;
  grpc::ServerUnaryReactor* Update(grpc::CallbackServerContext* context,
                                   const v1::UpdateRequest* request,
                                   v1::UpdateResponse* response) override;
  grpc::ServerUnaryReactor* Delete(grpc::CallbackServerContext* context,
                                   const v1::DeleteRequest* request,
                                   v1::DeleteResponse* response) override;
  grpc::ServerUnaryReactor* Read(grpc::CallbackServerContext* context,
                                 const v1::ReadRequest* request,
                                 v1::ReadResponse* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Scan(grpc::CallbackServerContext* context,
                                                   const grpc::ByteBuffer* request) override;
  grpc::ServerBidiReactor<v1::LoadRequest, v1::LoadResponse>* Load(
      grpc::CallbackServerContext* context) override;
  grpc::ServerBidiReactor<v1::SessionRequest, v1::SessionResponse>* Session(
      grpc::CallbackServerContext* context) override;

 private:
  const std::shared_ptr<quire::Service> service_;
  const std::shared_ptr<StreamRegistry> streams_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_RECORD_SERVICE_H_
