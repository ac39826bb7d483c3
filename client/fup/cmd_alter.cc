#include "client/fup/cmd_alter.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "client/fup/command_table.h"
#include "client/fup/create_parameter.h"
#include "client/fup/errors.h"
#include "client/fup/session.h"
#include "quire/limits.h"

namespace quire {
namespace {

enum class Kind : uint8_t {
  kAudit,
  kBuffered,
  kMaxExtents,
  kLookaside,
  kAlwaysOn,   // REFRESH: a key-sequenced file's label is always kept up
  kFlagLater,  // NO NAME is what Quire does; NAME is not built
  kLater,
  kFixed,
};

struct Row {
  std::string_view name;
  Kind kind;
};

constexpr std::array kRows = {
    Row{"AUDIT", Kind::kAudit},
    Row{"BUFFERED", Kind::kBuffered},
    Row{"MAXEXTENTS", Kind::kMaxExtents},
    Row{"LOOKASIDE", Kind::kLookaside},
    Row{"REFRESH", Kind::kAlwaysOn},
    Row{"AUDITCOMPRESS", Kind::kFlagLater},
    Row{"SERIALWRITES", Kind::kFlagLater},
    Row{"VERIFIEDWRITES", Kind::kFlagLater},
    Row{"ODDUNSTR", Kind::kFlagLater},
    Row{"CODE", Kind::kLater},
    Row{"LOCKLENGTH", Kind::kLater},
    Row{"NOPURGEUNTIL", Kind::kLater},
    Row{"RESETBROKEN", Kind::kLater},
    Row{"BUFFERSIZE", Kind::kLater},
    Row{"ALTKEY", Kind::kLater},
    Row{"ALTFILE", Kind::kLater},
    Row{"DELALTKEY", Kind::kLater},
    Row{"DELALTFILE", Kind::kLater},
    Row{"PART", Kind::kLater},
    Row{"PARTONLY", Kind::kLater},
    Row{"TYPE", Kind::kFixed},
    Row{"FORMAT", Kind::kFixed},
    Row{"EXT", Kind::kFixed},
    Row{"REC", Kind::kFixed},
    Row{"BLOCK", Kind::kFixed},
    Row{"IBLOCK", Kind::kFixed},
    Row{"KEYLEN", Kind::kFixed},
    Row{"KEYOFF", Kind::kFixed},
    Row{"COMPRESS", Kind::kFixed},
    Row{"DCOMPRESS", Kind::kFixed},
    Row{"ICOMPRESS", Kind::kFixed},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kRows.size()> names;
  for (size_t i = 0; i < kRows.size(); ++i) names[i] = kRows[i].name;
  return names;
}();

class AlterCommand : public FupCommand {
 public:
  AlterCommand(std::string name, FileSystem::Changes changes, std::string unsaid)
      : name_(std::move(name)), changes_(changes), unsaid_(std::move(unsaid)) {}

  absl::Status Run(FupSession& session) const override {
    if (!unsaid_.empty()) session.output() << "NO COMMAND GIVEN, TAKEN AS: " << unsaid_ << "\n";
    absl::StatusOr<FileName> name = session.ResolveName(name_);
    if (!name.ok()) return name.status();
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    return OnFile(name->ToString(), (*files)->Alter(*name, changes_));
  }

 private:
  const std::string name_;
  const FileSystem::Changes changes_;
  const std::string unsaid_;  // the command in full, when its verb was left out
};

absl::Status ParseOption(TokenCursor& cursor, FileSystem::Changes& changes) {
  bool on = true;
  if (absl::EqualsIgnoreCase(cursor.Peek().text, "NO") && cursor.Peek(1).kind == TokenKind::kWord) {
    cursor.Take();
    on = false;
  }
  absl::StatusOr<size_t> index = cursor.TakeKeyword("ALTER option", kNames);
  if (!index.ok()) return index.status();
  const Row& row = kRows[*index];
  switch (row.kind) {
    case Kind::kAudit:
      changes.audit = on;
      return absl::OkStatus();
    case Kind::kBuffered:
      changes.buffered = on;
      return absl::OkStatus();
    case Kind::kAlwaysOn:
      return absl::OkStatus();
    case Kind::kFlagLater:
      if (!on) return absl::OkStatus();
      break;
    case Kind::kMaxExtents: {
      if (!on) break;
      absl::StatusOr<uint64_t> number =
          cursor.TakeNumber(row.name, 1, std::numeric_limits<uint32_t>::max());
      if (!number.ok()) return number.status();
      // 1 to 15 become 16, as at CREATE (R-B5); what is too large the volume refuses.
      changes.max_extents = std::max(static_cast<uint32_t>(*number), kMinMaxExtents);
      return absl::OkStatus();
    }
    case Kind::kLookaside: {
      if (!on) break;
      const absl::StatusOr<Lookaside> lookaside = TakeLookaside(cursor);
      if (!lookaside.ok()) return lookaside.status();
      changes.lookaside = *lookaside;
      return absl::OkStatus();
    }
    case Kind::kLater:
      break;
    case Kind::kFixed:
      return fup_errors::CannotBeAltered(row.name);
  }
  if (!on) return fup_errors::Expected("a flag after NO, e.g. NO BUFFERED", row.name);
  return fup_errors::AttributeNotBuilt(
      row.name,
      "changing it is not built yet; [NO] AUDIT, [NO] BUFFERED, MAXEXTENTS and LOOKASIDE are");
}

absl::StatusOr<std::unique_ptr<FupCommand>> ParseFrom(TokenCursor& cursor, std::string unsaid) {
  absl::StatusOr<std::string> name = cursor.TakeWord("the name of the file to alter");
  if (!name.ok()) return name.status();
  FileSystem::Changes changes;
  do {
    if (absl::Status s = cursor.ExpectSymbol(','); !s.ok()) return s;
    if (absl::Status s = ParseOption(cursor, changes); !s.ok()) return s;
  } while (!cursor.AtEnd());
  if (changes.audit.value_or(false) && !changes.buffered.value_or(true)) {
    return fup_errors::AuditIsBuffered();
  }
  return std::make_unique<AlterCommand>(*std::move(name), changes, std::move(unsaid));
}

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  return ParseFrom(cursor, "");
}

constexpr CommandSpec kSpec = {
    "ALTER", "change attributes of a file",
    "ALTER file { , option }...\n"
    "  [NO] AUDIT      logged before the reply or not; BUFFERED goes with it unless given too\n"
    "  [NO] BUFFERED   write-behind on or off; done when a control point holds the change\n"
    "  MAXEXTENTS n    16 to 978, on every partition\n"
    "  LOOKASIDE { OFF | NOFREEZE | FREEZE }   as with SET; in force at once\n"
    "  A line that begins with a file name and a comma is taken as ALTER.\n",
    &Parse};

}  // namespace

const CommandSpec& AlterCommandSpec() {
  return kSpec;
}

absl::StatusOr<std::unique_ptr<FupCommand>> ParseAlterWithoutVerb(TokenCursor& cursor) {
  return ParseFrom(cursor, "ALTER " + std::string(cursor.Rest()));
}

}  // namespace quire
