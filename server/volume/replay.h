// Applies the records of the audit trail to the state of a volume, batch by batch (R-D2, R-D11). On
// the opening thread, before the others start.
#ifndef QUIRE_SERVER_VOLUME_REPLAY_H_
#define QUIRE_SERVER_VOLUME_REPLAY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "server/trail/trail_batch.h"
#include "server/volume/command.h"
#include "server/volume/open_key.h"
#include "server/volume/recovery_report.h"
#include "server/volume/volume_state.h"

namespace quire {

class Replay {
 public:
  explicit Replay(VolumeState& state) : state_(state) {}

  // One batch, whole. 59 for records that are not what a volume writes, 31 when the cache has no
  // room (take control points often enough).
  absl::Status Apply(absl::Span<const TrailRecord> records);

  // Called for each redo record of a file that is there, in order, where its change may be
  // repeated: whose it was, and its sync id. It was answered OK (R-D10).
  using OnRedone = std::function<void(FileId file, const OpenKey& open, uint64_t sequence)>;
  void SetOnRedone(OnRedone on_redone) { on_redone_ = std::move(on_redone); }

  const ReplayCounts& counts() const { return counts_; }

 private:
  absl::Status ApplyRecord(const TrailRecord& record);
  absl::Status PlaceImage(FileEntry& entry, const TrailRecord& record);
  absl::Status Redo(FileEntry& entry, std::string_view payload);
  void MarkBad(FileEntry& entry, const absl::Status& why);
  absl::Status ApplyAnswers(const TrailRecord& record);
  absl::Status ApplyCommand(std::string_view payload);
  void ApplyAlter(FileEntry& entry, const FileLabel& logged);

  VolumeState& state_;
  ReplayCounts counts_;
  OnRedone on_redone_;
  absl::flat_hash_set<FileId> marked_;
  std::string read_;  // stays empty: changes read nothing
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_REPLAY_H_
