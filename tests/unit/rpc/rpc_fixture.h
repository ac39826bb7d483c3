// A FakeService behind an RpcServer on a free port of the loopback, and a stub that reaches it.
#ifndef QUIRE_TESTS_UNIT_RPC_RPC_FIXTURE_H_
#define QUIRE_TESTS_UNIT_RPC_RPC_FIXTURE_H_

#include <memory>
#include <string>
#include <thread>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/transport/channel.h"
#include "client/transport/grpc_stub.h"
#include "gtest/gtest.h"
#include "quire/text.h"
#include "server/rpc/server.h"
#include "tests/support/blocking.h"
#include "tests/support/fake_service.h"

namespace quire::test {

class RpcFixture : public ::testing::Test {
 protected:
  RpcFixture() {
    absl::StatusOr<std::unique_ptr<RpcServer>> started = RpcServer::Start(fake_, {});
    EXPECT_TRUE(started.ok()) << started.status();
    server_ = *std::move(started);
    address_ = StrCat("127.0.0.1:", server_->port());
    stub_ = MakeGrpcStub({.address = address_, .client_name = "unit test"});
  }
  ~RpcFixture() override {
    fake_->ReleaseAnswers();
    server_->Stop(absl::ZeroDuration());
  }

  // A file with 8-byte keys at the start of the record.
  FileReference MakeFile() {
    CreateRequest request;
    request.name = FileName{"", "$DATA01", "SUB", "FILE"};
    request.attributes.key_length = 8;
    request.attributes.record_bytes = 2000;
    const absl::StatusOr<FileInfo> info =
        Await<FileInfo>([&](Done<FileInfo> done) { stub_->Create(request, std::move(done)); });
    EXPECT_TRUE(info.ok()) << info.status();
    FileReference file;
    file.name = request.name;
    file.client_name = "unit test";
    return file;
  }

  OpenRequest OpenOf(const FileReference& file) {
    OpenRequest open;
    open.file = file;
    return open;
  }

  // Waits, bounded, until something that happens on other threads is so.
  template <typename Condition>
  static bool Eventually(Condition condition) {
    const absl::Time end = absl::Now() + absl::Seconds(20);
    while (!condition()) {
      if (absl::Now() > end) return false;
      std::this_thread::yield();
    }
    return true;
  }

  std::shared_ptr<FakeService> fake_ = std::make_shared<FakeService>();
  std::unique_ptr<RpcServer> server_;
  std::string address_;
  std::shared_ptr<Service> stub_;
};

inline std::string Key(uint64_t number) {
  const std::string digits = StrCat(number);
  return std::string(8 - digits.size(), '0') + digits;
}

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_RPC_RPC_FIXTURE_H_
