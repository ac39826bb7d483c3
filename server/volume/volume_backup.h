// Backups of a volume that goes on serving: its store as of a control point, its trail from there
// on. The copying is done by a thread of its own, and only while there is a backup.
#ifndef QUIRE_SERVER_VOLUME_VOLUME_BACKUP_H_
#define QUIRE_SERVER_VOLUME_VOLUME_BACKUP_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "quire/mutex.h"
#include "quire/service.h"
#include "server/volume/volume_state.h"

namespace quire {

class VolumeBackup {
 public:
  using TakeControlPoint = std::function<void(Done<RefreshAnswer>)>;

  // `state` outlives it; of the state it uses what other threads may: options, store copy, trail.
  explicit VolumeBackup(VolumeState* state);
  ~VolumeBackup() { Stop(); }

  // As Service::Backup, any thread. `take` is called once, from this thread.
  void Start(BackupRequest request, Done<BackupAnswer> done, TakeControlPoint take)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits for the copying under way and begins no other.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Job {
    std::string directory;
    Done<BackupAnswer> done;
  };

  // The directory that is meant, or why it may not be.
  absl::StatusOr<std::string> Resolve(const BackupRequest& request) const;
  absl::Status Begin() ABSL_LOCKS_EXCLUDED(mutex_);
  void End() ABSL_LOCKS_EXCLUDED(mutex_);
  void ControlPointTaken(Job job, const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

  VolumeState* const state_;
  Mutex mutex_;
  bool under_way_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<TrailHold> hold_ ABSL_GUARDED_BY(mutex_);  // while one is under way
  std::thread thread_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_BACKUP_H_
