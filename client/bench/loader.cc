#include "client/bench/loader.h"

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "client/bench/errors.h"
#include "client/bench/stop_signal.h"

namespace quire {
namespace bench {
namespace {

// Counts the operations under way and keeps the first refusal. Thread safe; completions share it,
// so that one that comes late finds it still there.
class Pipeline {
 public:
  void Begin() {
    absl::MutexLock lock(&mutex_);
    ++under_way_;
  }

  void End(uint64_t number, const absl::Status& status) {
    absl::MutexLock lock(&mutex_);
    --under_way_;
    if (status.ok()) return;
    // Partitions answer independently: keep the refusal that is first in the input.
    if (first_refusal_.ok() || number < refused_number_) {
      first_refusal_ = status;
      refused_number_ = number;
    }
  }

  uint32_t under_way() const {
    absl::MutexLock lock(&mutex_);
    return under_way_;
  }

  // Waits until at most `limit` operations are under way.
  void AwaitAtMost(uint32_t limit) {
    absl::MutexLock lock(&mutex_);
    limit_ = limit;
    mutex_.Await(absl::Condition(this, &Pipeline::AtLimit));
  }

  bool Refused() const {
    absl::MutexLock lock(&mutex_);
    return !first_refusal_.ok();
  }

  absl::Status Refusal(std::string_view noun) const {
    absl::MutexLock lock(&mutex_);
    if (first_refusal_.ok()) return absl::OkStatus();
    return RecordRefused(noun, refused_number_, first_refusal_);
  }

 private:
  bool AtLimit() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return under_way_ <= limit_; }

  mutable absl::Mutex mutex_;
  uint32_t under_way_ ABSL_GUARDED_BY(mutex_) = 0;
  uint32_t limit_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status first_refusal_ ABSL_GUARDED_BY(mutex_);
  uint64_t refused_number_ ABSL_GUARDED_BY(mutex_) = 0;
};

absl::StatusOr<uint64_t> LoadOneAtATime(RecordSource* source, File* file, LoadProgress progress) {
  std::string record;
  uint64_t number = 0;
  for (;;) {
    absl::StatusOr<bool> more = source->Next(&record);
    if (!more.ok()) return more.status();
    if (!*more) return number;
    ++number;
    if (absl::Status written = file->Write(record); !written.ok()) {
      return RecordRefused(source->noun(), number, written);
    }
    if (StopRequested() || !progress(number)) return Interrupted();
  }
}

absl::StatusOr<uint64_t> LoadPipelined(RecordSource* source, File* file, uint32_t in_flight,
                                       LoadProgress progress) {
  const auto pipeline = std::make_shared<Pipeline>();
  std::string record;
  uint64_t number = 0;
  absl::Status stopped;
  while (stopped.ok() && !pipeline->Refused()) {
    absl::StatusOr<bool> more = source->Next(&record);
    if (!more.ok()) stopped = more.status();
    if (!more.ok() || !*more) break;
    ++number;
    if (pipeline->under_way() >= in_flight) {
      // What is batched must leave, or nothing would come back. Filling up again only when half is
      // answered keeps the messages full over many partitions.
      file->Flush();
      pipeline->AwaitAtMost(in_flight / 2);
    }
    pipeline->Begin();
    file->WriteNowait(record, [pipeline, number](const absl::Status& status, std::string_view) {
      pipeline->End(number, status);
    });
    if (StopRequested() || !progress(number)) stopped = Interrupted();
  }
  const absl::Status streams = file->Wait();
  if (absl::Status refused = pipeline->Refusal(source->noun()); !refused.ok()) return refused;
  if (!stopped.ok()) return stopped;
  if (!streams.ok()) return streams;
  return number;
}

}  // namespace

absl::StatusOr<uint64_t> LoadRecords(RecordSource* source, File* file, uint32_t in_flight,
                                     LoadProgress progress) {
  if (in_flight <= 1) return LoadOneAtATime(source, file, progress);
  return LoadPipelined(source, file, in_flight, progress);
}

}  // namespace bench
}  // namespace quire
