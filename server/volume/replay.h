// Applies the records of the audit trail to the state of a volume, batch by batch (R-D2, R-D11). On
// the opening thread, before the others start.
#ifndef QUIRE_SERVER_VOLUME_REPLAY_H_
#define QUIRE_SERVER_VOLUME_REPLAY_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "server/trail/trail_batch.h"
#include "server/volume/command.h"
#include "server/volume/volume_state.h"

namespace quire {

struct ReplayCounts {
  uint64_t batches = 0;
  uint64_t records = 0;  // of all kinds
  uint64_t images = 0;
  uint64_t redone = 0;     // redo records executed
  uint64_t bad_files = 0;  // files that a record did not apply to: marked 59
};

class Replay {
 public:
  explicit Replay(VolumeState& state) : state_(state) {}

  // One batch, whole. 59 for records that are not what a volume writes, 31 when the cache has no
  // room (take control points often enough).
  absl::Status Apply(absl::Span<const TrailRecord> records);

  const ReplayCounts& counts() const { return counts_; }

 private:
  absl::Status ApplyRecord(const TrailRecord& record);
  absl::Status PlaceImage(FileEntry& entry, const TrailRecord& record);
  absl::Status ApplyCommand(std::string_view payload);
  void ApplyAlter(FileEntry& entry, const FileLabel& logged);

  VolumeState& state_;
  ReplayCounts counts_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_REPLAY_H_
