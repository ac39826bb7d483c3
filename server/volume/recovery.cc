#include "server/volume/recovery.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "server/volume/answer_table.h"
#include "server/volume/control_point.h"
#include "server/volume/errors.h"
#include "server/volume/replay.h"

namespace quire {
namespace {

// Blocks that a redo record changes, splits included, where many are executed: generous.
constexpr uint64_t kBlocksOfRedo = 2;

class Recovery {
 public:
  explicit Recovery(VolumeState& state) : state_(state), replay_(state) {
    replay_.SetOnRedone([this](FileId file, OpenKey open, uint64_t sequence) {
      state_.recovered_answers.AddDone(file, open, sequence);
    });
  }

  absl::StatusOr<RecoveryReport> Run() {
    const int64_t begun_us = state_.options.clock->MonotonicMicros();
    if (absl::Status s = LoadMeta(); !s.ok()) return s;
    if (absl::Status s = LoadLabels(); !s.ok()) return s;
    if (absl::Status s = LoadOpens(); !s.ok()) return s;
    const absl::StatusOr<Lsn> last = state_.trail->Replay(
        meta_.lsn, [this](Lsn first_lsn, absl::Span<const TrailRecord> records) {
          return ReplayBatch(first_lsn, records);
        });
    if (!last.ok()) return last.status();
    state_.last_lsn = *last;
    RemovePending();
    state_.epoch = meta_.epoch + 1;
    state_.change_sequence = meta_.change_sequence;
    state_.covered_epochs.Add(meta_.epoch, meta_.change_sequence);
    if (absl::Status s = TakeControlPoint(*last, state_.epoch); !s.ok()) return s;
    if (absl::Status s = state_.trail->Start(*last, state_.epoch); !s.ok()) return s;
    // Only now: until the trail has started, the old segments are what recovery stands on.
    state_.trail->Release(*last);
    report_.replayed = replay_.counts();
    report_.from_lsn = meta_.lsn;
    report_.to_lsn = *last;
    report_.micros = state_.options.clock->MonotonicMicros() - begun_us;
    return report_;
  }

 private:
  absl::Status LoadMeta() {
    const absl::StatusOr<std::optional<std::string>> bytes =
        state_.store->ReadMeta(meta_key::kControlPoint);
    if (!bytes.ok()) return bytes.status();
    if (!bytes->has_value()) return absl::OkStatus();  // a new volume
    absl::StatusOr<ControlPointMeta> meta = DecodeControlPointMeta(**bytes);
    if (!meta.ok()) return meta.status();
    meta_ = *meta;
    state_.catalog->next_file_id = meta_.next_file_id;
    return absl::OkStatus();
  }

  absl::Status LoadLabels() {
    const absl::StatusOr<std::map<FileId, std::string>> labels = state_.store->ReadLabels();
    if (!labels.ok()) return labels.status();
    for (const auto& [id, bytes] : *labels) {
      absl::StatusOr<FileLabel> label = DecodeLabel(bytes);
      if (!label.ok()) return label.status();
      if (label->id != id || (!label->purged && state_.catalog->Find(label->name) != nullptr)) {
        return volume_error::BadStore("two labels of one file");
      }
      if (label->purged) {
        state_.catalog->AddTombstone(*std::move(label));
      } else {
        state_.catalog->Add(*std::move(label));
      }
    }
    return absl::OkStatus();
  }

  // Whether the batch should find a cache without dirty blocks. When it was made its own blocks
  // were within the dirty limit; beside others they might not be.
  bool WantsRoom(absl::Span<const TrailRecord> records) const {
    uint64_t bytes = state_.cache->dirty_bytes();
    uint64_t blocks = state_.cache->dirty_blocks();
    if (blocks == 0) return false;
    const uint64_t limit_bytes = state_.options.dirty_limit_bytes;
    if (bytes >= limit_bytes / 2 || blocks >= kMaxDirtyBlocks / 2) return true;
    for (const TrailRecord& record : records) {
      const bool redo = record.kind == TrailRecordKind::kRedo;
      if (!redo && record.kind != TrailRecordKind::kBlockImage) continue;
      const FileEntry* const entry = state_.catalog->FindId(record.file);
      if (entry == nullptr) continue;
      const uint64_t changed = redo ? kBlocksOfRedo : 1;
      blocks += changed;
      bytes += changed * entry->file.cached().image_bytes;
    }
    return bytes > limit_bytes || blocks > kMaxDirtyBlocks;
  }

