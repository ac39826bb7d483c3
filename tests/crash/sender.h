// Who sends changes in a history: an open over a session, or a program that makes single calls.
// Keeps what it sent, so that after a crash it can go on with the open and send again what had no
// answer (R-S2, R-D10).
#ifndef QUIRE_TESTS_CRASH_SENDER_H_
#define QUIRE_TESTS_CRASH_SENDER_H_

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quire/service.h"
#include "server/volume/volume.h"
#include "tests/crash/change_log.h"

namespace quire::test {

std::string NameOfFile(int file);
FileReference ReferenceTo(int file);

// An answer and when it came.
template <typename T>
struct Timed {
  absl::StatusOr<T> result;
  Moment at = kNever;
};
using TimedResult = Timed<BatchResult>;

// Changes that went in one message.
struct SentBatch {
  std::vector<size_t> changes;  // places in the log
  uint64_t first_sequence = 0;  // 0: not numbered, never sent again
  uint64_t acked_through = 0;   // as it was told
  Moment submitted = 0;
  Moment answered = kNever;
  std::optional<OpenState> state = {};  // that its result carried

  bool IsAnsweredBy(Moment moment) const { return answered != kNever && answered <= moment; }
};

class Sender {
 public:
  using Now = std::function<Moment()>;

  // `id`: of the open, or of the program. Single calls without a number have `id` 0.
  Sender(int file, bool is_session, uint64_t id, Now now);
  ~Sender();

  int file() const { return file_; }
  bool is_session() const { return is_session_; }
  bool is_numbered() const { return id_ != 0; }
  const std::vector<SentBatch>& sent() const { return sent_; }
  Moment opened_at() const { return opened_at_; }

  // Opens the session; nothing for single calls.
  absl::Status Open(Volume& volume);
  // Ends the session as a broken connection does.
  void Drop();

  // Sends operations that stand for `changes`, with the next numbers; a single call carries one.
  // `acked_through`: at most what HasAnswersTo allows. Answered through the future.
  std::future<TimedResult> Send(Volume& volume, OperationBatch batch, std::vector<size_t> changes,
                                uint64_t acked_through);
  // The answer to batch `place` of sent().
  void Note(size_t place, const TimedResult& result);
  // Highest number up to which all results have come by `moment`.
  uint64_t HasAnswersTo(Moment moment) const;
  // `least`, and the ends of batches between it and `most`: what a user may say it has.
  std::vector<uint64_t> BatchEnds(uint64_t least, uint64_t most) const;
  // Highest acked_through told in what was sent by `moment`.
  uint64_t ToldUntil(Moment moment) const;

  // Goes on after a crash at `moment`. The batches whose answers had not come may be sent again.
  // Nothing when the open did not exist then.
  absl::StatusOr<Opened> Resume(Volume& volume, Moment moment, uint64_t acked_through);
  // The same message as sent()[place] once more; `batch` holds its operations.
  std::future<TimedResult> Repeat(Volume& volume, size_t place, OperationBatch batch,
                                  uint64_t acked_through);
  // A new message of one operation that changes nothing; it is not kept.
  std::future<TimedResult> Probe(Volume& volume, OperationBatch batch, uint64_t acked_through);

 private:
  struct Events;

  std::future<TimedResult> Submit(Volume& volume, OperationBatch batch);
  absl::StatusOr<Opened> OpenWith(Volume& volume, OpenRequest request);

  const int file_;
  const bool is_session_;
  const uint64_t id_;
  const Now now_;
  uint64_t next_sequence_ = 1;
  Moment opened_at_ = kNever;
  OpenState first_state_;
  std::vector<SentBatch> sent_;
  std::shared_ptr<Events> events_;
  std::unique_ptr<Session> session_;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_SENDER_H_
