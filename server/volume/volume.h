// A volume: the disc process over one directory, with its cache, trail and store. The body of
// Service for one volume; a server process puts it behind gRPC, an embedding program calls it.
//
// Three roles (R-D4): the disc process (held by one thread at a time, R-D18) executes requests on
// cached blocks; the trail committer makes batches durable; the control-point writer places dirty
// blocks in the store. Replies leave when what they promise is durable.
#ifndef QUIRE_SERVER_VOLUME_VOLUME_H_
#define QUIRE_SERVER_VOLUME_VOLUME_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "quire/limits.h"
#include "quire/service.h"
#include "quire/wakeup.h"
#include "server/base/clock.h"
#include "server/cache/block_cache.h"
#include "server/store/block_store.h"
#include "server/trail/trail_device.h"
#include "server/volume/recovery_report.h"
#include "server/volume/volume_read_ahead.h"

namespace quire {

struct VolumeOptions {
  std::string name;       // "$DATA01"; kept in the store: another name for the same directory is 22
  std::string directory;  // made if missing; one server at a time (lock file)
  uint64_t cache_bytes = kDefaultCacheBytes;
  uint64_t dirty_limit_bytes = kDefaultDirtyLimitBytes;
  // For frozen index blocks (LOOKASIDE FREEZE), taken as used. What is above
  // kDefaultLookasideBytes comes out of the cache; at most half of that.
  uint64_t lookaside_bytes = kDefaultLookasideBytes;
  uint64_t capacity_bytes = kDefaultCapacityBytes;
  uint64_t trail_limit_bytes = kDefaultTrailLimitBytes;  // since the last control point
  uint64_t trail_segment_bytes = kTrailSegmentBytes;
  TrailSync trail_sync = TrailSync::kAuto;
  std::string trail_directory;    // for a device of its own; empty: "trail" in `directory`
  std::string archive_directory;  // where released segments are kept; empty: nowhere
  std::string backup_directory;   // what Backup may write below; empty: there are no backups
  ReadAheadMode read_ahead = ReadAheadMode::kAdaptive;  // of those who read record after record
  uint32_t control_point_interval_ms = kControlPointIntervalMs;
  // What the time from a control point's cut to its end is kept near, by its size; 0: by the dirty
  // limit alone.
  uint32_t control_point_target_ms = kControlPointTargetMs;
  // Longest time a restart may spend on replaying: control points come sooner for it.
  uint32_t recovery_target_ms = kRecoveryTargetMs;
  uint32_t lease_ms = kLeaseMs;
  uint32_t locks_per_open = kMaxLocksPerOpen;      // held and waiting; more is error 35
  uint32_t locks_per_volume = kMaxLocksPerVolume;  // held and waiting; more is error 31
  uint32_t default_owner_group = 10;
  uint32_t default_owner_user = 1;
  std::string default_security = "GOGO";
  std::string program = "embedded";     // shown in PROCESS
  WakeupKind handoff = kDefaultWakeup;  // how its threads wake each other
  Clock* clock = Clock::Real();
  // Told of what an operator should know and no request is answered with: an archive that cannot be
  // written. From any thread.
  std::function<void(const absl::Status&)> report;
  // Benchmarks of look-aside: CacheOptions of the same names.
  KeepData data_keeping = KeepData::kMeasured;
  std::function<void(absl::Span<const char>)> before_cached_use;
  // Tests: other bodies in place of LMDB and files. Both or neither.
  std::function<absl::StatusOr<std::unique_ptr<BlockStore>>()> open_store;
  std::function<absl::StatusOr<std::unique_ptr<TrailDevice>>()> open_trail_device;
};

class Volume : public Service {
 public:
  // Locks the directory, opens store and trail, recovers by replay, raises the epoch, starts the
  // threads. 12 when another server has the directory (the message names its pid); 59 when the
  // trail has a hole; 22 for options out of range; 66 for anything the disc refuses.
  static absl::StatusOr<std::unique_ptr<Volume>> Open(VolumeOptions options);

  // Stops taking requests, finishes those under way, takes a last control point.
  ~Volume() override = default;

  virtual const std::string& name() const = 0;
  virtual uint64_t epoch() const = 0;
  // OK, or why the volume is latched (a failed sync or write, R-D8). Any thread.
  virtual absl::Status Health() const = 0;
  // What Open replayed. Constant.
  virtual const RecoveryReport& Recovered() const = 0;
  // Called once, from any thread, when the volume latches: health NOT_SERVING, own exit code.
  virtual void OnLatched(std::function<void(absl::Status)> callback) = 0;
  // Test and inspection: walks every tree. 59 names the first fault.
  virtual absl::Status CheckTrees() = 0;
  // Ends at once, as a kill would: nothing is flushed. For crash tests; only destroy afterwards.
  virtual void Crash() = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_H_
