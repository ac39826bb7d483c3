// One unit of work for the disc process.
#ifndef QUIRE_SERVER_VOLUME_REQUEST_H_
#define QUIRE_SERVER_VOLUME_REQUEST_H_

#include <cstdint>

#include "absl/status/status.h"
#include "server/volume/volume_state.h"

namespace quire {

class DiscProcess;

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
  // Requests with the same key other than 0 never overtake each other, also when some wait.
  virtual uint64_t order_key() const { return 0; }

  // Does the work. Role; never blocks.
  virtual void Execute(VolumeState& state, DiscProcess& process) = 0;

  // Once, after Execute, when everything it saw or changed is durable (OK), or when the volume
  // went down first; `executed` tells whether Execute ran. Any thread.
  virtual void Reply(const absl::Status& volume, bool executed) = 0;

  // Batch the reply waits for: set in Execute through DiscProcess::Wait…; 0: none.
  uint64_t wait_batch = 0;
  // When it was put aside by admission; 0: it was not.
  int64_t parked_us = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_REQUEST_H_
