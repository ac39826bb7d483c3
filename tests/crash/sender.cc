#include "tests/crash/sender.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "quire/mutex.h"
#include "quire/text.h"

namespace quire::test {

std::string NameOfFile(int file) {
  return StrCat("$DATA01.CRASH.FILE", file);
}

FileReference ReferenceTo(int file) {
  return FileReference{*ParseFileName(NameOfFile(file)), 0, 0, "crash test"};
}

// Keeps nothing but promises: who asked waits for its own.
struct Sender::Events : SessionEvents {
  explicit Events(Now clock) : now(std::move(clock)) {}

  void OnOpened(absl::StatusOr<Opened> answer) override { opened.set_value(std::move(answer)); }
  void OnResults(BatchResult result) override {
    const Moment at = now();
    std::promise<TimedResult> next;
    {
      MutexLock lock(&mutex);
      next = std::move(waiting.front());
      waiting.pop_front();
    }
    next.set_value({std::move(result), at});
  }
  void OnClosed(absl::Status status) override {
    std::deque<std::promise<TimedResult>> left;
    {
      MutexLock lock(&mutex);
      closed = status.ok() ? MakeError(ErrorNumber::kVolumeDown, "the session ended") : status;
      left.swap(waiting);
    }
    for (std::promise<TimedResult>& promise : left) promise.set_value({closed, kNever});
  }

  const Now now;
  std::promise<absl::StatusOr<Opened>> opened;
  Mutex mutex;
  std::deque<std::promise<TimedResult>> waiting ABSL_GUARDED_BY(mutex);
  absl::Status closed ABSL_GUARDED_BY(mutex);
};

Sender::Sender(int file, bool is_session, uint64_t id, Now now)
    : file_(file), is_session_(is_session), id_(id), now_(std::move(now)) {}

Sender::~Sender() = default;

absl::StatusOr<Opened> Sender::OpenWith(Volume& volume, OpenRequest request) {
  request.file = ReferenceTo(file_);
  request.file.open_id = id_;
  events_ = std::make_shared<Events>(now_);
  session_ = volume.OpenSession(std::move(request), events_);
  return events_->opened.get_future().get();
}

absl::Status Sender::Open(Volume& volume) {
  if (!is_session_) return absl::OkStatus();
  const absl::StatusOr<Opened> opened = OpenWith(volume, {});
  opened_at_ = now_();
  if (opened.ok()) first_state_ = opened->state;
  return opened.status();
}

void Sender::Drop() {
  session_.reset();
  events_.reset();
}

std::future<TimedResult> Sender::Submit(Volume& volume, OperationBatch batch) {
  std::promise<TimedResult> promise;
  std::future<TimedResult> answer = promise.get_future();
  if (is_session_) {
    {
      MutexLock lock(&events_->mutex);
      if (!events_->closed.ok()) {
        promise.set_value({events_->closed, kNever});
        return answer;
      }
      events_->waiting.push_back(std::move(promise));
    }
    session_->Submit(std::move(batch));
    return answer;
  }
  UnaryRequest request{ReferenceTo(file_), std::move(batch)};
  request.file.client_id = id_;
  auto shared = std::make_shared<std::promise<TimedResult>>(std::move(promise));
  volume.Execute(std::move(request), [shared, now = now_](absl::StatusOr<BatchResult> result) {
    const Moment at = now();
    shared->set_value({std::move(result), at});
  });
  return answer;
}

std::future<TimedResult> Sender::Send(Volume& volume, OperationBatch batch,
                                      std::vector<size_t> changes, uint64_t acked_through) {
  const uint64_t count = changes.size();
  SentBatch sent{std::move(changes), 0, 0, now_()};
  if (id_ != 0) {
    sent.first_sequence = batch.first_sequence = next_sequence_;
    sent.acked_through = batch.acked_through = acked_through;
    next_sequence_ += count;
  }
  sent_.push_back(std::move(sent));
  return Submit(volume, std::move(batch));
}

void Sender::Note(size_t place, const TimedResult& result) {
  if (!result.result.ok()) return;
  // A volume that latched says of each operation that its outcome is unknown: no answer.
  for (const OperationResult& one : result.result->results) {
    if (NumberOf(one.status) == ErrorNumber::kVolumeDown) return;
  }
  sent_[place].answered = result.at;
  sent_[place].state = result.result->state;
}

uint64_t Sender::HasAnswersTo(Moment moment) const {
  uint64_t through = 0;
  for (const SentBatch& batch : sent_) {
    if (!batch.IsAnsweredBy(moment)) break;
    through = batch.first_sequence + batch.changes.size() - 1;
  }
  return through;
}

std::vector<uint64_t> Sender::BatchEnds(uint64_t least, uint64_t most) const {
  std::vector<uint64_t> ends = {least};
  for (const SentBatch& batch : sent_) {
    const uint64_t end = batch.first_sequence + batch.changes.size() - 1;
    if (end > least && end <= most) ends.push_back(end);
  }
  return ends;
}

uint64_t Sender::ToldUntil(Moment moment) const {
  uint64_t told = 0;
  for (const SentBatch& batch : sent_) {
    if (batch.submitted <= moment) told = std::max(told, batch.acked_through);
  }
  return told;
}

absl::StatusOr<Opened> Sender::Resume(Volume& volume, Moment moment, uint64_t acked_through) {
  OpenState state = first_state_;
  for (const SentBatch& batch : sent_) {
    if (batch.IsAnsweredBy(moment) && batch.state.has_value()) state = *batch.state;
  }
  OpenRequest request;
  request.resume = OpenResume{std::move(state), acked_through};
  return OpenWith(volume, std::move(request));
}

std::future<TimedResult> Sender::Repeat(Volume& volume, size_t place, OperationBatch batch,
                                        uint64_t acked_through) {
  batch.first_sequence = sent_[place].first_sequence;
  batch.acked_through = acked_through;
  return Submit(volume, std::move(batch));
}

std::future<TimedResult> Sender::Probe(Volume& volume, OperationBatch batch,
                                       uint64_t acked_through) {
  batch.first_sequence = next_sequence_++;
  batch.acked_through = acked_through;
  return Submit(volume, std::move(batch));
}

}  // namespace quire::test
