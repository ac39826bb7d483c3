#include <optional>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/unit/filesystem/fake_volume.h"

namespace quire::testing {

// Scans and loads of FakeVolume.

class FakeScan : public ScanStream {
 public:
  FakeScan(FakeVolume* volume, ScanRequest request, Failure failure)
      : volume_(volume), request_(std::move(request)), failure_(std::move(failure)) {}

  // Two records a page.
  void Next(Done<ScanPage> done) override {
    absl::StatusOr<ScanPage> page = failure_.status.ok() ? Page() : failure_.status;
    volume_->Run([page = std::move(page), done = std::move(done)]() mutable {
      std::move(done)(std::move(page));
    });
  }

 private:
  absl::StatusOr<ScanPage> Page() {
    MutexLock lock(&volume_->mutex_);
    const absl::StatusOr<FakeVolume::Disc*> disc = volume_->Find(request_.file);
    if (!disc.ok()) return disc.status();
    if (volume_->down_) return MakeError(ErrorNumber::kVolumeDown, "down", Retry::kSafe);
    ScanPage page;
    while (page.chunk.size() < 2) {
      const std::optional<std::string> key = NextKey((*disc)->records);
      if (!key || (request_.max_records > 0 && given_ == request_.max_records)) {
        page.end = true;
        break;
      }
      page.chunk.Add((*disc)->records.at(*key));
      page.chunk.last_key = *key;
      last_ = *key;
      ++given_;
    }
    return page;
  }

  std::optional<std::string> NextKey(const std::map<std::string, std::string>& records) const {
    std::vector<std::string> keys;
    for (const auto& [key, record] : records) {
      if (!request_.range.Contains(key)) continue;
      if (request_.start_exclusive && key == request_.range.start) continue;
      if (last_ && (request_.reverse ? key >= *last_ : key <= *last_)) continue;
      keys.push_back(key);
    }
    if (keys.empty()) return std::nullopt;
    return request_.reverse ? keys.back() : keys.front();
  }

  FakeVolume* const volume_;
  const ScanRequest request_;
  const Failure failure_;
  std::optional<std::string> last_;
  uint64_t given_ = 0;
};

std::unique_ptr<ScanStream> FakeVolume::Scan(ScanRequest request) {
  Failure failure = Enter("Scan");
  {
    MutexLock lock(&mutex_);
    scan_requests_.push_back(request);
  }
  return std::make_unique<FakeScan>(this, std::move(request), std::move(failure));
}

class FakeLoad : public LoadStream {
 public:
  FakeLoad(FakeVolume* volume, LoadRequest request, Failure failure)
      : volume_(volume), request_(std::move(request)), failure_(std::move(failure)) {}

  void Send(RecordChunk chunk, Done<LoadAnswer> done) override {
    absl::StatusOr<LoadAnswer> answer = failure_.status.ok() ? Insert(chunk) : failure_.status;
    volume_->Run([answer = std::move(answer), done = std::move(done)]() mutable {
      std::move(done)(std::move(answer));
    });
  }
  void Finish(DoneStatus done) override {
    volume_->Run([done = std::move(done)]() mutable { std::move(done)(absl::OkStatus()); });
  }

 private:
  absl::StatusOr<LoadAnswer> Insert(const RecordChunk& chunk) {
    if (stopped_) return MakeError(ErrorNumber::kBadParameter, "the load has stopped");
    MutexLock lock(&volume_->mutex_);
    const absl::StatusOr<FakeVolume::Disc*> disc = volume_->Find(request_.file);
    if (!disc.ok()) return disc.status();
    LoadAnswer answer;
    answer.chunk = chunks_++;
    size_t offset = 0;
    for (uint32_t i = 0; i < chunk.size() && !stopped_; ++i) {
      Operation write;
      write.kind = OperationKind::kWrite;
      write.record = std::string_view(chunk.data).substr(offset, chunk.lengths[i]);
      offset += chunk.lengths[i];
      std::string unused;
      const OperationResult result = volume_->ExecuteOne(**disc, write, &unused);
      if (result.status.ok()) {
        ++answer.accepted;
      } else {
        answer.refused.emplace_back(i, result.status);
        stopped_ = !request_.continue_on_error;
      }
    }
    answer.stopped = stopped_;
    return answer;
  }

  FakeVolume* const volume_;
  const LoadRequest request_;
  const Failure failure_;
  uint64_t chunks_ = 0;
  bool stopped_ = false;
};

std::unique_ptr<LoadStream> FakeVolume::Load(LoadRequest request) {
  return std::make_unique<FakeLoad>(this, std::move(request), Enter("Load"));
}

// ---- Listings -------------------------------------------------------------------------------

void FakeVolume::ListOpens(ListOpensRequest request, Done<ListOpensPage> done) {
  const Failure failure = Enter("ListOpens");
  if (!failure.status.ok()) return std::move(done)(failure.status);
  ListOpensPage page;
  {
    MutexLock lock(&mutex_);
    for (const auto& [id, standing] : standing_) {
      OpenInfo& info = page.opens.emplace_back();
      info.file = request.file.name;
      info.open_id = id;
    }
  }
  std::move(done)(std::move(page));
}

// The token is the last key of the page before.
void FakeVolume::ListLocks(ListLocksRequest request, Done<ListLocksPage> done) {
  const Failure failure = Enter("ListLocks");
  if (!failure.status.ok()) return std::move(done)(failure.status);
  ListLocksPage page;
  {
    MutexLock lock(&mutex_);
    for (auto one = locks_.upper_bound(request.page_token); one != locks_.end(); ++one) {
      if (request.page_size > 0 && page.locks.size() == request.page_size) {
        page.next_page_token = page.locks.back().key;
        break;
      }
      page.locks.emplace_back().key = one->first;
    }
  }
  std::move(done)(std::move(page));
}

}  // namespace quire::testing
