// One unit of work for the disc process.
#ifndef QUIRE_SERVER_VOLUME_REQUEST_H_
#define QUIRE_SERVER_VOLUME_REQUEST_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "server/keyseq/lock_table.h"
#include "server/volume/volume_state.h"

namespace quire {

class DiscProcess;

// Operations of a batch that is bulk. Batches of the clients' default (1) and what a person or a
// transaction sends at once stay below; those of a load or a pipeline (64) do not.
inline constexpr size_t kLeastBulkOperations = 16;

enum class LockWaitEnd : uint8_t {
  kNone = 0,  // it did not wait, or waits still
  kGranted = 1,
  kTimedOut = 2,
  kCancelled = 3,  // by its user
  kGivenUp = 4,    // its stream or the server ends
};

// A request's wait for a lock. Execute starts one by setting `waiter`; the request is then kept and
// executed again when the wait has ended.
struct LockWait {
  WaiterId waiter = 0;      // in the lock table; not 0: it waits
  int64_t since_us = 0;     // monotonic
  int64_t deadline_us = 0;  // monotonic
  std::string key;          // lock key of the record waited for
  bool holds = false;       // what it waits for is then held; a plain read holds nothing
  LockWaitEnd end = LockWaitEnd::kNone;
};

class Request {
 public:
  virtual ~Request() = default;

  // The file it is about, for admission; nullptr: none, or it does not exist. Role.
  virtual FileEntry* Target(VolumeState& state) {
    (void)state;
    return nullptr;
  }
  // Whether it may change records: such requests wait at the dirty limit. Constant.
  virtual bool changes() const { return false; }
  // Many changes at once: while a control point is being written they wait sooner than others, so
  // that a load does not hold up those who change one record, which may then overtake it. One that
  // must not overtake any change that came before it is bulk as well. Constant.
  virtual bool bulk() const { return false; }
  // Requests with the same key other than 0 never overtake each other, also when some wait.
  virtual uint64_t order_key() const { return 0; }

  // Does the work. Role; never blocks. Called again when a wait for a lock has ended. May throw
  // std::bad_alloc and nothing else: the request is then refused with 31 if DiscProcess has been
  // told of no change since it began, else the volume latches.
  virtual void Execute(VolumeState& state, DiscProcess& process) = 0;

  // Once, after Execute, when everything it saw or changed is durable (OK), or when the volume
  // went down first; `executed` tells whether Execute ran. Any thread. An exception out of it ends
  // the program: nobody else could answer.
  virtual void Reply(const absl::Status& volume, bool executed) = 0;

  // Batch the reply waits for: set in Execute through DiscProcess::Wait…; 0: none.
  uint64_t wait_batch = 0;
  // The thread that submits it blocks until the reply: it may write the batch to the trail itself.
  bool caller_waits = false;
  // Since when it waits for dirty memory or for the trail, and where that time is counted; 0: it
  // does not.
  int64_t parked_us = 0;
  Counter parked_time = Counter::kDirtyLimitWaitTime;
  LockWait lock_wait;

  // Of whoever keeps it: the next in its list (request_list.h), and what Reply will be told.
  std::unique_ptr<Request> next;
  absl::Status outcome;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_REQUEST_H_
