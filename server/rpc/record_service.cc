#include "server/rpc/record_service.h"

#include <chrono>
#include <utility>

#include "client/transport/convert_record.h"
#include "server/rpc/checked_request.h"
#include "server/rpc/errors.h"
#include "server/rpc/load_reactor.h"
#include "server/rpc/lock_timeout.h"
#include "server/rpc/scan_reactor.h"
#include "server/rpc/session_reactor.h"
#include "server/rpc/unary_reply.h"

namespace quire {
namespace {

// All four record calls: convert, execute, convert back. What still throws here could not be
// answered: it ends the program (gRPC would swallow it).
template <typename Request, typename Response>
grpc::ServerUnaryReactor* ExecuteOne(quire::Service& service, grpc::CallbackServerContext* context,
                                     const Request& request, Response* response) noexcept {
  auto reply = UnaryReply<Response>::Make(context, response);
  absl::StatusOr<UnaryRequest> converted = CheckedRequest(request);
  if (!converted.ok()) {
    reply->Answer(converted.status());
    return reply->Reactor();
  }
  uint32_t& lock_timeout_ms = converted->operation.lock_timeout_ms;
  lock_timeout_ms =
      LockTimeoutMs(lock_timeout_ms, context->deadline(), std::chrono::system_clock::now());
  service.Execute(*std::move(converted), [reply](absl::StatusOr<BatchResult> result) {
    reply->Answer(std::move(result), [](BatchResult&& value, Response* out) {
      return ToProto(std::move(value), out);
    });
  });
  return reply->Reactor();
}

// 21 for one that is too big, 22 for bytes that are no such message.
absl::StatusOr<ScanRequest> ScanRequestOf(const grpc::ByteBuffer& bytes) {
  v1::ScanRequest message;
  grpc::ByteBuffer taken(bytes);  // parsing empties it
  const grpc::Status parsed =
      grpc::SerializationTraits<v1::ScanRequest>::Deserialize(&taken, &message);
  if (!parsed.ok()) return rpc_errors::UnexpectedMessage("bytes that do not parse", "a request");
  return CheckedRequest(message);
}

}  // namespace

grpc::ServerUnaryReactor* RecordServiceHandlers::Write(grpc::CallbackServerContext* context,
                                                       const v1::WriteRequest* request,
                                                       v1::WriteResponse* response) {
  return ExecuteOne(*service_, context, *request, response);
}

grpc::ServerUnaryReactor* RecordServiceHandlers::Update(grpc::CallbackServerContext* context,
                                                        const v1::UpdateRequest* request,
                                                        v1::UpdateResponse* response) {
  return ExecuteOne(*service_, context, *request, response);
}

grpc::ServerUnaryReactor* RecordServiceHandlers::Delete(grpc::CallbackServerContext* context,
                                                        const v1::DeleteRequest* request,
                                                        v1::DeleteResponse* response) {
  return ExecuteOne(*service_, context, *request, response);
}

grpc::ServerUnaryReactor* RecordServiceHandlers::Read(grpc::CallbackServerContext* context,
                                                      const v1::ReadRequest* request,
                                                      v1::ReadResponse* response) {
  return ExecuteOne(*service_, context, *request, response);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* RecordServiceHandlers::Scan(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  absl::StatusOr<ScanRequest> converted = ScanRequestOf(*request);
  if (converted.ok() && converted->lock_mode) {
    converted->lock_timeout_ms = LockTimeoutMs(converted->lock_timeout_ms, context->deadline(),
                                               std::chrono::system_clock::now());
  }
  return StartScan(service_, context, std::move(converted));
}

grpc::ServerBidiReactor<v1::LoadRequest, v1::LoadResponse>* RecordServiceHandlers::Load(
    grpc::CallbackServerContext* context) {
  return StartLoad(service_, streams_, context);
}

grpc::ServerBidiReactor<v1::SessionRequest, v1::SessionResponse>* RecordServiceHandlers::Session(
    grpc::CallbackServerContext* context) {
  return StartSession(service_, streams_, context);
}

}  // namespace quire
