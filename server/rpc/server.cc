#include "server/rpc/server.h"

#include <mutex>
#include <utility>

#include "absl/time/clock.h"
#include "client/transport/channel.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/health_check_service_interface.h"
#include "quire/limits.h"
#include "server/rpc/errors.h"
#include "server/rpc/file_service.h"
#include "server/rpc/measure_service.h"
#include "server/rpc/record_service.h"

namespace quire {
namespace {

// gRPC keeps both as process-wide switches that builders read.
void EnableStandardServices() {
  static std::once_flag once;
  std::call_once(once, [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  });
}

class GrpcServer final : public RpcServer {
 public:
  explicit GrpcServer(const std::shared_ptr<Service>& service)
      : streams_(std::make_shared<StreamRegistry>()),
        records_(service, streams_),
        files_(service),
        measures_(service) {}
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;
  ~GrpcServer() override { GrpcServer::Stop(absl::ZeroDuration()); }

  absl::Status Listen(const Options& options) {
    EnableStandardServices();
    grpc::ServerBuilder builder;
    ConfigureServer(builder);
    builder.AddListeningPort(options.address, grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&records_);
    builder.RegisterService(&files_);
    builder.RegisterService(&measures_);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port_ == 0) return rpc_errors::CannotListen(options.address);
    SetServing(true);
    return absl::OkStatus();
  }

  int port() const override { return port_; }

  void SetServing(bool serving) override {
    grpc::HealthCheckServiceInterface* health = server_->GetHealthCheckService();
    for (const char* name :
         {"", v1::RecordService::service_full_name(), v1::FileService::service_full_name(),
          v1::MeasureService::service_full_name()}) {
      health->SetServingStatus(name, serving);
    }
  }

  void Stop(absl::Duration deadline) override {
    if (server_ == nullptr || std::exchange(stopped_, true)) return;
    // From here on the health service says NOT_SERVING whatever SetServing says.
    server_->GetHealthCheckService()->Shutdown();
    streams_->DrainAll();
    server_->Shutdown(absl::ToChronoTime(absl::Now() + deadline));
    server_->Wait();
  }

 private:
  const std::shared_ptr<StreamRegistry> streams_;
  RecordServiceHandlers records_;
  FileServiceHandlers files_;
  MeasureServiceHandlers measures_;
  int port_ = 0;
  bool stopped_ = false;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::Start(std::shared_ptr<Service> service,
                                                            const Options& options) {
  auto server = std::make_unique<GrpcServer>(service);
  if (absl::Status status = server->Listen(options); !status.ok()) return status;
  return server;
}

}  // namespace quire
