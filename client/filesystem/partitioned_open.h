// The state of a PartitionedSession. The session owns it; callbacks under way keep it a moment
// longer.
//
// mutex_ is never held while a session, the user or the routing is called: each of them may call
// back at once. Two batons keep order instead: one thread at a time sends, one delivers; another
// that has something for them leaves it in the queue and goes.
#ifndef QUIRE_CLIENT_FILESYSTEM_PARTITIONED_OPEN_H_
#define QUIRE_CLIENT_FILESYSTEM_PARTITIONED_OPEN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/filesystem/batch_queue.h"
#include "client/filesystem/routing.h"
#include "quire/mutex.h"
#include "quire/service.h"

namespace quire {

class PartitionedOpen : public std::enable_shared_from_this<PartitionedOpen> {
 public:
  PartitionedOpen(std::shared_ptr<Routing> routing, OpenRequest request,
                  std::shared_ptr<SessionEvents> events);

  // The user's side.
  void Start();
  void Submit(OperationBatch batch);
  std::optional<absl::Status> TryRead(std::string_view key, std::string* record);
  void Cancel(uint64_t sequence);
  void Close();
  void Detach();
  // The user is gone: ends the partitions' sessions, calls no more events.
  void Abandon();

  // What the session of a partition reports.
  void OnOpened(uint32_t partition, absl::StatusOr<Opened> opened);
  void OnResults(uint32_t partition, BatchResult result);
  void OnClosed(uint32_t partition, absl::Status status);

 private:
  struct Partition {
    std::shared_ptr<Session> session;  // a resuming one
    std::optional<absl::StatusOr<Opened>> opened;
    absl::Status down;    // not OK: what its operations are answered with
    bool closed = false;  // OnClosed came, or there is no session
  };

  // Opening, in order of their calls. A step is over when its session is stored and has reported.
  void OpenPartition(uint32_t partition, const FileReference& file);
  // What a resume of the open tells one partition.
  OpenResume ResumeOf(uint32_t partition) const;
  // Of a resume: a partition that the open has never had.
  bool WasNotOpen(uint32_t partition) const;
  void StepDone();
  void PrimaryOpened();
  void OpenSecondaries(Label label);
  void AllOpened();
  void FailOpen(const absl::Status& status);
  Opened Summary() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  OpenState StateAtOpen() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A resume needs every partition that was open: why it cannot be, else OK.
  absl::Status ResumeFailure() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Working.
  void Work() {
    Send();
    Deliver();
  }
  void Send();
  // Called again and again by the one thread that sends; false when there is nothing to send.
  bool SendOne();
  void Deliver();
  bool DeliverOne();
  bool AllClosed() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::shared_ptr<Session>> OpenSessions();
  std::string VolumeOf(uint32_t partition) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<Routing> routing_;
  const OpenRequest request_;
  const std::shared_ptr<SessionEvents> events_;

  Mutex mutex_;
  Label label_ ABSL_GUARDED_BY(mutex_);
  std::vector<Partition> partitions_ ABSL_GUARDED_BY(mutex_);
  uint32_t steps_left_ ABSL_GUARDED_BY(mutex_) = 0;            // of the opening phase under way
  std::vector<OperationBatch> early_ ABSL_GUARDED_BY(mutex_);  // submitted before OnOpened
  std::optional<BatchQueue> queue_ ABSL_GUARDED_BY(mutex_);    // from AllOpened on
  uint32_t credits_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ready_ ABSL_GUARDED_BY(mutex_) = false;  // OnOpened was delivered
  // To be passed on, by partition; or from before the open stood.
  std::vector<std::pair<uint32_t, uint64_t>> cancels_ ABSL_GUARDED_BY(mutex_);
  std::vector<uint64_t> early_cancels_ ABSL_GUARDED_BY(mutex_);
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  bool delivering_ ABSL_GUARDED_BY(mutex_) = false;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;  // by the user, or for overrun credits
  bool detaching_ ABSL_GUARDED_BY(mutex_) = false;
  bool close_sent_ ABSL_GUARDED_BY(mutex_) = false;  // to the partitions' sessions; or Detach
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;       // OnClosed was delivered, or abandoned
  absl::Status close_status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_PARTITIONED_OPEN_H_
