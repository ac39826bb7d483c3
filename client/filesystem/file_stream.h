// The reply side of a File: matches results with the completions of their operations, and lets the
// File's user wait. Shared by the File and its session.
//
// Submitting and waiting: the one thread that uses the File. Events: threads of the service.
#ifndef QUIRE_CLIENT_FILESYSTEM_FILE_STREAM_H_
#define QUIRE_CLIENT_FILESYSTEM_FILE_STREAM_H_

#include <deque>
#include <optional>
#include <string>
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

// Operations collected for one message, with what is to be called for each.
struct PendingBatch {
  OperationBatch operations;
  std::vector<File::Completion> completions;

  bool empty() const { return completions.empty(); }
};

class FileStream : public SessionEvents {
 public:
  // `where` is named in errors: the file.
  explicit FileStream(std::string where) : where_(std::move(where)) {}

  absl::StatusOr<Opened> AwaitOpened();

  // Waits for a credit, then hands the batch to the session. After the stream has ended its
  // completions are called at once, inside this call.
  void Submit(Session& session, PendingBatch batch);
  // Waits until every completion has run.
  void AwaitIdle() { gate_.AwaitIdle(); }
  // OK, or why the stream ended (before Close).
  absl::Status status();
  // Waits for the end of the stream; its status.
  absl::Status AwaitClosed();

  void OnOpened(absl::StatusOr<Opened> opened) override;
  void OnResults(BatchResult result) override;
  void OnClosed(absl::Status status) override;

 private:
  using Completions = std::vector<File::Completion>;

  static void FailAll(Completions completions, const absl::Status& status);

  const std::string where_;
  Signal opened_signal_;
  Signal closed_signal_;
  CreditGate gate_;
  std::optional<absl::StatusOr<Opened>> opened_;  // before opened_signal_

  Mutex mutex_;
  std::deque<Completions> waiting_ ABSL_GUARDED_BY(mutex_);  // oldest batch first
  uint64_t next_sequence_ ABSL_GUARDED_BY(mutex_) = 1;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status closed_status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_FILE_STREAM_H_
