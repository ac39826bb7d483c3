#include "client/filesystem/partitioned_scan.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "client/filesystem/errors.h"
#include "quire/error.h"
#include "quire/mutex.h"

namespace quire {
namespace {

// One Next at a time, so that all but `stream_` is used by one thread after the other.
class ScanState : public std::enable_shared_from_this<ScanState> {
 public:
  ScanState(std::shared_ptr<Routing> routing, ScanRequest request)
      : routing_(std::move(routing)), request_(std::move(request)), left_(request_.max_records) {}

  void Next(Done<ScanPage> done) {
    if (ended_) {
      std::move(done)(filesystem_errors::ScanEnded());
      return;
    }
    done_ = std::move(done);
    label_ == nullptr ? FetchLabel() : ReadOn();
  }

  void Cancel() {
    std::shared_ptr<ScanStream> stream;  // destroyed outside of the lock
    MutexLock lock(&mutex_);
    cancelled_ = true;
    stream.swap(stream_);
  }

 private:
  void FetchLabel() {
    routing_->FetchLabel(request_.file,
                         [self = shared_from_this()](absl::StatusOr<Label> label) mutable {
                           if (!label.ok()) {
                             self->Fail(label.status());
                             return;
                           }
                           self->label_ = *std::move(label);
                           self->ListPartitions();
                           self->ReadOn();
                         });
  }

  void ListPartitions() {
    partitions_.clear();
    for (uint32_t i = 0; i < PartitionCount(label_->attributes); ++i) {
      if (request_.range.Intersect(PartitionRange(label_->attributes, i)).IsEmpty()) continue;
      request_.reverse ? partitions_.push_front(i) : partitions_.push_back(i);
    }
  }

  void ReadOn() {
    if (partitions_.empty()) {
      ended_ = true;
      ScanPage nothing;
      nothing.end = true;
      std::move(done_)(std::move(nothing));
      return;
    }
    absl::StatusOr<std::shared_ptr<ScanStream>> stream = Stream();
    if (!stream.ok()) {
      Fail(stream.status());
      return;
    }
    (*stream)->Next([self = shared_from_this()](absl::StatusOr<ScanPage> page) mutable {
      self->OnPage(std::move(page));
    });
  }

  // That of the partition at the front, started at need.
  absl::StatusOr<std::shared_ptr<ScanStream>> Stream() {
    {
      MutexLock lock(&mutex_);
      if (stream_ != nullptr) return stream_;
      if (cancelled_) return filesystem_errors::ScanEnded();
    }
    const uint32_t partition = partitions_.front();
    absl::Status down = routing_->opens().Check(request_.file.open_id, partition);
    if (!down.ok()) return down;
    const FileReference address = AddressOf(*label_, partition).file;
    absl::StatusOr<std::shared_ptr<Service>> volume = routing_->volumes().Find(address.name.volume);
    if (!volume.ok()) return volume.status();

    ScanRequest request = request_;
    request.file.name = address.name;
    request.file.create_id = address.create_id;
    request.range = request_.range.Intersect(PartitionRange(label_->attributes, partition));
    // Only the partition that holds the start itself has to leave it out.
    request.start_exclusive =
        request_.start_exclusive && request.range.start == request_.range.start;
    request.max_records = left_;
    std::shared_ptr<ScanStream> started = (*volume)->Scan(std::move(request));
    MutexLock lock(&mutex_);
    if (!cancelled_) stream_ = started;
    return started;
  }

  void OnPage(absl::StatusOr<ScanPage> page) {
    if (!page.ok()) {
      const std::string& volume = PartitionVolume(*label_, partitions_.front());
      DropStream();
      if (last_key_.empty() && !refetched_ && routing_->IsStale(page.status(), label_)) {
        refetched_ = true;
        FetchLabel();
        return;
      }
      Fail(filesystem_errors::AsReadFailure(page.status(), volume));
      return;
    }
    const size_t given = page->chunk.size();
    if (given > 0) last_key_ = page->chunk.last_key;
    bool enough = false;
    if (request_.max_records > 0) {
      left_ -= std::min<uint64_t>(left_, given);
      enough = left_ == 0;
    }
    if (page->end) {
      DropStream();
      partitions_.pop_front();
      if (given == 0 && !partitions_.empty()) {
        ReadOn();
        return;
      }
    }
    page->end = enough || partitions_.empty();
    ended_ = page->end;
    std::move(done_)(std::move(page));
  }

  void DropStream() {
    std::shared_ptr<ScanStream> stream;
    MutexLock lock(&mutex_);
    stream.swap(stream_);
  }

  void Fail(const absl::Status& status) {
    ended_ = true;
    std::move(done_)(filesystem_errors::ScanBroken(status, last_key_));
  }

  const std::shared_ptr<Routing> routing_;
  const ScanRequest request_;
  Label label_;
  std::deque<uint32_t> partitions_;  // still to be read, the one being read first
  uint64_t left_;                    // of max_records
  std::string last_key_;
  bool refetched_ = false;
  bool ended_ = false;
  Done<ScanPage> done_;

  Mutex mutex_;
  std::shared_ptr<ScanStream> stream_ ABSL_GUARDED_BY(mutex_);
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
};

class PartitionedScan : public ScanStream {
 public:
  explicit PartitionedScan(std::shared_ptr<ScanState> state) : state_(std::move(state)) {}
  ~PartitionedScan() override { state_->Cancel(); }

  void Next(Done<ScanPage> done) override { state_->Next(std::move(done)); }

 private:
  const std::shared_ptr<ScanState> state_;
};

}  // namespace

std::unique_ptr<ScanStream> ScanPartitions(std::shared_ptr<Routing> routing, ScanRequest request) {
  return std::make_unique<PartitionedScan>(
      std::make_shared<ScanState>(std::move(routing), std::move(request)));
}

}  // namespace quire
