// gRPC FileService over any Service.
#ifndef QUIRE_SERVER_RPC_FILE_SERVICE_H_
#define QUIRE_SERVER_RPC_FILE_SERVICE_H_

#include <memory>

#include "quire/service.h"
#include "quire/v1/file.grpc.pb.h"

namespace quire {

// gRPC's base class has a member type Service too, so ours is named in full.
class FileServiceHandlers final : public v1::FileService::CallbackService {
 public:
  explicit FileServiceHandlers(std::shared_ptr<quire::Service> service)
      : service_(std::move(service)) {}

  grpc::ServerUnaryReactor* Create(grpc::CallbackServerContext* context,
                                   const v1::CreateRequest* request,
                                   v1::CreateResponse* response) override;
  grpc::ServerUnaryReactor* Info(grpc::CallbackServerContext* context,
                                 const v1::InfoRequest* request,
                                 v1::InfoResponse* response) override;
  grpc::ServerUnaryReactor* Alter(grpc::CallbackServerContext* context,
                                  const v1::AlterRequest* request,
                                  v1::AlterResponse* response) override;
  grpc::ServerUnaryReactor* Purge(grpc::CallbackServerContext* context,
                                  const v1::PurgeRequest* request,
                                  v1::PurgeResponse* response) override;
  grpc::ServerUnaryReactor* List(grpc::CallbackServerContext* context,
                                 const v1::ListRequest* request,
                                 v1::ListResponse* response) override;
  grpc::ServerUnaryReactor* ListOpens(grpc::CallbackServerContext* context,
                                      const v1::ListOpensRequest* request,
                                      v1::ListOpensResponse* response) override;
  grpc::ServerUnaryReactor* ListLocks(grpc::CallbackServerContext* context,
                                      const v1::ListLocksRequest* request,
                                      v1::ListLocksResponse* response) override;
  grpc::ServerUnaryReactor* Volumes(grpc::CallbackServerContext* context,
                                    const v1::VolumesRequest* request,
                                    v1::VolumesResponse* response) override;
  grpc::ServerUnaryReactor* Refresh(grpc::CallbackServerContext* context,
                                    const v1::RefreshRequest* request,
                                    v1::RefreshResponse* response) override;
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const v1::CheckRequest* request,
                                  v1::CheckResponse* response) override;
  grpc::ServerUnaryReactor* Backup(grpc::CallbackServerContext* context,
                                   const v1::BackupRequest* request,
                                   v1::BackupResponse* response) override;

 private:
  const std::shared_ptr<quire::Service> service_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_FILE_SERVICE_H_
