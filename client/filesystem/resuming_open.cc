#include "client/filesystem/resuming_open.h"

#include <algorithm>
#include <utility>

#include "client/filesystem/errors.h"
#include "client/filesystem/new_id.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {
namespace {

// A stream that lived so long was a good one: its break begins an outage of its own, though no
// result came (operations may wait for locks).
constexpr int64_t kProvenMicros = 1'000'000;
// The one attempt for an operation on an open that was given up.
constexpr int64_t kOneTryMicros = 1'000'000;

constexpr int64_t kFirstPauseMicros = 10'000;
constexpr int64_t kLongestPauseMicros = 500'000;

// Does not keep the open alive: a service may hold events longer than their session.
class StreamEvents : public SessionEvents {
 public:
  StreamEvents(std::weak_ptr<ResumingOpen> open, uint64_t stream)
      : open_(std::move(open)), stream_(stream) {}

  void OnOpened(absl::StatusOr<Opened> opened) override {
    if (auto open = open_.lock()) open->OnOpened(stream_, std::move(opened));
  }
  void OnResults(BatchResult result) override {
    if (auto open = open_.lock()) open->OnResults(stream_, std::move(result));
  }
  void OnClosed(absl::Status status) override {
    if (auto open = open_.lock()) open->OnClosed(stream_, status);
  }

 private:
  const std::weak_ptr<ResumingOpen> open_;
  const uint64_t stream_;
};

std::string ReasonOf(const absl::Status& status) {
  return status.ok() ? "it ended the open without a reason" : std::string(status.message());
}

}  // namespace

bool IsConnectionLost(const absl::Status& status) {
  const ErrorNumber number = NumberOf(status);
  return number == ErrorNumber::kPathDown || number == ErrorNumber::kVolumeDown;
}

int64_t RetryPauseMicros(uint32_t attempt) {
  if (attempt == 0) return 0;
  const int64_t pause =
      std::min(kLongestPauseMicros, kFirstPauseMicros << std::min(attempt - 1, 6u));
  return pause - static_cast<int64_t>(NewId() % static_cast<uint64_t>(pause / 2));
}

ResumingOpen::ResumingOpen(std::shared_ptr<Service> service, OpenRequest request,
                           std::shared_ptr<SessionEvents> events, ResumePolicy policy)
    : service_(std::move(service)),
      events_(std::move(events)),
      policy_(std::move(policy)),
      where_(request.file.name.volume),
      request_(std::move(request)),
      queue_(/*repeats=*/request_.sync_depth > 0, where_),
      credits_(kSessionCredits) {
  if (request_.resume) {
    state_ = request_.resume->state;
    acked_through_ = request_.resume->acked_through;
  }
}

absl::Status ResumingOpen::Unknown(const absl::Status& cause) const {
  return filesystem_errors::OutcomeUnknown(where_, ReasonOf(cause));
}

// ---- Streams ----------------------------------------------------------------------------------

void ResumingOpen::Connect(uint64_t stream) {
  OpenRequest request;
  {
    MutexLock lock(&mutex_);
    const bool wanted = phase_ == Phase::kOpening || phase_ == Phase::kLost;
    if (!wanted || stream != stream_) return;
    request = request_;
    if (phase_ == Phase::kLost) request.resume = OpenResume{state_, acked_through_};
  }
  std::shared_ptr<Session> session = service_->OpenSession(
      std::move(request), std::make_shared<StreamEvents>(weak_from_this(), stream));
  {
    MutexLock lock(&mutex_);
    if (stream == stream_ && phase_ != Phase::kAbandoned) session_.swap(session);
  }
  Work();
}

void ResumingOpen::ConnectLater(int64_t pause_micros) {
  policy_.timer->After(pause_micros, [weak = weak_from_this(), stream = stream_] {
    if (auto open = weak.lock()) open->Connect(stream);
  });
}

