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

// gRPC owns the response message until the call is done, so it may be filled only between winning
// the race and the end of Answer: that is what Answer does.
//
// A handler makes a reply, gives it to the service and returns what Reactor answers. An answer that
// came inside the handler is finished by gRPC's default reactor. Only that one may be done on the
// thread that serves the call: gRPC runs OnDone of all others on an executor thread, and waking it
// costs as much as a read.
template <typename Response>
class UnaryReply final : public grpc::ServerUnaryReactor,
                         public std::enable_shared_from_this<UnaryReply<Response>> {
 public:
  static std::shared_ptr<UnaryReply> Make(grpc::CallbackServerContext* context,
                                          Response* response) {
    return std::make_shared<UnaryReply>(context, response);
  }
  UnaryReply(grpc::CallbackServerContext* context, Response* response)
      : context_(context), response_(response) {}

  // What the handler returns to gRPC; its last step, once.
  grpc::ServerUnaryReactor* Reactor() {
    self_ = this->shared_from_this();  // until OnDone, which may come at once
    Stage stage = Stage::kHandling;
    if (stage_.compare_exchange_strong(stage, Stage::kWaiting)) return this;
    grpc::ServerUnaryReactor* const reactor = context_->DefaultReactor();
    reactor->Finish(status_);
    self_ = nullptr;  // the handler still has one
    return reactor;
  }

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
    End(status);
  }

  void Answer(const absl::Status& status) {
    if (!answered_.exchange(true)) End(status);
  }

  void OnCancel() override { Answer(rpc_errors::CallerGone()); }
  void OnDone() override { const std::shared_ptr<UnaryReply> last = std::move(self_); }

 private:
  enum class Stage {
    kHandling,  // the handler has not returned
    kWaiting,   // it has, without an answer: Answer finishes
    kAnswered,  // the answer was first: the handler finishes
  };

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

  void End(const absl::Status& status) {
    status_ = ToGrpc(status, context_);
    Stage stage = Stage::kHandling;
    if (!stage_.compare_exchange_strong(stage, Stage::kAnswered)) Finish(status_);
  }

  grpc::CallbackServerContext* const context_;
  Response* const response_;
  std::shared_ptr<UnaryReply> self_;
  std::atomic<bool> answered_{false};
  std::atomic<Stage> stage_{Stage::kHandling};
  grpc::Status status_;  // written before kAnswered
};

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_UNARY_REPLY_H_
