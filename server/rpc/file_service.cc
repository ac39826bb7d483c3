#include "server/rpc/file_service.h"

#include <string>
#include <utility>
#include <vector>

#include "client/transport/convert_check.h"
#include "client/transport/convert_common.h"
#include "client/transport/convert_file.h"
#include "client/transport/convert_listing.h"
#include "server/rpc/checked_request.h"
#include "server/rpc/unary_reply.h"

namespace quire {
namespace {

// Converts an OK value into the response.
constexpr auto kToProto = [](const auto& value, auto* out) { ToProto(value, out); };

// Calls `call` with the converted request, or answers why there is none. What still
// throws here could not be answered: it ends the program (gRPC would swallow it).
template <typename Request, typename Reply, typename Call>
grpc::ServerUnaryReactor* WithRequest(absl::StatusOr<Request> request, Reply reply,
                                      Call call) noexcept {
  if (request.ok()) {
    call(*std::move(request), reply);
  } else {
    reply->Answer(request.status());
  }
  return reply->Reactor();
}

}  // namespace

grpc::ServerUnaryReactor* FileServiceHandlers::Create(grpc::CallbackServerContext* context,
                                                      const v1::CreateRequest* request,
                                                      v1::CreateResponse* response) {
  return WithRequest(
      CheckedRequest(*request), UnaryReply<v1::CreateResponse>::Make(context, response),
      [&](CreateRequest converted, auto reply) {
        service_->Create(std::move(converted), [reply](absl::StatusOr<FileInfo> info) {
          reply->Answer(std::move(info), [](const FileInfo& value, v1::CreateResponse* out) {
            ToProto(value, out->mutable_info());
          });
        });
      });
}

grpc::ServerUnaryReactor* FileServiceHandlers::Info(grpc::CallbackServerContext* context,
                                                    const v1::InfoRequest* request,
                                                    v1::InfoResponse* response) {
  return WithRequest(
      Converted(request->file()), UnaryReply<v1::InfoResponse>::Make(context, response),
      [&](FileReference converted, auto reply) {
        service_->Info(std::move(converted), [reply](absl::StatusOr<FileDescription> description) {
          reply->Answer(std::move(description), kToProto);
        });
      });
}

grpc::ServerUnaryReactor* FileServiceHandlers::Alter(grpc::CallbackServerContext* context,
                                                     const v1::AlterRequest* request,
                                                     v1::AlterResponse* response) {
  return WithRequest(
      CheckedRequest(*request), UnaryReply<v1::AlterResponse>::Make(context, response),
      [&](AlterRequest converted, auto reply) {
        service_->Alter(std::move(converted),
                        [reply](const absl::Status& status) { reply->Answer(status); });
      });
}

grpc::ServerUnaryReactor* FileServiceHandlers::Purge(grpc::CallbackServerContext* context,
                                                     const v1::PurgeRequest* request,
                                                     v1::PurgeResponse* response) {
  return WithRequest(
      CheckedRequest(*request), UnaryReply<v1::PurgeResponse>::Make(context, response),
      [&](PurgeRequest converted, auto reply) {
        service_->Purge(std::move(converted),
                        [reply](const absl::Status& status) { reply->Answer(status); });
      });
}

grpc::ServerUnaryReactor* FileServiceHandlers::List(grpc::CallbackServerContext* context,
                                                    const v1::ListRequest* request,
                                                    v1::ListResponse* response) {
  return WithRequest(CheckedRequest(*request),
                     UnaryReply<v1::ListResponse>::Make(context, response),
                     [&](ListRequest converted, auto reply) {
                       service_->List(std::move(converted), [reply](absl::StatusOr<ListPage> page) {
                         reply->Answer(std::move(page), kToProto);
                       });
                     });
}

grpc::ServerUnaryReactor* FileServiceHandlers::ListOpens(grpc::CallbackServerContext* context,
                                                         const v1::ListOpensRequest* request,
                                                         v1::ListOpensResponse* response) {
  return WithRequest(
      CheckedRequest(*request), UnaryReply<v1::ListOpensResponse>::Make(context, response),
      [&](ListOpensRequest converted, auto reply) {
        service_->ListOpens(std::move(converted), [reply](absl::StatusOr<ListOpensPage> page) {
          reply->Answer(std::move(page), kToProto);
        });
      });
}

grpc::ServerUnaryReactor* FileServiceHandlers::ListLocks(grpc::CallbackServerContext* context,
                                                         const v1::ListLocksRequest* request,
                                                         v1::ListLocksResponse* response) {
  return WithRequest(
      CheckedRequest(*request), UnaryReply<v1::ListLocksResponse>::Make(context, response),
      [&](ListLocksRequest converted, auto reply) {
        service_->ListLocks(std::move(converted), [reply](absl::StatusOr<ListLocksPage> page) {
          reply->Answer(std::move(page), kToProto);
        });
      });
}

grpc::ServerUnaryReactor* FileServiceHandlers::Volumes(grpc::CallbackServerContext* context,
                                                       const v1::VolumesRequest* /*request*/,
                                                       v1::VolumesResponse* response) {
  auto reply = UnaryReply<v1::VolumesResponse>::Make(context, response);
  service_->Volumes([reply](absl::StatusOr<std::vector<std::string>> volumes) {
    // The converter is named outright: standard types do not lead the compiler to it.
    reply->Answer(std::move(volumes), [](const std::vector<std::string>& names,
                                         v1::VolumesResponse* out) { ToProto(names, out); });
  });
  return reply->Reactor();
}

grpc::ServerUnaryReactor* FileServiceHandlers::Refresh(grpc::CallbackServerContext* context,
                                                       const v1::RefreshRequest* request,
                                                       v1::RefreshResponse* response) {
  auto reply = UnaryReply<v1::RefreshResponse>::Make(context, response);
  service_->Refresh(request->volume(), [reply](absl::StatusOr<RefreshAnswer> answer) {
    reply->Answer(std::move(answer), kToProto);
  });
  return reply->Reactor();
}

grpc::ServerUnaryReactor* FileServiceHandlers::Check(grpc::CallbackServerContext* context,
                                                     const v1::CheckRequest* request,
                                                     v1::CheckResponse* response) {
  return WithRequest(
      Converted(request->file()), UnaryReply<v1::CheckResponse>::Make(context, response),
      [&](FileReference converted, auto reply) {
        service_->Check(
            std::move(converted), [reply](absl::StatusOr<std::vector<PartitionCheck>> checks) {
              reply->Answer(std::move(checks), [](const std::vector<PartitionCheck>& value,
                                                  v1::CheckResponse* out) { ToProto(value, out); });
            });
      });
}

grpc::ServerUnaryReactor* FileServiceHandlers::Backup(grpc::CallbackServerContext* context,
                                                      const v1::BackupRequest* request,
                                                      v1::BackupResponse* response) {
  auto reply = UnaryReply<v1::BackupResponse>::Make(context, response);
  service_->Backup(FromProto(*request), [reply](absl::StatusOr<BackupAnswer> answer) {
    reply->Answer(std::move(answer), kToProto);
  });
  return reply->Reactor();
}

}  // namespace quire
