#include "client/filesystem/list_locks.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "client/filesystem/errors.h"
#include "client/filesystem/volume_set.h"
#include "quire/text.h"

namespace quire {
namespace {

class LockLister : public std::enable_shared_from_this<LockLister> {
 public:
  LockLister(std::shared_ptr<Routing> routing, ListLocksRequest request, Done<ListLocksPage> done)
      : routing_(std::move(routing)), request_(std::move(request)), done_(std::move(done)) {}

  void Start() {
    if (!ReadToken()) {
      std::move(done_)(filesystem_errors::BadPageToken());
      return;
    }
    routing_->FetchLabel(request_.file, [self = shared_from_this()](absl::StatusOr<Label> label) {
      if (!label.ok()) {
        std::move(self->done_)(label.status());
        return;
      }
      self->label_ = *std::move(label);
      if (self->partition_ >= PartitionCount(self->label_->attributes)) {
        std::move(self->done_)(filesystem_errors::BadPageToken());
        return;
      }
      self->Ask();
    });
  }

 private:
  bool ReadToken() {
    if (request_.page_token.empty()) return true;
    const size_t colon = request_.page_token.find(':');
    if (colon == std::string::npos) return false;
    inner_ = request_.page_token.substr(colon + 1);
    return absl::SimpleAtoi(request_.page_token.substr(0, colon), &partition_);
  }

  void Ask() {
    ListLocksRequest request = request_;
    const PartitionAddress address = AddressOf(*label_, partition_);
    request.file.name = address.file.name;
    request.file.create_id = address.file.create_id;
    request.page_token = inner_;
    absl::StatusOr<std::shared_ptr<Service>> volume =
        routing_->volumes().Find(request.file.name.volume);
    if (!volume.ok()) {
      std::move(done_)(volume.status());
      return;
    }
    (*volume)->ListLocks(std::move(request),
                         [self = shared_from_this()](absl::StatusOr<ListLocksPage> page) {
                           self->OnPage(std::move(page));
                         });
  }

  void OnPage(absl::StatusOr<ListLocksPage> page) {
    if (!page.ok()) {
      routing_->IsStale(page.status(),
                        label_);  // the next call is routed by the new label
      std::move(done_)(
          filesystem_errors::AsReadFailure(page.status(), PartitionVolume(*label_, partition_)));
      return;
    }
    const bool more_here = !page->next_page_token.empty();
    const bool more = more_here || partition_ + 1 < PartitionCount(label_->attributes);
    inner_ = page->next_page_token;
    if (!more_here) ++partition_;
    if (more && page->locks.empty()) {
      Ask();
      return;
    }
    page->next_page_token = more ? StrCat(partition_, ":", inner_) : "";
    std::move(done_)(std::move(page));
  }

  const std::shared_ptr<Routing> routing_;
  const ListLocksRequest request_;
  Done<ListLocksPage> done_;
  Label label_;
  uint32_t partition_ = 0;
  std::string inner_;  // the volume's own token
};

}  // namespace

void ListLocksRouted(std::shared_ptr<Routing> routing, ListLocksRequest request,
                     Done<ListLocksPage> done) {
  std::make_shared<LockLister>(std::move(routing), std::move(request), std::move(done))->Start();
}

}  // namespace quire
