#include "client/filesystem/partitioned_session.h"

#include <utility>

#include "client/filesystem/new_id.h"
#include "client/filesystem/partitioned_open.h"

namespace quire {
namespace {

class PartitionedSession : public Session {
 public:
  explicit PartitionedSession(std::shared_ptr<PartitionedOpen> open) : open_(std::move(open)) {}
  ~PartitionedSession() override { open_->Abandon(); }

  void Submit(OperationBatch batch) override { open_->Submit(std::move(batch)); }
  std::optional<absl::Status> TryRead(std::string_view key, std::string* record) override {
    return open_->TryRead(key, record);
  }
  void Cancel(uint64_t sequence) override { open_->Cancel(sequence); }
  void Close() override { open_->Close(); }
  void Detach() override { open_->Detach(); }

 private:
  const std::shared_ptr<PartitionedOpen> open_;
};

}  // namespace

std::unique_ptr<Session> OpenPartitioned(std::shared_ptr<Routing> routing, OpenRequest request,
                                         std::shared_ptr<SessionEvents> events) {
  if (request.file.open_id == 0) request.file.open_id = NewId();
  auto open =
      std::make_shared<PartitionedOpen>(std::move(routing), std::move(request), std::move(events));
  auto session = std::make_unique<PartitionedSession>(open);
  open->Start();
  return session;
}

}  // namespace quire
