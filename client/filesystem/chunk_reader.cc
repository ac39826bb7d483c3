#include "client/filesystem/chunk_reader.h"

#include <deque>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "client/filesystem/errors.h"
#include "quire/mutex.h"

namespace quire {

// Keeps as many pages in hand or under way as are wanted. Callbacks may outlive the reader.
class ChunkReader::Fetcher : public std::enable_shared_from_this<Fetcher> {
 public:
  explicit Fetcher(std::unique_ptr<ScanStream> stream) : stream_(std::move(stream)) {}

  // Sees to it that so many pages are in hand or come. Does not wait.
  void Want(size_t pages) {
    {
      MutexLock lock(&mutex_);
      wanted_ = pages;
    }
    Fetch();
  }

  // Waits for the next page; `ahead` more are wanted behind it.
  absl::StatusOr<ScanPage> Take(size_t ahead) {
    Want(ahead + 1);
    MutexLock lock(&mutex_);
    while (pages_.empty()) arrived_.Wait(&mutex_);
    absl::StatusOr<ScanPage> page = std::move(pages_.front());
    pages_.pop_front();
    wanted_ = ahead;
    return page;
  }

  // Waits until no other thread is in the stream: the service must not go with one of its own.
  void Cancel() {
    std::unique_ptr<ScanStream> stream;  // destroyed outside of the lock
    MutexLock lock(&mutex_);
    ended_ = true;
    while (calls_ > 0) called_.Wait(&mutex_);
    stream = std::move(stream_);
  }

 private:
  // One Next at a time. A service that answers inside of it calls this again from there; how deep
  // is bounded by the pages wanted.
  void Fetch() {
    ScanStream* stream = nullptr;
    {
      MutexLock lock(&mutex_);
      if (asked_ || ended_ || pages_.size() >= wanted_) return;
      asked_ = true;
      ++calls_;
      stream = stream_.get();
    }
    stream->Next([self = shared_from_this()](absl::StatusOr<ScanPage> page) {
      self->OnPage(std::move(page));
    });
    MutexLock lock(&mutex_);
    if (--calls_ == 0) called_.Signal();
  }

  void OnPage(absl::StatusOr<ScanPage> page) {
    {
      MutexLock lock(&mutex_);
      asked_ = false;
      ended_ = ended_ || !page.ok() || page->end;
      pages_.push_back(std::move(page));
      arrived_.Signal();
    }
    Fetch();
  }

  Mutex mutex_;
  CondVar arrived_;
  CondVar called_;
  std::unique_ptr<ScanStream> stream_ ABSL_GUARDED_BY(mutex_);
  std::deque<absl::StatusOr<ScanPage>> pages_ ABSL_GUARDED_BY(mutex_);
  size_t wanted_ ABSL_GUARDED_BY(mutex_) = 0;
  bool asked_ ABSL_GUARDED_BY(mutex_) = false;  // a page is under way
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;  // none is to come any more
  uint32_t calls_ ABSL_GUARDED_BY(mutex_) = 0;  // of Next that have not returned
};

ChunkReader::ChunkReader(std::shared_ptr<Service> service, ScanRequest request,
                         ReadAhead read_ahead)
    : service_(std::move(service)),
      fetcher_(std::make_shared<Fetcher>(service_->Scan(std::move(request)))),
      read_ahead_(read_ahead) {}

ChunkReader::~ChunkReader() {
  fetcher_->Cancel();
}

void ChunkReader::Start() {
  fetcher_->Want(1);
}

absl::StatusOr<std::string_view> ChunkReader::Next() {
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

void ChunkReader::TakePage() {
  if (page_.chunk.size() > 0) read_ahead_.ChunkUsed();
  absl::StatusOr<ScanPage> page = fetcher_->Take(read_ahead_.window());
  record_ = 0;
  offset_ = 0;
  if (!page.ok()) {
    page_ = ScanPage();
    ended_ = page.status();
    return;
  }
  page_ = *std::move(page);
  if (page_.end) ended_ = filesystem_errors::ScanEnded();
}

}  // namespace quire
