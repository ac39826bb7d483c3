#include "server/volume/replay.h"

#include <utility>

#include "quire/text.h"
#include "server/volume/answer_record.h"
#include "server/volume/errors.h"
#include "server/volume/redo_record.h"

namespace quire {

absl::Status Replay::Apply(absl::Span<const TrailRecord> records) {
  ++counts_.batches;
  counts_.records += records.size();
  for (const TrailRecord& record : records) {
    if (absl::Status s = ApplyRecord(record); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status Replay::ApplyRecord(const TrailRecord& record) {
  if (record.kind == TrailRecordKind::kCommand) {
    ++counts_.commands;
    return ApplyCommand(record.payload);
  }
  FileEntry* const entry = state_.catalog->FindId(record.file);
  if (entry == nullptr) return absl::OkStatus();  // purged later in the trail (R-D12)
  switch (record.kind) {
    case TrailRecordKind::kBlockImage:
      return PlaceImage(*entry, record);
    case TrailRecordKind::kFileState:
      ++counts_.states;
      entry->file.label_changed = true;
      return entry->file.RestoreState(record.payload);
    case TrailRecordKind::kRedo:
      return Redo(*entry, record.payload);
    case TrailRecordKind::kAnswers:
      return ApplyAnswers(record);
    default:
      return volume_error::BadStore("the trail holds a record of a kind that is not replayed");
  }
}

absl::Status Replay::PlaceImage(FileEntry& entry, const TrailRecord& record) {
  if (record.payload.size() != entry.file.cached().image_bytes) {
    return volume_error::BadStore("a block image of the trail has another size than its file's");
  }
  ++counts_.images;
  counts_.image_bytes += record.payload.size();
  return state_.cache->Place(entry.file.cached(), record.block,
                             absl::MakeConstSpan(record.payload.data(), record.payload.size()));
}

// A file that does not take its record is marked, and the others recover (R-D11). That the volume
// has no memory or no store is not the file's fault.
absl::Status Replay::Redo(FileEntry& entry, std::string_view payload) {
  const absl::StatusOr<RedoRecord> redo = DecodeRedo(payload);
  if (!redo.ok()) {
    MarkBad(entry, redo.status());
    return absl::OkStatus();
  }
  if (redo->sequence != 0 && on_redone_) on_redone_(entry.id(), redo->open, redo->sequence);
  if (marked_.contains(entry.id())) return absl::OkStatus();
  BlockCalls calls;  // work of recovery is not counted
  absl::Status status = entry.file.Execute(redo->operation, redo->time_us, calls, &read_).status;
  switch (NumberOf(status)) {
    case ErrorNumber::kOk:
      ++counts_.redone;
      return status;
    case ErrorNumber::kNoBufferSpace:
    case ErrorNumber::kVolumeDown:
      return status;
    default:
      MarkBad(entry, status);
      return absl::OkStatus();
  }
}

void Replay::MarkBad(FileEntry& entry, const absl::Status& why) {
  if (!marked_.insert(entry.id()).second) return;
  counts_.bad_files.push_back(
      volume_error::RedoDoesNotApply(entry.label().name, ToStd(why.message())));
  entry.file.NoteStatus(counts_.bad_files.back());
}

absl::Status Replay::ApplyAnswers(const TrailRecord& record) {
  const absl::StatusOr<AnswerRecord> answers = DecodeAnswers(record.payload);
  if (!answers.ok()) return answers.status();
  state_.recovered_answers.Add(record.file, *answers);
  return absl::OkStatus();
}

absl::Status Replay::ApplyCommand(std::string_view payload) {
  absl::StatusOr<Command> command = DecodeCommand(payload);
  if (!command.ok()) return command.status();
  const FileId id = command->label.id;
  FileEntry* entry = state_.catalog->FindId(id);
  switch (command->kind) {
    case CommandKind::kCreate:
      if (entry != nullptr || state_.catalog->tombstones().contains(id)) break;
      if (state_.catalog->Find(command->label.name) != nullptr) {
        return volume_error::BadStore("the trail creates a file whose name is taken");
      }
      entry = state_.catalog->Add(std::move(command->label));
      entry->file.label_changed = true;
      break;
    case CommandKind::kPurge:
      if (entry != nullptr) state_.catalog->Purge(entry);
      state_.recovered_answers.DropFile(id);
      break;
    case CommandKind::kAlter:
      if (entry != nullptr) ApplyAlter(*entry, command->label);
      break;
  }
  return absl::OkStatus();
}

// Attributes and flags of the logged label; the structural state is the file's own.
void Replay::ApplyAlter(FileEntry& entry, const FileLabel& logged) {
  FileLabel& label = entry.file.mutable_label();
  label.attributes.max_extents = logged.attributes.max_extents;
  entry.file.SetLookaside(logged.attributes.lookaside);
  label.pending = logged.pending;
  label.confirmed = logged.confirmed;
  entry.file.label_changed = true;
}

}  // namespace quire
