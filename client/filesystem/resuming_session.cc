#include "client/filesystem/resuming_session.h"

#include <utility>

#include "client/filesystem/new_id.h"
#include "client/filesystem/resuming_open.h"

namespace quire {
namespace {

class ResumingSession : public Session {
 public:
  explicit ResumingSession(std::shared_ptr<ResumingOpen> open) : open_(std::move(open)) {}
  ~ResumingSession() override { open_->Abandon(); }

  void Submit(OperationBatch batch) override { open_->Submit(std::move(batch)); }
  std::optional<absl::Status> TryRead(std::string_view key, std::string* record) override {
    return open_->TryRead(key, record);
  }
  void Cancel(uint64_t sequence) override { open_->Cancel(sequence); }
  void Close() override { open_->Close(); }
  void Detach() override { open_->Detach(); }

 private:
  const std::shared_ptr<ResumingOpen> open_;
};

}  // namespace

std::unique_ptr<Session> OpenResuming(std::shared_ptr<Service> service, OpenRequest request,
                                      std::shared_ptr<SessionEvents> events, ResumePolicy policy) {
  // A resume names the open: the id must be known before the first stream can break.
  if (request.file.open_id == 0) request.file.open_id = NewId();
  auto open = std::make_shared<ResumingOpen>(std::move(service), std::move(request),
                                             std::move(events), std::move(policy));
  auto session = std::make_unique<ResumingSession>(open);
  open->Start();
  return session;
}

}  // namespace quire
