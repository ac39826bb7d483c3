// The operations of a File on their way: collected into batches, numbered, and their results
// matched with what is to be called for each. Shared by the File and its session.
//
// Adding and waiting: the one thread that uses the File. Cancel: any thread. Events: threads of the
// service. mutex_ is never held while the session or a completion is called.
#ifndef QUIRE_CLIENT_FILESYSTEM_FILE_STREAM_H_
#define QUIRE_CLIENT_FILESYSTEM_FILE_STREAM_H_

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/filesystem/credit_gate.h"
#include "client/filesystem/signal.h"
#include "quire/filesystem.h"
#include "quire/mutex.h"
#include "quire/service.h"

namespace quire {

// How operations are packed. Those of one slot travel together and keep their order.
struct Packing {
  size_t slots = 1;
  uint32_t operations = 1;       // a batch with so many leaves
  uint32_t bytes = UINT32_MAX;   // it never holds more
  uint32_t lock_timeout_ms = 0;  // OperationBatch
};

class FileStream : public SessionEvents {
 public:
  // `where` is named in errors: the file.
  explicit FileStream(std::string where) : where_(std::move(where)) {}

  absl::StatusOr<Opened> AwaitOpened();
  // Once, after a successful open.
  void Start(std::shared_ptr<Session> session, const Packing& packing);

  // Takes the operation into the slot's batch; sends that when it is full. Its number, from 1
  // upwards. After the stream has ended completions are called inside the call that sends.
  uint64_t Add(size_t slot, const Operation& operation, File::Completion done);
  // The same, and waits for the result; `record`, if not null, gets what a read found.
  struct Outcome {
    absl::Status status;
    ErrorNumber warning = ErrorNumber::kOk;
  };
  Outcome Execute(size_t slot, const Operation& operation, std::string* record);
  // Session::TryRead, when nothing is collected or under way that it could overtake.
  std::optional<absl::Status> TryRead(std::string_view key, std::string* record);
  // Takes an operation that travels with the next one added to the slot, which has `next_bytes`.
  void Hold(size_t slot, const Operation& operation, size_t next_bytes, File::Completion done);

  // Sends what is collected. `caller_waits`: see OperationBatch.
  void Send(size_t slot, bool caller_waits = false);
  void SendAllBut(size_t slot);
  void SendAll() { SendAllBut(SIZE_MAX); }
  // Waits until every completion of what was sent has run.
  void AwaitIdle() { gate_.AwaitIdle(); }

  // See File. An operation that was not sent yet is answered inside the call.
  void Cancel(uint64_t number);
  void CancelWait();

  // OK, or why the stream ended (before Close).
  absl::Status status();
  // Ends the open after what was sent; waits for the end. Afterwards only Cancel may be called.
  absl::Status Close();

  void OnOpened(absl::StatusOr<Opened> opened) override;
  void OnResults(BatchResult result) override;
  void OnClosed(absl::Status status) override;

 private:
  // A blocking call. Shared: the setter still touches the signal while the waiter already leaves.
  struct Answer {
    Outcome outcome;
    std::string record;
    Signal ready;
  };
  // An operation without a result: `answer` or `done` is to have it.
  struct Waiting {
    uint64_t number = 0;
    File::Completion done;
    std::shared_ptr<Answer> answer;
  };
  struct Collected {
    OperationBatch operations;
    std::vector<Waiting> waiting;  // one per operation
  };
  struct Sent {
    uint64_t first_sequence = 0;
    std::vector<Waiting> waiting;
  };

  bool Fits(size_t slot, size_t operations, size_t bytes);
  uint64_t Take(size_t slot, const Operation& operation, Waiting waiting, bool* full);
  // Of an operation with this number that was not sent yet, and of one that was.
  std::optional<Waiting> TakeCollected(uint64_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::optional<uint64_t> SequenceOf(uint64_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Complete(Waiting waiting, const OperationResult& result, std::string_view record);
  static void FailAll(std::vector<Waiting> waiting, const absl::Status& status);

  const std::string where_;
  Packing packing_;
  Signal opened_signal_;
  Signal closed_signal_;
  CreditGate gate_;
  std::optional<absl::StatusOr<Opened>> opened_;  // before opened_signal_

  Mutex mutex_;
  std::shared_ptr<Session> session_ ABSL_GUARDED_BY(mutex_);
  std::vector<Collected> slots_ ABSL_GUARDED_BY(mutex_);
  // Of the batch sent last: the next one gets its room at once.
  size_t usual_operations_ ABSL_GUARDED_BY(mutex_) = 1;
  size_t usual_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::deque<Sent> sent_ ABSL_GUARDED_BY(mutex_);  // oldest batch first
  uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  uint64_t next_sequence_ ABSL_GUARDED_BY(mutex_) = 1;
  uint64_t acked_through_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t blocking_ ABSL_GUARDED_BY(mutex_) = 0;  // number of the blocking call; 0: none
  // The batch that is being handed to the session; a Cancel for it has to wait until that is done.
  uint64_t submitting_ ABSL_GUARDED_BY(mutex_) = 0;  // its first sequence; 0: none
  std::vector<uint64_t> cancel_later_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status closed_status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_FILE_STREAM_H_
