#include "client/transport/callback_threads.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "client/transport/grpc_stub.h"
#include "quire/mutex.h"

namespace quire {
namespace {

// The last reference to the only channel goes in a callback, again and again. Nothing listens on
// port 1, so that each call ends at once.
TEST(CallbackThreads, OutliveAChannelThatEndsInItsOwnCallback) {
  for (int round = 0; round < 50; ++round) {
    auto ended = std::make_shared<Notification>();
    auto stub = std::make_shared<std::shared_ptr<Service>>(
        MakeGrpcStub({.address = "127.0.0.1:1", .client_name = "unit test"}));
    Service& service = **stub;
    service.Volumes(
        [stub = std::move(stub), ended](absl::StatusOr<std::vector<std::string>> answer) {
          EXPECT_FALSE(answer.ok());
          stub->reset();
          ended->Notify();
        });
    ended->Wait();
  }
}

}  // namespace
}  // namespace quire
