#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/fileset_list.h"
#include "client/fup/session.h"
#include "quire/error.h"

namespace quire {
namespace {

class PurgeCommand : public FupCommand {
 public:
  PurgeCommand(std::vector<std::string> filesets, bool without_asking, std::optional<bool> list_all)
      : filesets_(std::move(filesets)), without_asking_(without_asking), list_all_(list_all) {}

  absl::Status Run(FupSession& session) const override {
    if (!without_asking_ && !session.options().interactive)
      return fup_errors::PurgeNeedsConfirmation();
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    // All names are found before the first file goes: a wrong one purges nothing.
    std::vector<FileName> names;
    for (const std::string& text : filesets_) {
      absl::StatusOr<std::vector<FileName>> found = FilesOf(text, session, **files);
      if (!found.ok()) return found.status();
      names.insert(names.end(), found->begin(), found->end());
    }
    PurgeAll(names, session, **files);
    return absl::OkStatus();
  }

 private:
  void PurgeAll(const std::vector<FileName>& names, FupSession& session, FileSystem& files) const {
    uint64_t purged = 0;
    for (const FileName& name : names) {
      if (!without_asking_ && !Confirmed(name, session)) continue;
      const absl::Status status = OnFile(name.ToString(), files.Purge(name));
      if (NumberOf(status) == ErrorNumber::kPartitionFailure) {
        session.ReportWarning(status);  // gone all the same: only leftovers remain (R-D13)
      } else if (!status.ok()) {
        session.ReportError(status);
        continue;
      }
      ++purged;
      if (list_all_.value_or(session.options().interactive)) {
        session.output() << name.ToString() << " PURGED.\n";
      }
    }
    session.output() << purged << " FILES PURGED\n";
  }

  static bool Confirmed(const FileName& name, FupSession& session) {
    const std::string answer = session.Ask(name.ToString() + " PURGE? ").value_or("");
    const std::string upper = absl::AsciiStrToUpper(absl::StripAsciiWhitespace(answer));
    return upper == "Y" || upper == "YES";
  }

  const std::vector<std::string> filesets_;
  const bool without_asking_;
  const std::optional<bool> list_all_;  // empty: as the session is interactive or not
};

absl::StatusOr<bool> ParseListAll(TokenCursor& cursor) {
  static constexpr std::array<std::string_view, 2> kOptions = {"LISTALL", "PARTONLY"};
  bool on = true;
  if (absl::EqualsIgnoreCase(cursor.Peek().text, "NO")) {
    cursor.Take();
    on = false;
  }
  absl::StatusOr<size_t> option = cursor.TakeKeyword("PURGE option", kOptions);
  if (!option.ok()) return option.status();
  if (kOptions[*option] == "PARTONLY") {
    return fup_errors::AttributeNotBuilt("PARTONLY",
                                         "an Enscribe file is purged with all its partitions");
  }
  return on;
}

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  bool without_asking = cursor.TakeSymbol('!');
  const bool in_parentheses = cursor.IsSymbol('(');
  absl::StatusOr<std::vector<std::string>> filesets = cursor.TakeWordList("a file name to purge");
  if (!filesets.ok()) return filesets.status();
  std::optional<bool> list_all;
  while (in_parentheses && cursor.TakeSymbol(',')) {
    absl::StatusOr<bool> option = ParseListAll(cursor);
    if (!option.ok()) return option.status();
    list_all = *option;
  }
  without_asking = cursor.TakeSymbol('!') || without_asking;
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<PurgeCommand>(*std::move(filesets), without_asking, list_all);
}

constexpr CommandSpec kSpec = {
    "PURGE", "delete files",
    "PURGE [ ! ] fileset [ , fileset ]... [ ! ]\n"
    "PURGE ( fileset [ , fileset ]... ) [ , [NO] LISTALL ] [ ! ]\n"
    "  Asks for every file, unless ! is given; where nobody can answer ! is required.\n"
    "  LISTALL names every file purged (the default when interactive). Options need the\n"
    "  parentheses. Errors: 11 no such file, 12 somebody has it open, 66 a volume is down.\n",
    &Parse};

}  // namespace

const CommandSpec& PurgeCommandSpec() {
  return kSpec;
}

}  // namespace quire