  // What is known of opens of earlier epochs. A volume of before these were kept has neither: then
  // no open's answers are complete.
  absl::Status LoadOpens() {
    const absl::StatusOr<std::optional<std::string>> answers =
        state_.store->ReadMeta(meta_key::kSavedAnswers);
    if (!answers.ok()) return answers.status();
    if (answers->has_value()) {
      if (absl::Status s = DecodeAnswerTable(**answers, &state_.recovered_answers); !s.ok())
        return s;
    } else {
      state_.recovered_answers.RaiseFloor(meta_.epoch + 1);
    }
    const absl::StatusOr<std::optional<std::string>> covered =
        state_.store->ReadMeta(meta_key::kCoveredEpochs);
    if (!covered.ok()) return covered.status();
    if (!covered->has_value()) return absl::OkStatus();
    absl::StatusOr<CoveredEpochs> epochs = CoveredEpochs::Decode(**covered);
    if (!epochs.ok()) return epochs.status();
    state_.covered_epochs = *std::move(epochs);
    return absl::OkStatus();
  }

  absl::Status ReplayBatch(Lsn first_lsn, absl::Span<const TrailRecord> records) {
    // Between two batches everything so far may go to the store; inside one it may not.
    if (WantsRoom(records)) {
      if (absl::Status s = TakeControlPoint(first_lsn - 1, meta_.epoch); !s.ok()) return s;
    }
    return replay_.Apply(records);
  }

  // A secondary whose CREATE never got to its primary. If the primary was made after all, its
  // label says that the secondaries are unconfirmed, and the next open makes them anew (R-D13).
  void RemovePending() {
    std::vector<FileEntry*> pending;
    for (const auto& [name, entry] : state_.catalog->by_name()) {
      if (entry->label().pending) pending.push_back(entry);
    }
    for (FileEntry* entry : pending) state_.catalog->Purge(entry);
  }

  absl::Status TakeControlPoint(Lsn lsn, uint64_t epoch) {
    FlushList flush = state_.cache->BeginFlush();
    ControlPoint content;
    content.blocks = flush.blocks;
    for (const auto& [id, entry] : state_.catalog->by_id()) {
      if (std::exchange(entry->file.label_changed, false)) {
        content.labels[id] = EncodeLabel(entry->label());
      }
    }
    for (const auto& [id, label] : state_.catalog->tombstones()) {
      content.labels[id] = EncodeLabel(label);
    }
    // A volume of an older format has the present one from its first control point on.
    content.meta[meta_key::kVolume] =
        EncodeIdentity({state_.volume_id, state_.options.name, kVolumeFormat});
    content.meta[meta_key::kControlPoint] = EncodeControlPointMeta(
        ControlPointMeta{lsn, epoch, state_.catalog->next_file_id, meta_.change_sequence});
    content.meta[meta_key::kSavedAnswers] =
        EncodeAnswerTable(state_.opens, state_.recovered_answers);
    content.meta[meta_key::kCoveredEpochs] = state_.covered_epochs.Encode();
    absl::Status status = state_.store->Commit(content).status();
    if (status.ok()) status = state_.store->RenewSnapshot();
    state_.cache->EndFlush(std::move(flush), status.ok());
    ++report_.control_points;
    return status;
  }

  VolumeState& state_;
  Replay replay_;
  ControlPointMeta meta_;
  RecoveryReport report_;
};

}  // namespace

absl::StatusOr<RecoveryReport> Recover(VolumeState& state) {
  return Recovery(state).Run();
}

}  // namespace quire