void ResumingOpen::OnOpened(uint64_t stream, absl::StatusOr<Opened> opened) {
  if (!opened.ok()) {
    OnClosed(stream, opened.status());
    return;
  }
  {
    MutexLock lock(&mutex_);
    if (stream != stream_ || (phase_ != Phase::kOpening && phase_ != Phase::kLost)) return;
    stream_credits_ = std::max(1u, opened->credits);
    opened_micros_ = policy_.timer->NowMicros();
    only_try_ = false;
    if (phase_ == Phase::kOpening) {
      credits_ = opened->credits;
      limit_micros_ = absl::ToInt64Microseconds(policy_.retry_time);
      if (opened->lease_ms > 0) {
        limit_micros_ = std::min(limit_micros_, int64_t{opened->lease_ms} * 1000);
      }
      request_.resume.reset();
      // A file of the same name that takes its place must not be taken for it.
      if (opened->info.create_id != 0) request_.file.create_id = opened->info.create_id;
      state_ = opened->state;
      opened_ = std::move(opened);
    } else {
      // The position it tells may be one behind operations whose results are not here: those will
      // be repeated from where they began.
      state_.partitions = std::move(opened->state.partitions);
      if (!opened->answers_kept) {
        queue_.AnswersLost(filesystem_errors::OutcomeUnknown(where_, "it was started again"));
      }
      if (queue_.AllAnswered()) outage_since_.reset();
    }
    phase_ = Phase::kOpen;
  }
  Work();
}

void ResumingOpen::OnResults(uint64_t stream, BatchResult result) {
  {
    MutexLock lock(&mutex_);
    if (stream != stream_ || phase_ != Phase::kOpen) return;
    outage_since_.reset();
    attempts_ = 0;
    if (result.state) state_ = *result.state;
    queue_.Answer(std::move(result));
  }
  Work();
}

void ResumingOpen::OnClosed(uint64_t stream, const absl::Status& status) {
  {
    MutexLock lock(&mutex_);
    if (stream != stream_ || phase_ >= Phase::kEnded) return;
    if (phase_ == Phase::kOpening) {
      // Not opened: the user is told that, and nothing of what it has already submitted.
      queue_.Clear();
      opened_ = status.ok() ? filesystem_errors::OpenUnreachable(where_, ReasonOf(status)) : status;
      End(opened_->status());
    } else if (detaching_) {
      End(status.ok() ? filesystem_errors::OpenUnreachable(where_, "it is being stopped") : status);
    } else if (status.ok() && end_sent_) {
      queue_.FailAll(Unknown(status), Unknown(status));
      End(close_status_);
    } else if (status.ok() || IsConnectionLost(status)) {
      Lost(status);
    } else {
      Refused(status);
    }
  }
  Work();
}

void ResumingOpen::Lost(const absl::Status& status) {
  const int64_t now = policy_.timer->NowMicros();
  const bool proven = phase_ == Phase::kOpen && now - opened_micros_ >= kProvenMicros;
  DropStream();
  queue_.StreamLost(Unknown(status));
  phase_ = Phase::kLost;
  if (proven) outage_since_.reset();
  if (!outage_since_) StartOutage(now, limit_micros_);
  if (only_try_ || now - *outage_since_ >= limit_micros_) {
    GiveUp();
    return;
  }
  ConnectLater(RetryPauseMicros(attempts_++));
}

void ResumingOpen::StartOutage(int64_t now, int64_t limit_micros) {
  outage_since_ = now;
  ++outage_;
  policy_.timer->After(limit_micros, [weak = weak_from_this(), outage = outage_] {
    if (auto open = weak.lock()) open->EndOutage(outage);
  });
}

void ResumingOpen::EndOutage(uint64_t outage) {
  {
    MutexLock lock(&mutex_);
    // A stream that stands, though without results yet, is let be.
    if (outage != outage_ || phase_ != Phase::kLost) return;
    DropStream();
    GiveUp();
  }
  Work();
}

void ResumingOpen::GiveUp() {
  const absl::Status down = filesystem_errors::OpenUnreachable(where_, "no connection in time");
  queue_.FailAll(Unknown(down), down);
  outage_since_.reset();
  attempts_ = 0;
  only_try_ = false;
  phase_ = Phase::kGivenUp;
  if (closing_) End(close_status_);
}

void ResumingOpen::TryOnce() {
  phase_ = Phase::kLost;
  only_try_ = true;
  StartOutage(policy_.timer->NowMicros(), kOneTryMicros);
  ConnectLater(0);
}

void ResumingOpen::Refused(const absl::Status& status) {
  queue_.FailAll(Unknown(status), status);
  // What was to be closed and is not there any more is closed.
  const ErrorNumber number = NumberOf(status);
  const bool gone = number == ErrorNumber::kNotOpen || number == ErrorNumber::kReopen;
  End(closing_ && gone ? close_status_ : status);
}

void ResumingOpen::End(const absl::Status& status) {
  phase_ = Phase::kEnded;
  end_ = status;
}

