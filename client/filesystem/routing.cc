#include "client/filesystem/routing.h"

#include <utility>

#include "client/filesystem/create_file.h"
#include "client/filesystem/errors.h"
#include "quire/error.h"

namespace quire {
namespace {

// Each waits for volumes nearly all its time; a volume that is slow to answer must not keep calls
// for others waiting.
constexpr uint32_t kWorkers = 8;

}  // namespace

Routing::Routing(std::map<std::string, std::shared_ptr<Service>> volumes, RoutingOptions options)
    : volumes_(std::move(volumes)),
      workers_(kWorkers),
      resume_policy_{options.retry_time,
                     options.timer != nullptr ? std::move(options.timer) : MakeThreadTimer()} {}

void Routing::FetchLabel(const FileReference& file, Done<Label> done) {
  if (Label known = labels_.Find(file.name, file.create_id)) {
    std::move(done)(std::move(known));
    return;
  }
  absl::StatusOr<std::shared_ptr<Service>> volume = volumes_.Find(file.name.volume);
  if (!volume.ok()) {
    std::move(done)(volume.status());
    return;
  }
  FileReference by_name;
  by_name.name = file.name;
  by_name.client_name = file.client_name;
  auto answer = [self = shared_from_this(), file,
                 done = std::move(done)](absl::StatusOr<FileDescription> description) mutable {
    if (!description.ok()) {
      std::move(done)(filesystem_errors::AsReadFailure(description.status(), file.name.volume));
      return;
    }
    FileInfo& info = description->primary;
    if (info.partition != 0) {
      std::move(done)(filesystem_errors::SecondaryByName(file.name, info.primary_volume));
      return;
    }
    if (file.create_id != 0 && info.create_id != file.create_id) {
      std::move(done)(filesystem_errors::StaleLabel(file.name));
      return;
    }
    self->Confirm(std::make_shared<const FileInfo>(std::move(info)),
                  [self, done = std::move(done)](Label label) mutable {
                    self->labels_.Put(label);
                    std::move(done)(std::move(label));
                  });
  };
  (*volume)->Info(std::move(by_name), std::move(answer));
}

void Routing::Confirm(Label label, absl::AnyInvocable<void(Label) &&> finish) {
  if (label->confirmed) {
    std::move(finish)(std::move(label));
    return;
  }
  // Shared, because the task may have to be run here after all.
  auto shared_finish = std::make_shared<absl::AnyInvocable<void(Label) &&>>(std::move(finish));
  WorkerPool::Task task = [self = shared_from_this(), label, shared_finish] {
    auto finished = std::make_shared<FileInfo>(*label);
    finished->confirmed = FinishCreate(self->volumes_, *label).ok();
    std::move (*shared_finish)(std::move(finished));
  };
  // While shutting down: whoever opens the file next finishes it.
  if (!workers_.Post(task)) std::move (*shared_finish)(std::move(label));
}

bool Routing::IsStale(const absl::Status& status, const Label& label) {
  if (NumberOf(status) != ErrorNumber::kReopen || RetryOf(status) != Retry::kReopen) return false;
  labels_.Forget(label->name, label->create_id);
  return true;
}

}  // namespace quire
