#include "client/bench/limits/bare_grpc.h"

#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "client/bench/child_process.h"
#include "client/bench/errors.h"
#include "client/bench/limits/bare_service.grpc.pb.h"
#include "client/bench/limits/packed_records.h"
#include "client/bench/made_records.h"
#include "client/bench/port_file.h"
#include "client/bench/server_fleet.h"
#include "client/transport/channel.h"
#include "grpcpp/grpcpp.h"

namespace quire {
namespace bench {
namespace {

using google::protobuf::BytesValue;
using google::protobuf::UInt64Value;

constexpr absl::Duration kStartTimeout = absl::Seconds(30);
// Requests come out of so many records, made beforehand.
constexpr uint64_t kReadyRecords = 1000;

class Stopwatch {
 public:
  double Rate(uint64_t done) const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return static_cast<double>(done) / passed.count();
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

absl::Status BareFailure(const grpc::Status& status) {
  return ServerEndedBadly("bare gRPC", "answered: " + status.error_message());
}

// As MakeChannel, but without the threads for callbacks: where they poll, a blocking call wants a
// hand-off more, and no call here needs them.
std::shared_ptr<grpc::Channel> PlainChannel(const std::string& address) {
  return grpc::CreateCustomChannel(ChannelTarget(address), grpc::InsecureChannelCredentials(),
                                   MakeChannelArguments());
}

// Unary calls on one channel, `in_flight` at a time, on one completion queue that the calling
// thread serves; each one's end starts the next.
class CallWindow {
 public:
  CallWindow(BareService::Stub* stub, const std::vector<std::string>* requests, size_t answer_bytes,
             uint64_t calls)
      : stub_(stub), requests_(requests), answer_bytes_(answer_bytes), calls_(calls) {}
  ~CallWindow() { queue_.Shutdown(); }
  CallWindow(const CallWindow&) = delete;
  CallWindow& operator=(const CallWindow&) = delete;

  // Returns when every call that was started has ended; after a failure no further one is started.
  absl::Status Run(uint32_t in_flight) {
    std::vector<Slot> slots(in_flight);
    absl::Status result;
    for (Slot& slot : slots) Start(&slot);
    while (open_ > 0) {
      void* tag = nullptr;
      bool ok = false;
      if (!queue_.Next(&tag, &ok)) break;
      --open_;
      Slot* const slot = static_cast<Slot*>(tag);
      if (!slot->status.ok()) {
        result.Update(BareFailure(slot->status));
      } else if (slot->answer.value().size() != answer_bytes_) {
        result.Update(ServerEndedBadly("bare gRPC", "answered with another size"));
      }
      if (result.ok()) Start(slot);
    }
    return result;
  }

 private:
  struct Slot {
    std::unique_ptr<grpc::ClientContext> context;
    BytesValue request;
    BytesValue answer;
    grpc::Status status;
    std::unique_ptr<grpc::ClientAsyncResponseReader<BytesValue>> reader;
  };

  void Start(Slot* slot) {
    if (next_ == calls_) return;
    slot->context = std::make_unique<grpc::ClientContext>();
    slot->request.set_value((*requests_)[next_++ % requests_->size()]);
    slot->reader = stub_->AsyncEcho(slot->context.get(), slot->request, &queue_);
    slot->reader->Finish(&slot->answer, &slot->status, slot);
    ++open_;
  }

  BareService::Stub* const stub_;
  const std::vector<std::string>* const requests_;
  const size_t answer_bytes_;
  const uint64_t calls_;
  grpc::CompletionQueue queue_;
  uint64_t next_ = 0;
  uint32_t open_ = 0;
};

class ChildBareGrpc final : public BareGrpc {
 public:
  ChildBareGrpc(ChildProcess server, const std::string& address)
      : server_(std::move(server)), stub_(BareService::NewStub(PlainChannel(address))) {
    const MadeRecords made(kReadyRecords);
    for (uint64_t rank = 0; rank < kReadyRecords; ++rank) {
      records_.push_back(made.Record(rank));
      keys_.push_back(made.Key(rank));
    }
  }

