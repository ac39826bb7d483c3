#include "server/main/inspect_record.h"

#include <string_view>

#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"
#include "server/btree/block_view.h"
#include "server/keyseq/file_label.h"
#include "server/main/inspect_errors.h"
#include "server/main/inspect_print.h"
#include "server/volume/answer_record.h"
#include "server/volume/command.h"
#include "server/volume/redo_record.h"

namespace quire {
namespace {

std::string OpenText(const OpenKey& open) {
  return StrCat(open.implicit ? "client " : "open ", open.id);
}

absl::StatusOr<std::string> ImageText(const TrailRecord& record) {
  std::string text = StrCat("image of block ", record.block, " of file id ", record.file, ", ",
                            record.payload.size(), " bytes");
  if (record.payload.size() < kBlockHeaderBytes) return text;
  const BlockView view(absl::MakeConstSpan(record.payload.data(), record.payload.size()));
  StrAppend(&text, ": ", LevelText(view.level()));
  if (view.level() != kBitmapLevel) StrAppend(&text, ", ", view.count(), " items");
  return text;
}

absl::StatusOr<std::string> StateText(const TrailRecord& record) {
  FileLabel label;
  // Whose extents hold any EOF: those of the file are not known here.
  label.attributes.extents.primary_pages = uint64_t{1} << 40;
  label.attributes.max_extents = kMaxMaxExtents;
  if (absl::Status s = DecodeState(record.payload, &label); !s.ok()) return s;
  const TreeState& tree = label.tree;
  return StrCat("state of file id ", record.file, ": root block ", tree.root, ", ",
                tree.index_levels, " index levels, EOF block ", tree.eof_blocks, ", ",
                tree.free_blocks, " free blocks, ", tree.record_count, " records, ",
                label.extents_allocated, " extents, modified ", TimeText(label.modified_us));
}

absl::StatusOr<std::string> CommandText(const TrailRecord& record) {
  const absl::StatusOr<Command> command = DecodeCommand(record.payload);
  if (!command.ok()) return command.status();
  const FileLabel& label = command->label;
  const std::string time = StrCat(", at ", TimeText(command->time_us));
  switch (command->kind) {
    case CommandKind::kCreate:
      return StrCat("CREATE ", label.name.ToString(), ", file id ", label.id, ", partition ",
                    label.partition, ", BLOCK ", label.attributes.block_bytes, ", REC ",
                    label.attributes.record_bytes, FlagsText(label), time);
    case CommandKind::kPurge:
      return StrCat("PURGE of file id ", label.id, time);
    case CommandKind::kAlter:
      return StrCat("ALTER ", label.name.ToString(), ", file id ", label.id, ", MAXEXTENTS ",
                    label.attributes.max_extents, FlagsText(label), time);
  }
  return StrCat("command of an unknown kind", time);
}

std::string_view Verb(OperationKind kind) {
  if (kind == OperationKind::kWrite) return "write";
  return kind == OperationKind::kUpdate ? "update" : "delete";
}

absl::StatusOr<std::string> RedoText(const TrailRecord& record) {
  const absl::StatusOr<RedoRecord> redo = DecodeRedo(record.payload);
  if (!redo.ok()) return redo.status();
  const Operation& operation = redo->operation;
  std::string text = StrCat("redo of file id ", record.file, ": ", Verb(operation.kind));
  if (operation.kind == OperationKind::kDelete) {
    StrAppend(&text, " of key \"", ItemText(operation.key), "\"");
  } else {
    StrAppend(&text, " of ", operation.record.size(), " bytes \"", ItemText(operation.record),
              "\"");
  }
  if (redo->sequence != 0) {
    StrAppend(&text, ", ", OpenText(redo->open), " sync id ", redo->sequence);
  }
  StrAppend(&text, ", at ", TimeText(redo->time_us));
  return text;
}

absl::StatusOr<std::string> AnswersText(const TrailRecord& record) {
  const absl::StatusOr<AnswerRecord> answers = DecodeAnswers(record.payload);
  if (!answers.ok()) return answers.status();
  std::string text = StrCat("answers of file id ", record.file, ": ", OpenText(answers->open),
                            ", acknowledged to ", answers->acked_through);
  for (const AnswerRecord::Run& run : answers->runs) {
    StrAppend(&text, "; ", run.first, " to ", run.last, " ok");
  }
  for (const AnswerRecord::Other& other : answers->others) {
    StrAppend(&text, "; ", other.sequence, " ",
              other.status.ok() ? "ok" : Printable(Describe(other.status)));
    if (other.warning != ErrorNumber::kOk) {
      StrAppend(&text, ", warning ", static_cast<int32_t>(other.warning));
    }
  }
  return text;
}

}  // namespace

absl::StatusOr<std::string> RecordText(const TrailRecord& record) {
  switch (record.kind) {
    case TrailRecordKind::kBlockImage:
      return ImageText(record);
    case TrailRecordKind::kFileState:
      return StateText(record);
    case TrailRecordKind::kCommand:
      return CommandText(record);
    case TrailRecordKind::kRedo:
      return RedoText(record);
    case TrailRecordKind::kAnswers:
      return AnswersText(record);
  }
  return inspect_error::UnknownRecord(static_cast<uint32_t>(record.kind));
}

}  // namespace quire
