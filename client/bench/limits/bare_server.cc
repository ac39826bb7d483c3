#include "client/bench/limits/bare_server.h"

#include <signal.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "client/bench/errors.h"
#include "client/bench/limits/bare_service.grpc.pb.h"
#include "client/bench/limits/packed_records.h"
#include "client/bench/made_records.h"
#include "client/bench/output_file.h"
#include "client/transport/channel.h"
#include "grpcpp/grpcpp.h"
#include "quire/text.h"
#include "server/base/huge_memory.h"

namespace quire {
namespace bench {
namespace {

using google::protobuf::BytesValue;
using google::protobuf::UInt64Value;

// Answers come out of so many records, made beforehand.
constexpr uint64_t kStoredRecords = 20000;

// The records that a store would have.
class StoredRecords {
 public:
  StoredRecords() : bytes_(kStoredRecords * MadeRecords::kRecordBytes, '\0') {
    const MadeRecords records(kStoredRecords);
    for (uint64_t rank = 0; rank < kStoredRecords; ++rank) {
      records.Fill(rank, absl::MakeSpan(&bytes_[rank * MadeRecords::kRecordBytes],
                                        MadeRecords::kRecordBytes));
    }
  }
  std::string_view At(uint64_t rank) const {
    return std::string_view(bytes_).substr(rank % kStoredRecords * MadeRecords::kRecordBytes,
                                           MadeRecords::kRecordBytes);
  }

 private:
  std::string bytes_;
};

class OutReactor final : public grpc::ServerWriteReactor<BytesValue> {
 public:
  OutReactor(const StoredRecords* records, uint64_t wanted) : records_(records), wanted_(wanted) {
    Next();
  }
  void OnWriteDone(bool ok) override {
    if (ok) {
      Next();
    } else {
      Finish(grpc::Status::CANCELLED);
    }
  }
  void OnDone() override { delete this; }

 private:
  void Next() {
    if (sent_ == wanted_) return Finish(grpc::Status::OK);
    std::string* const data = chunk_.mutable_value();
    data->clear();  // keeps its memory
    for (uint64_t i = 0; i < kRecordsOfChunk && sent_ < wanted_; ++i) {
      data->append(records_->At(sent_++));
    }
    StartWrite(&chunk_);
  }

  const StoredRecords* const records_;
  const uint64_t wanted_;
  uint64_t sent_ = 0;
  BytesValue chunk_;
};

class InReactor final : public grpc::ServerReadReactor<BytesValue> {
 public:
  explicit InReactor(UInt64Value* answer) : answer_(answer) { StartRead(&chunk_); }
  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    answer_->set_value(answer_->value() + chunk_.value().size() / MadeRecords::kRecordBytes);
    StartRead(&chunk_);
  }
  void OnDone() override { delete this; }

 private:
  UInt64Value* const answer_;
  BytesValue chunk_;
};

class BareServiceHandlers final : public BareService::CallbackService {
 public:
  grpc::ServerUnaryReactor* Echo(grpc::CallbackServerContext* context, const BytesValue* request,
                                 BytesValue* answer) override {
    const std::string& asked = request->value();
    if (asked.size() == MadeRecords::kKeyBytes) {
      const std::string_view record = records_.At(next_++);
      answer->set_value(record.data(), record.size());
    } else {
      answer->set_value(asked.data(), std::min<size_t>(asked.size(), MadeRecords::kKeyBytes));
    }
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
  grpc::ServerWriteReactor<BytesValue>* Out(grpc::CallbackServerContext*,
                                            const UInt64Value* request) override {
    return new OutReactor(&records_, request->value());
  }
  grpc::ServerReadReactor<BytesValue>* In(grpc::CallbackServerContext*,
                                          UInt64Value* answer) override {
    return new InReactor(answer);
  }

 private:
  const StoredRecords records_;
  std::atomic<uint64_t> next_{0};
};

}  // namespace

absl::StatusOr<int> ServeBareGrpc(const std::string& port_path) {
  KeepFreedMemory();
  // Holds nothing that would have to be closed: a signal may end it at once.
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  BareServiceHandlers service;
  grpc::ServerBuilder builder;
  ConfigureServer(builder);
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0) {
    return ServerNotStarted("bare gRPC", "it cannot listen on the loopback");
  }
  const std::string fresh = port_path + ".new";
  if (absl::Status s = WriteFile(fresh, StrCat(port, "\n")); !s.ok()) return s;
  std::error_code failed;
  std::filesystem::rename(fresh, port_path, failed);
  if (failed) return CannotWrite(port_path, failed.value());
  server->Wait();
  return 0;
}

}  // namespace bench
}  // namespace quire
