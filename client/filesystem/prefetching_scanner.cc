#include "client/filesystem/prefetching_scanner.h"

#include <optional>
#include <utility>

#include "client/filesystem/errors.h"
#include "client/filesystem/signal.h"

namespace quire {
namespace {

class PrefetchingScanner : public Scanner {
 public:
  PrefetchingScanner(std::shared_ptr<Service> service, ScanRequest request)
      : service_(std::move(service)), stream_(service_->Scan(std::move(request))) {
    Ask();
  }

  absl::StatusOr<std::string_view> Next() override {
    while (record_ == page_.chunk.size()) {
      if (!ended_.ok()) return ended_;
      TakePage();
    }
    const uint32_t length = page_.chunk.lengths[record_];
    if (length > page_.chunk.data.size() - offset_) {
      // Bytes from the wire.
      ended_ = filesystem_errors::ChunkMalformed();
      record_ = page_.chunk.size();
      return ended_;
    }
    ++record_;
    const std::string_view record = std::string_view(page_.chunk.data).substr(offset_, length);
    offset_ += length;
    return record;
  }

 private:
  // A page under way. Shared with the callback, which may outlive the scanner.
  struct Coming {
    std::optional<absl::StatusOr<ScanPage>> page;
    Signal ready;
  };

  void Ask() {
    coming_ = std::make_shared<Coming>();
    stream_->Next([coming = coming_](absl::StatusOr<ScanPage> page) {
      coming->page = std::move(page);
      coming->ready.Set();
    });
  }

  void TakePage() {
    coming_->ready.Wait();
    absl::StatusOr<ScanPage> page = *std::move(coming_->page);
    record_ = 0;
    offset_ = 0;
    if (!page.ok()) {
      page_ = ScanPage();
      ended_ = page.status();
      return;
    }
    page_ = *std::move(page);
    if (page_.end) {
      ended_ = filesystem_errors::ScanEnded();
    } else {
      Ask();
    }
  }

  const std::shared_ptr<Service> service_;
  const std::unique_ptr<ScanStream> stream_;
  std::shared_ptr<Coming> coming_;
  ScanPage page_;
  size_t record_ = 0;   // next in page_
  size_t offset_ = 0;   // of it in the page's data
  absl::Status ended_;  // not OK: what comes after the records of page_
};

}  // namespace

std::unique_ptr<Scanner> MakePrefetchingScanner(std::shared_ptr<Service> service,
                                                ScanRequest request) {
  return std::make_unique<PrefetchingScanner>(std::move(service), std::move(request));
}

}  // namespace quire
