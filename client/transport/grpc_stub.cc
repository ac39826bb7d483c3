#include "client/transport/grpc_stub.h"

#include <utility>

#include "absl/time/clock.h"
#include "client/transport/channel.h"
#include "client/transport/convert_check.h"
#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/convert_file.h"
#include "client/transport/convert_listing.h"
#include "client/transport/convert_measure.h"
#include "client/transport/convert_record.h"
#include "client/transport/errors.h"
#include "client/transport/grpc_load.h"
#include "client/transport/grpc_scan.h"
#include "client/transport/grpc_session.h"
#include "quire/v1/file.grpc.pb.h"
#include "quire/v1/measure.grpc.pb.h"
#include "quire/v1/record.grpc.pb.h"

namespace quire {
namespace {

// What one unary call needs until its answer is there.
template <typename Request, typename Response>
struct UnaryCall {
  grpc::ClientContext context;
  Request request;
  Response response;
  Done<Response> done;
};

// A Done for the message, made from a Done for what `convert` makes of it.
template <typename Response, typename Value, typename Convert>
Done<Response> Converting(Done<Value> done, Convert convert) {
  return [done = std::move(done), convert](absl::StatusOr<Response> response) mutable {
    if (!response.ok()) return std::move(done)(response.status());
    std::move(done)(convert(*std::move(response)));
  };
}

template <typename Response>
Done<Response> Dropping(DoneStatus done) {
  return [done = std::move(done)](absl::StatusOr<Response> response) mutable {
    std::move(done)(response.status());
  };
}

constexpr auto kFromProto = [](auto&& response) {
  return FromProto(std::forward<decltype(response)>(response));
};

class GrpcStub final : public Service {
 public:
  explicit GrpcStub(GrpcStubOptions options) : options_(std::move(options)) {
    const std::shared_ptr<grpc::Channel> channel = MakeChannel(options_.address);
    records_ = v1::RecordService::NewStub(channel);
    files_ = v1::FileService::NewStub(channel);
    measures_ = v1::MeasureService::NewStub(channel);
  }

  std::unique_ptr<Session> OpenSession(OpenRequest request,
                                       std::shared_ptr<SessionEvents> events) override {
    return StartGrpcSession(records_, StreamContext(), options_.address, request,
                            std::move(events));
  }

  std::unique_ptr<ScanStream> Scan(ScanRequest request) override {
    return StartGrpcScan(records_, StreamContext(), options_.address, request);
  }

  std::unique_ptr<LoadStream> Load(LoadRequest request) override {
    return StartGrpcLoad(records_, StreamContext(), options_.address, request);
  }

  void Execute(UnaryRequest request, Done<BatchResult> done) override {
    if (request.operation.size() != 1) {
      return std::move(done)(transport_errors::MalformedBatch("not exactly one operation"));
    }
    if (NeedsSession(request.operation)) {
      return std::move(done)(transport_errors::MalformedBatch("an operation of sessions only"));
    }
    auto* stub = records_.get();
    switch (request.operation[0].kind) {
      case OperationKind::kWrite:
        return CallRecord<v1::WriteRequest>(
            request, [stub](auto... a) { stub->async()->Write(std::move(a)...); },
            [stub](auto... a) { return stub->Write(a...); },
            Converting<v1::WriteResponse>(std::move(done), kFromProto));
      case OperationKind::kUpdate:
        return CallRecord<v1::UpdateRequest>(
            request, [stub](auto... a) { stub->async()->Update(std::move(a)...); },
            [stub](auto... a) { return stub->Update(a...); },
            Converting<v1::UpdateResponse>(std::move(done), kFromProto));
      case OperationKind::kDelete:
        return CallRecord<v1::DeleteRequest>(
            request, [stub](auto... a) { stub->async()->Delete(std::move(a)...); },
            [stub](auto... a) { return stub->Delete(a...); },
            Converting<v1::DeleteResponse>(std::move(done), kFromProto));
      case OperationKind::kRead:
        return CallRecord<v1::ReadRequest>(
            request, [stub](auto... a) { stub->async()->Read(std::move(a)...); },
            [stub](auto... a) { return stub->Read(a...); },
            Converting<v1::ReadResponse>(std::move(done), kFromProto));
      default:
        return std::move(done)(transport_errors::MalformedBatch("an operation of sessions only"));
    }
  }

  void Create(CreateRequest request, Done<FileInfo> done) override {
    auto* stub = files_->async();
    Call<v1::CreateRequest>(
        request, [stub](auto... a) { stub->Create(std::move(a)...); },
        Converting<v1::CreateResponse>(std::move(done),
                                       [](const auto& r) { return FromProto(r.info()); }));
  }

  void Info(FileReference file, Done<FileDescription> done) override {
    auto* stub = files_->async();
    Call<v1::InfoRequest>(
        file, [stub](auto... a) { stub->Info(std::move(a)...); },
        Converting<v1::InfoResponse>(std::move(done), kFromProto));
  }

  void Alter(AlterRequest request, DoneStatus done) override {
    auto* stub = files_->async();
    Call<v1::AlterRequest>(
        request, [stub](auto... a) { stub->Alter(std::move(a)...); },
        Dropping<v1::AlterResponse>(std::move(done)));
  }

  void Purge(PurgeRequest request, DoneStatus done) override {
    auto* stub = files_->async();
    Call<v1::PurgeRequest>(
        request, [stub](auto... a) { stub->Purge(std::move(a)...); },
        Dropping<v1::PurgeResponse>(std::move(done)));
  }

