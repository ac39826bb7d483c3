// The state of a resuming session (resuming_session.h). The session owns it; callbacks and timer
// tasks under way keep it a moment longer.
//
// mutex_ is never held while the service, a stream's session or the user is called: each of them
// may call back at once. Two batons keep order instead: one thread at a time sends, one delivers;
// another that has something for them leaves it in the queue and goes.
#ifndef QUIRE_CLIENT_FILESYSTEM_RESUMING_OPEN_H_
#define QUIRE_CLIENT_FILESYSTEM_RESUMING_OPEN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/filesystem/resend_queue.h"
#include "client/filesystem/resuming_session.h"
#include "quire/mutex.h"
#include "quire/service.h"

namespace quire {

class ResumingOpen : public std::enable_shared_from_this<ResumingOpen> {
 public:
  ResumingOpen(std::shared_ptr<Service> service, OpenRequest request,
               std::shared_ptr<SessionEvents> events, ResumePolicy policy);

  // The user's side.
  void Start() { Connect(1); }
  void Submit(OperationBatch batch);
  // Of a stream that stands: an outage is for Submit.
  std::optional<absl::Status> TryRead(std::string_view key, std::string* record) {
    std::shared_ptr<Session> session;
    {
      MutexLock lock(&mutex_);
      if (phase_ != Phase::kOpen || closing_ || detaching_ || queue_.size() > 0) {
        return std::nullopt;
      }
      session = session_;
    }
    return session == nullptr ? std::nullopt : session->TryRead(key, record);
  }
  void Cancel(uint64_t sequence);
  void Close();
  void Detach();
  // The user is gone: calls no more events; the open lives on for its lease.
  void Abandon();

  // What a stream reports. Streams are numbered; words of earlier ones are ignored.
  void OnOpened(uint64_t stream, absl::StatusOr<Opened> opened);
  void OnResults(uint64_t stream, BatchResult result);
  void OnClosed(uint64_t stream, const absl::Status& status);

 private:
  enum class Phase {
    kOpening,    // the first stream
    kOpen,       // a stream stands
    kLost,       // none; attempts are made
    kGivenUp,    // none, and no attempt until somebody needs one
    kEnded,      // end_ says how; nothing is sent any more
    kAbandoned,  // nothing is told any more either
  };

  void Connect(uint64_t stream);
  // Attempts begin on a thread of the timer's, never inside a call of the user or the service.
  void ConnectLater(int64_t pause_micros) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Lost(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Refused(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void GiveUp() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Gives up if `outage` is still going on.
  void EndOutage(uint64_t outage);
  void StartOutage(int64_t now, int64_t limit_micros) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // When somebody needs a stream after the attempts were given up: one more.
  void TryOnce() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void End(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes the present stream away; its session is destroyed later, outside of its own callbacks.
  void DropStream() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Unknown(const absl::Status& cause) const;

  void Work() {
    Send();
    Deliver();
  }
  void Send();
  void Deliver();
  // Called again and again by the one thread that delivers; false when there is nothing to tell.
  bool DeliverOne();

  const std::shared_ptr<Service> service_;
  const std::shared_ptr<SessionEvents> events_;
  const ResumePolicy policy_;
  const std::string where_;

  Mutex mutex_;
  OpenRequest request_ ABSL_GUARDED_BY(mutex_);
  Phase phase_ ABSL_GUARDED_BY(mutex_) = Phase::kOpening;
  ResendQueue queue_ ABSL_GUARDED_BY(mutex_);

  // The present stream. Usable when its session is stored and has reported.
  uint64_t stream_ ABSL_GUARDED_BY(mutex_) = 1;
  std::shared_ptr<Session> session_ ABSL_GUARDED_BY(mutex_);
  uint32_t stream_credits_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t opened_micros_ ABSL_GUARDED_BY(mutex_) = 0;
  bool end_sent_ ABSL_GUARDED_BY(mutex_) = false;          // Close or Detach
  std::vector<uint64_t> cancels_ ABSL_GUARDED_BY(mutex_);  // to be passed on

  // What a resume tells.
  OpenState state_ ABSL_GUARDED_BY(mutex_);
  uint64_t acked_through_ ABSL_GUARDED_BY(mutex_) = 0;

  // The outage: from a break until a stream has proved itself.
  std::optional<int64_t> outage_since_ ABSL_GUARDED_BY(mutex_);
  uint64_t outage_ ABSL_GUARDED_BY(mutex_) = 0;    // its number
  uint32_t attempts_ ABSL_GUARDED_BY(mutex_) = 0;  // since the last result
  bool only_try_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t limit_micros_ ABSL_GUARDED_BY(mutex_) = 0;

  // Towards the user.
  uint32_t credits_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::StatusOr<Opened>> opened_ ABSL_GUARDED_BY(mutex_);  // to be told
  bool opened_told_ ABSL_GUARDED_BY(mutex_) = false;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;  // by the user, or for overrun credits
  bool detaching_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status close_status_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);  // to be told, behind all results
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  bool delivering_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_RESUMING_OPEN_H_
