#include "client/filesystem/load_file.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "client/filesystem/await.h"
#include "client/filesystem/credit_gate.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/mutex.h"

namespace quire {
namespace {

// Enough that a volume inserts one chunk while the next travels and a third is being packed, also
// while an audited file's trail waits for a sync of other files on its disc.
constexpr uint32_t kChunksUnderWay = 16;

// Answers of the chunks under way, in their order. Shared with the callbacks.
class LoadProgress {
 public:
  LoadProgress() { gate_.SetLimit(kChunksUnderWay); }

  void AwaitTurn() { gate_.Take(); }
  void AwaitAll() { gate_.AwaitIdle(); }

  bool GoesOn() {
    MutexLock lock(&mutex_);
    return !summary_.stopped && failure_.ok();
  }

  // `first` is the number of the chunk's first record.
  void OnAnswer(uint64_t first, absl::StatusOr<LoadAnswer> answer) {
    {
      MutexLock lock(&mutex_);
      if (answer.ok()) {
        summary_.accepted += answer->accepted;
        summary_.stopped = summary_.stopped || answer->stopped;
        for (auto& [index, status] : answer->refused) {
          summary_.refused.emplace_back(first + index, std::move(status));
        }
      } else if (!summary_.stopped) {
        // After a stop, chunks that were on their way are answered with 22: not news.
        failure_.Update(answer.status());
      }
    }
    gate_.Give();
  }

  absl::StatusOr<LoadSummary> Take() {
    MutexLock lock(&mutex_);
    if (!failure_.ok()) return failure_;
    return std::move(summary_);
  }

 private:
  CreditGate gate_;
  Mutex mutex_;
  LoadSummary summary_ ABSL_GUARDED_BY(mutex_);
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

absl::StatusOr<LoadSummary> LoadRecords(Service& service, FileReference file,
                                        File::RecordSource source, const LoadOptions& options) {
  LoadRequest request;
  request.file = std::move(file);
  request.continue_on_error = options.continue_on_error;
  const std::unique_ptr<LoadStream> stream = service.Load(std::move(request));
  const size_t chunk_bytes =
      options.chunk_bytes == 0 ? kDefaultChunkBytes : std::min(options.chunk_bytes, kMaxBatchBytes);
  auto progress = std::make_shared<LoadProgress>();
  RecordChunk chunk;
  uint64_t sent = 0;  // records
  const auto send = [&] {
    progress->AwaitTurn();
    const uint64_t first = sent;
    sent += chunk.size();
    stream->Send(std::exchange(chunk, RecordChunk()),
                 [progress, first](absl::StatusOr<LoadAnswer> answer) {
                   progress->OnAnswer(first, std::move(answer));
                 });
  };
  std::string_view record;
  while (progress->GoesOn() && source(&record)) {
    if (chunk.size() > 0 && chunk.data.size() + record.size() > chunk_bytes) send();
    if (chunk.size() == 0) chunk.data.reserve(chunk_bytes);
    chunk.Add(record);
  }
  if (chunk.size() > 0 && progress->GoesOn()) send();
  progress->AwaitAll();
  const absl::Status finished =
      Await<absl::Status>([&](auto done) { stream->Finish(std::move(done)); });
  absl::StatusOr<LoadSummary> summary = progress->Take();
  if (summary.ok() && !summary->stopped && !finished.ok()) return finished;
  return summary;
}

}  // namespace quire