  absl::StatusOr<double> Unary(BareCall call, uint32_t in_flight, uint64_t calls) override {
    const bool read = call == BareCall::kRead;
    const std::vector<std::string>& requests = read ? keys_ : records_;
    const size_t answer_bytes = read ? MadeRecords::kRecordBytes : MadeRecords::kKeyBytes;
    const Stopwatch watch;
    absl::Status done;
    if (in_flight == 1) {
      done = OneByOne(requests, answer_bytes, calls);
    } else {
      done = CallWindow(stub_.get(), &requests, answer_bytes, calls).Run(in_flight);
    }
    if (!done.ok()) return done;
    return watch.Rate(calls);
  }

  absl::StatusOr<double> StreamOut(uint64_t records) override {
    const Stopwatch watch;
    grpc::ClientContext context;
    UInt64Value wanted;
    wanted.set_value(records);
    const std::unique_ptr<grpc::ClientReader<BytesValue>> reader = stub_->Out(&context, wanted);
    BytesValue chunk;
    uint64_t bytes = 0;
    while (reader->Read(&chunk)) bytes += chunk.value().size();
    if (const grpc::Status status = reader->Finish(); !status.ok()) return BareFailure(status);
    if (bytes != records * MadeRecords::kRecordBytes) {
      return ServerEndedBadly("bare gRPC", "did not send every record");
    }
    return watch.Rate(records);
  }

  absl::StatusOr<double> StreamIn(uint64_t records) override {
    const Stopwatch watch;
    grpc::ClientContext context;
    UInt64Value answer;
    const std::unique_ptr<grpc::ClientWriter<BytesValue>> writer = stub_->In(&context, &answer);
    BytesValue chunk;
    for (uint64_t sent = 0; sent < records;) {
      std::string* const data = chunk.mutable_value();
      data->clear();  // keeps its memory
      for (uint64_t i = 0; i < kRecordsOfChunk && sent < records; ++i) {
        data->append(records_[sent++ % kReadyRecords]);
      }
      if (!writer->Write(chunk)) break;
    }
    writer->WritesDone();
    if (const grpc::Status status = writer->Finish(); !status.ok()) return BareFailure(status);
    if (answer.value() != records) {
      return ServerEndedBadly("bare gRPC", "did not get every record");
    }
    return watch.Rate(records);
  }

  pid_t server_pid() const override { return server_.pid(); }

 private:
  absl::Status OneByOne(const std::vector<std::string>& requests, size_t answer_bytes,
                        uint64_t calls) {
    BytesValue request;
    BytesValue answer;
    for (uint64_t i = 0; i < calls; ++i) {
      grpc::ClientContext context;
      request.set_value(requests[i % requests.size()]);
      const grpc::Status status = stub_->Echo(&context, request, &answer);
      if (!status.ok()) return BareFailure(status);
      if (answer.value().size() != answer_bytes) {
        return ServerEndedBadly("bare gRPC", "answered with another size");
      }
    }
    return absl::OkStatus();
  }

  ChildProcess server_;
  const std::unique_ptr<BareService::Stub> stub_;
  std::vector<std::string> records_;
  std::vector<std::string> keys_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<BareGrpc>> BareGrpc::Start(const std::string& program,
                                                          const std::string& directory) {
  const std::filesystem::path folder(directory);
  const StartedServer started = {"bare gRPC", (folder / "bare_grpc.port").string(),
                                 (folder / "bare_grpc.log").string()};
  std::error_code ignored;
  std::filesystem::remove(started.port_path, ignored);  // of an earlier server
  absl::StatusOr<ChildProcess> process = ChildProcess::Start(
      program, {"bare-grpc-server", "--bare_grpc_port_file=" + started.port_path},
      started.log_path);
  if (!process.ok()) return process.status();
  const absl::StatusOr<std::string> address = WaitForPort(started, &*process, kStartTimeout);
  if (!address.ok()) return address.status();
  return std::make_unique<ChildBareGrpc>(*std::move(process), *address);
}

}  // namespace bench
}  // namespace quire
