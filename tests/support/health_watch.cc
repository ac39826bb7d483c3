#include "tests/support/health_watch.h"

#include <thread>

#include "absl/base/thread_annotations.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "quire/mutex.h"

namespace quire {

struct HealthWatch::Body {
  explicit Body(const std::string& address)
      : stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials())) {}

  // The next event of the stream; false when it has ended.
  bool Wait() {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  }
  void Run() {
    const auto call = stub.PrepareCall(&context, "/grpc.health.v1.Health/Watch", &queue);
    call->StartCall(nullptr);
    bool open = Wait();
    const grpc::Slice all_services("");
    call->Write(grpc::ByteBuffer(&all_services, 1), nullptr);
    open = Wait() && open;
    grpc::ByteBuffer answer;
    while (open) {
      call->Read(&answer, nullptr);
      open = Wait();
      if (open) Note(answer);
    }
    grpc::Status status;
    call->Finish(&status, nullptr);
    Wait();
    queue.Shutdown();
    while (Wait()) {
    }
  }
  void Note(const grpc::ByteBuffer& answer) {
    std::vector<grpc::Slice> parts;
    std::string bytes;
    if (!answer.Dump(&parts).ok()) return;
    for (const grpc::Slice& part : parts) {
      bytes.append(reinterpret_cast<const char*>(part.begin()), part.size());
    }
    MutexLock lock(&mutex);
    // HealthCheckResponse { status = 1 }
    said.push_back(bytes.size() == 2 && bytes[0] == '\x08' ? bytes[1] : 0);
  }

  grpc::GenericStub stub;
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  Mutex mutex;
  std::vector<int> said ABSL_GUARDED_BY(mutex);
  std::thread thread;
};

HealthWatch::HealthWatch(const std::string& address) : body_(std::make_unique<Body>(address)) {
  body_->thread = std::thread([body = body_.get()] { body->Run(); });
}

HealthWatch::~HealthWatch() {
  body_->context.TryCancel();
  body_->thread.join();
}

std::vector<int> HealthWatch::said() const {
  MutexLock lock(&body_->mutex);
  return body_->said;
}

}  // namespace quire