void ResumingOpen::DropStream() {
  ++stream_;
  end_sent_ = false;
  cancels_.clear();
  if (session_ == nullptr) return;
  policy_.timer->After(0, [session = std::move(session_)] {});
  session_ = nullptr;
}

// ---- The user ---------------------------------------------------------------------------------

void ResumingOpen::Submit(OperationBatch batch) {
  {
    MutexLock lock(&mutex_);
    if (closing_ || detaching_ || phase_ >= Phase::kEnded) return;
    acked_through_ = std::max(acked_through_, batch.acked_through);
    if (queue_.size() >= credits_) {
      closing_ = true;
      close_status_ = filesystem_errors::TooManyBatches(credits_);
    } else {
      queue_.Push(std::move(batch));
    }
    if (phase_ == Phase::kGivenUp) TryOnce();
  }
  Work();
}

void ResumingOpen::Cancel(uint64_t sequence) {
  {
    MutexLock lock(&mutex_);
    // By way of the sender, so that it cannot overtake its operation.
    if (queue_.Cancel(sequence)) cancels_.push_back(sequence);
  }
  Work();
}

void ResumingOpen::Close() {
  {
    MutexLock lock(&mutex_);
    if (closing_ || detaching_) return;
    closing_ = true;
    if (phase_ == Phase::kGivenUp) TryOnce();
  }
  Work();
}

void ResumingOpen::Detach() {
  {
    MutexLock lock(&mutex_);
    if (detaching_ || phase_ >= Phase::kEnded) return;
    detaching_ = true;
    if (phase_ == Phase::kLost || phase_ == Phase::kGivenUp) {
      DropStream();
      End(filesystem_errors::OpenUnreachable(where_, "no connection in time"));
    }
  }
  Work();
}

void ResumingOpen::Abandon() {
  std::shared_ptr<Session> session;
  MutexLock lock(&mutex_);
  phase_ = Phase::kAbandoned;
  ++stream_;
  queue_.Clear();
  session.swap(session_);  // destroyed behind the lock
}

// ---- Batons -----------------------------------------------------------------------------------

void ResumingOpen::Send() {
  {
    MutexLock lock(&mutex_);
    if (sending_) return;
    sending_ = true;
  }
  while (true) {
    std::optional<ResendQueue::Outgoing> outgoing;
    std::vector<uint64_t> cancels;
    std::shared_ptr<Session> session;
    bool close = false;
    {
      MutexLock lock(&mutex_);
      const bool stands = phase_ == Phase::kOpen && session_ != nullptr;
      cancels.swap(cancels_);
      if (stands && !end_sent_) outgoing = queue_.NextToSend(stream_credits_);
      if (!outgoing && (cancels.empty() || !stands)) {
        close = closing_ && queue_.AllAnswered();
        if (!stands || end_sent_ || (!close && !detaching_)) {
          sending_ = false;
          return;
        }
        end_sent_ = true;
      }
      session = session_;
    }
    for (const uint64_t sequence : cancels) session->Cancel(sequence);
    if (outgoing) {
      session->Submit(std::move(outgoing->batch));
      for (const uint64_t sequence : outgoing->cancels) session->Cancel(sequence);
    } else if (!cancels.empty()) {
      continue;
    } else if (close) {
      session->Close();
    } else {
      session->Detach();
    }
  }
}

void ResumingOpen::Deliver() {
  {
    MutexLock lock(&mutex_);
    if (delivering_) return;
    delivering_ = true;
  }
  while (DeliverOne()) {
  }
}

bool ResumingOpen::DeliverOne() {
  std::optional<absl::StatusOr<Opened>> opened;
  std::optional<BatchResult> result;
  std::optional<absl::Status> end;
  {
    MutexLock lock(&mutex_);
    if (phase_ != Phase::kAbandoned) {
      if (opened_) {
        opened = std::exchange(opened_, std::nullopt);
        opened_told_ = true;
      } else if (opened_told_) {
        result = queue_.TakeFinished();
        if (!result) end = std::exchange(end_, std::nullopt);
      }
    }
    if (!opened && !result && !end) {
      delivering_ = false;
      return false;
    }
  }
  if (opened) {
    events_->OnOpened(*std::move(opened));
  } else if (result) {
    events_->OnResults(*std::move(result));
  } else {
    events_->OnClosed(*end);
  }
  return true;
}

}  // namespace quire
