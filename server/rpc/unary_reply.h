// The reply to one unary call: given once, by the service's answer or by the caller's cancellation,
// whichever comes first.
#ifndef QUIRE_SERVER_RPC_UNARY_REPLY_H_
#define QUIRE_SERVER_RPC_UNARY_REPLY_H_

#include <atomic>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "client/transport/convert_error.h"
#include "grpcpp/support/server_callback.h"
#include "server/base/activity.h"
#include "server/rpc/errors.h"

namespace quire {

// gRPC owns the response message until OnDone, so it may be filled only between winning the race
// and Finish: that is what Answer does. Keeps itself alive until OnDone.
template <typename Response>
class UnaryReply final : public grpc::ServerUnaryReactor {
 public:
  static std::shared_ptr<UnaryReply> Make(grpc::CallbackServerContext* context,
                                          Response* response) {
    auto reply = std::make_shared<UnaryReply>(context, response);
    reply->self_ = reply;
    return reply;
  }
  UnaryReply(grpc::CallbackServerContext* context, Response* response)
      : context_(context), response_(response) {}

  // An OK answer is given to fill(value, Response*), which returns void or a Status.
  template <typename T, typename Fill>
  void Answer(absl::StatusOr<T> answer, Fill fill) {
    if (answered_.exchange(true)) return;
    absl::Status status = answer.status();
    try {
      if (status.ok()) status = Filled(fill, *std::move(answer));
    } catch (const std::bad_alloc&) {
      status = rpc_errors::NoMemoryForAnswer();
    }
    Finish(ToGrpc(status, context_));
  }

  void Answer(const absl::Status& status) {
    if (answered_.exchange(true)) return;
    Finish(ToGrpc(status, context_));
  }

  void OnCancel() override { Answer(rpc_errors::CallerGone()); }
  void OnDone() override { const std::shared_ptr<UnaryReply> last = std::move(self_); }

 private:
  template <typename T, typename Fill>
  absl::Status Filled(Fill& fill, T&& value) {
    const ActivityScope activity(Activity::kRpc);
    if constexpr (std::is_void_v<decltype(fill(std::forward<T>(value), response_))>) {
      fill(std::forward<T>(value), response_);
      return absl::OkStatus();
    } else {
      return fill(std::forward<T>(value), response_);
    }
  }

  grpc::CallbackServerContext* const context_;
  Response* const response_;
  std::shared_ptr<UnaryReply> self_;
  std::atomic<bool> answered_{false};
};

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_UNARY_REPLY_H_