  void List(ListRequest request, Done<ListPage> done) override {
    auto* stub = files_->async();
    Call<v1::ListRequest>(
        request, [stub](auto... a) { stub->List(std::move(a)...); },
        Converting<v1::ListResponse>(std::move(done), kFromProto));
  }

  void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) override {
    auto* stub = files_->async();
    Call<v1::ListOpensRequest>(
        request, [stub](auto... a) { stub->ListOpens(std::move(a)...); },
        Converting<v1::ListOpensResponse>(std::move(done), kFromProto));
  }

  void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) override {
    auto* stub = files_->async();
    Call<v1::ListLocksRequest>(
        request, [stub](auto... a) { stub->ListLocks(std::move(a)...); },
        Converting<v1::ListLocksResponse>(std::move(done), kFromProto));
  }

  void Volumes(Done<std::vector<std::string>> done) override {
    auto* stub = files_->async();
    Call<v1::VolumesRequest>(
        NoFields(), [stub](auto... a) { stub->Volumes(std::move(a)...); },
        Converting<v1::VolumesResponse>(std::move(done), kFromProto));
  }

  void Refresh(std::string volume, Done<RefreshAnswer> done) override {
    auto* stub = files_->async();
    Call<v1::RefreshRequest>(
        VolumeField{std::move(volume)}, [stub](auto... a) { stub->Refresh(std::move(a)...); },
        Converting<v1::RefreshResponse>(std::move(done), kFromProto));
  }

  void Check(FileReference file, Done<std::vector<PartitionCheck>> done) override {
    auto* stub = files_->async();
    Call<v1::CheckRequest>(
        file, [stub](auto... a) { stub->Check(std::move(a)...); },
        Converting<v1::CheckResponse>(std::move(done), kFromProto));
  }

  void Backup(BackupRequest request, Done<BackupAnswer> done) override {
    auto* stub = files_->async();
    Call<v1::BackupRequest>(
        request, [stub](auto... a) { stub->Backup(std::move(a)...); },
        Converting<v1::BackupResponse>(std::move(done), kFromProto));
  }

  void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) override {
    auto* stub = measures_->async();
    Call<v1::SnapshotRequest>(
        VolumeField{std::move(request.volume)},
        [stub](auto... a) { stub->Snapshot(std::move(a)...); },
        Converting<v1::SnapshotResponse>(std::move(done), kFromProto));
  }

 private:
  // Single calls have no field for what these ask for.
  static bool NeedsSession(const OperationBatch& batch) {
    const Operation operation = batch[0];
    return operation.lock || operation.unlock || batch.position.has_value();
  }

  // Requests so small that they have no converter of their own.
  struct NoFields {};
  struct VolumeField {
    std::string volume;
  };
  static void Fill(const NoFields&, v1::VolumesRequest*) {}
  template <typename Request>
  static void Fill(const VolumeField& field, Request* out) {
    out->set_volume(WireText(field.volume));
  }
  static void Fill(const FileReference& file, v1::InfoRequest* out) {
    ToProto(file, out->mutable_file());
  }
  static void Fill(const FileReference& file, v1::CheckRequest* out) {
    ToProto(file, out->mutable_file());
  }
  template <typename Value, typename Request>
  static void Fill(const Value& value, Request* out) {
    ToProto(value, out);
  }

  void Prepare(grpc::ClientContext* context) const {
    context->AddMetadata("quire-client", WireText(options_.client_name, kMaxClientNameBytes));
  }

  std::unique_ptr<grpc::ClientContext> StreamContext() const {
    auto context = std::make_unique<grpc::ClientContext>();
    Prepare(context.get());
    return context;
  }

  template <typename Request, typename Response>
  void Begin(UnaryCall<Request, Response>* call) const {
    Prepare(&call->context);
    if (options_.call_timeout != absl::InfiniteDuration()) {
      call->context.set_deadline(absl::ToChronoTime(absl::Now() + options_.call_timeout));
    }
  }

  template <typename Request, typename Response, typename Value, typename Method>
  void Call(const Value& value, Method method, Done<Response> done) {
    auto call = std::make_shared<UnaryCall<Request, Response>>();
    Begin(call.get());
    Fill(value, &call->request);
    call->done = std::move(done);
    std::function<void(grpc::Status)> answer = [call,
                                                address = options_.address](grpc::Status status) {
      Done<Response> answered = std::move(call->done);
      if (!status.ok()) return std::move(answered)(FromGrpc(status, call->context, address));
      std::move(answered)(std::move(call->response));
    };
    method(&call->context, &call->request, &call->response, std::move(answer));
  }

  // A caller that waits anyway waits in the call itself: no other thread has to wake it.
  template <typename Request, typename Response, typename Async, typename Blocking>
  void CallRecord(const UnaryRequest& value, Async async, Blocking blocking, Done<Response> done) {
    if (!value.operation.caller_waits) return Call<Request>(value, async, std::move(done));
    UnaryCall<Request, Response> call;
    Begin(&call);
    Fill(value, &call.request);
    const grpc::Status status = blocking(&call.context, call.request, &call.response);
    if (!status.ok()) return std::move(done)(FromGrpc(status, call.context, options_.address));
    std::move(done)(std::move(call.response));
  }

  const GrpcStubOptions options_;
  std::shared_ptr<v1::RecordService::Stub> records_;
  std::shared_ptr<v1::FileService::Stub> files_;
  std::shared_ptr<v1::MeasureService::Stub> measures_;
};

}  // namespace

std::shared_ptr<Service> MakeGrpcStub(GrpcStubOptions options) {
  return std::make_shared<GrpcStub>(std::move(options));
}

}  // namespace quire
