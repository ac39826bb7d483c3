#include "client/filesystem/file_stream.h"

#include <utility>

#include "client/filesystem/batch_queue.h"
#include "client/filesystem/errors.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

// What operations get that are called for after the stream ended.
absl::Status AfterEnd(const absl::Status& status, const std::string& where) {
  const ErrorNumber number = NumberOf(status);
  if (status.ok() || number == ErrorNumber::kPathDown || number == ErrorNumber::kVolumeDown) {
    return filesystem_errors::OpenBroken(
        where, status.ok() ? "the open was ended" : ToStd(status.message()));
  }
  return status;
}

}  // namespace

absl::StatusOr<Opened> FileStream::AwaitOpened() {
  opened_signal_.Wait();
  return *opened_;
}

void FileStream::OnOpened(absl::StatusOr<Opened> opened) {
  if (opened.ok()) gate_.SetLimit(opened->credits);
  opened_ = std::move(opened);
  opened_signal_.Set();
}

void FileStream::Submit(Session& session, PendingBatch batch) {
  gate_.Take();
  absl::Status ended;
  {
    MutexLock lock(&mutex_);
    if (closed_) {
      ended = AfterEnd(closed_status_, where_);
    } else {
      batch.operations.first_sequence = next_sequence_;
      next_sequence_ += batch.operations.size();
      waiting_.push_back(std::move(batch.completions));
    }
  }
  if (ended.ok()) {
    session.Submit(std::move(batch.operations));
    return;
  }
  FailAll(std::move(batch.completions), ended);
  gate_.Give();
}

void FileStream::OnResults(BatchResult result) {
  Completions completions;
  {
    MutexLock lock(&mutex_);
    if (waiting_.empty()) return;  // more results than batches: bytes from the wire
    completions = std::move(waiting_.front());
    waiting_.pop_front();
  }
  CompleteResult(&result, completions.size(), where_);
  for (size_t i = 0; i < completions.size(); ++i) {
    std::move(completions[i])(result.results[i].status, result.record(i));
  }
  gate_.Give();
}

void FileStream::OnClosed(absl::Status status) {
  std::deque<Completions> lost;
  {
    MutexLock lock(&mutex_);
    closed_ = true;
    closed_status_ = status;
    lost.swap(waiting_);
  }
  if (!opened_signal_.IsSet()) {
    OnOpened(AfterEnd(status, where_));
  }
  const absl::Status unknown = filesystem_errors::OutcomeUnknown(
      where_, status.ok() ? "the open was ended" : ToStd(status.message()));
  for (Completions& completions : lost) {
    FailAll(std::move(completions), unknown);
    gate_.Give();
  }
  closed_signal_.Set();
}

void FileStream::FailAll(Completions completions, const absl::Status& status) {
  for (File::Completion& completion : completions) std::move(completion)(status, {});
}

absl::Status FileStream::status() {
  MutexLock lock(&mutex_);
  return closed_ ? AfterEnd(closed_status_, where_) : absl::OkStatus();
}

absl::Status FileStream::AwaitClosed() {
  closed_signal_.Wait();
  MutexLock lock(&mutex_);
  return closed_status_;
}

}  // namespace quire
