// CHECK at one volume: takes a control point, then walks what it holds on a thread of its own,
// beside the requests that go on.
//
// One check at a time: each holds a reader of the store (what that costs: block_reader.h) and keeps
// a core busy. Others wait for their turn and only then take their control point.
#ifndef QUIRE_SERVER_VOLUME_VOLUME_CHECK_H_
#define QUIRE_SERVER_VOLUME_VOLUME_CHECK_H_

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "quire/service.h"
#include "server/volume/volume_core.h"

namespace quire {

using CheckDone = Done<std::vector<PartitionCheck>>;

class VolumeChecker {
 public:
  // `core` outlives the checker.
  explicit VolumeChecker(VolumeCore* core) : core_(*core) {}
  ~VolumeChecker() { Stop(); }

  // Any thread. `done` gets one entry, of the partition that `file` names here: a secondary may be
  // named by its own name, as in INFO. 11, 14, 60 as INFO; 66 when the volume stops first.
  void Check(FileReference file, CheckDone done);
  // Breaks off the check under way and answers those that wait: 66. The disc process still runs, or
  // has crashed. Idempotent.
  void Stop();

 private:
  struct Wanted {
    FileReference file;
    CheckDone done;
  };

  void Loop();
  absl::StatusOr<PartitionCheck> CheckOne(const FileReference& file);

  VolumeCore& core_;
  std::atomic<bool> stopping_{false};
  Mutex mutex_;
  CondVar wakes_;
  std::deque<Wanted> wanted_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_ ABSL_GUARDED_BY(mutex_);  // started by the first Check
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_CHECK_H_
