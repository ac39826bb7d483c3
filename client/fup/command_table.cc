#include "client/fup/command_table.h"

#include <vector>

namespace quire {
namespace {

CommandSpec NotBuilt(std::string_view verb, std::string_view summary) {
  return CommandSpec{verb, summary, "", nullptr};
}

std::vector<CommandSpec> MakeTable() {
  return {
      AgainCommandSpec(),
      ShowAgainCommandSpec(),
      NotBuilt("ALLOCATE", "allocate extents of a file"),
      AllowCommandSpec(),
      AlterCommandSpec(),
      BackupCommandSpec(),
      NotBuilt("BUILDKEYRECORDS", "write alternate-key records to a file"),
      CheckCommandSpec(),
      NotBuilt("CHECKSUM", "recompute block checksums"),
      NotBuilt("CONFIGURE", "session options"),
      NotBuilt("COPY", "copy records, or show them"),
      CreateCommandSpec(),
      NotBuilt("DEALLOCATE", "free extents beyond EOF"),
      NotBuilt("DISPLAYBITS", "7- or 8-bit characters in listings"),
      NotBuilt("DUPLICATE", "copy whole files"),
      ExitCommandSpec(),
      NotBuilt("FC", "fix a command line and run it"),
      FilenamesCommandSpec(),
      FilesCommandSpec(),
      NotBuilt("GIVE", "change the owner"),
      HelpCommandSpec(),
      HistoryCommandSpec(),
      InfoCommandSpec(),
      NotBuilt("LICENSE", "license a privileged program"),
      ListLocksCommandSpec(),
      ListOpensCommandSpec(),
      NotBuilt("LOAD", "build a file from records"),
      NotBuilt("LOADALTFILE", "build an alternate-key file"),
      ObeyCommandSpec(),
      PurgeCommandSpec(),
      NotBuilt("PURGEDATA", "empty files"),
      RefreshCommandSpec(),
      NotBuilt("RELOAD", "re-pack a file online"),
      NotBuilt("RENAME", "rename files"),
      NotBuilt("REPORTWIDTH", "width of listings"),
      ResetCommandSpec(),
      NotBuilt("RESTART", "restart a DUPLICATE"),
      NotBuilt("REVOKE", "take back license, PROGID or CLEARONPURGE"),
      NotBuilt("SECURE", "change the security"),
      SetCommandSpec(),
      ShowCommandSpec(),
      NotBuilt("STATUS", "state of a RELOAD"),
      SubvolsCommandSpec(),
      NotBuilt("SUSPEND", "stop a RELOAD"),
      SystemCommandSpec(),
      VolumeCommandSpec(),
  };
}

}  // namespace

absl::Span<const CommandSpec> CommandTable() {
  static const std::vector<CommandSpec>* const table = new std::vector<CommandSpec>(MakeTable());
  return *table;
}

absl::Span<const std::string_view> CommandVerbs() {
  static const std::vector<std::string_view>* const verbs = [] {
    auto* list = new std::vector<std::string_view>;
    for (const CommandSpec& spec : CommandTable()) list->push_back(spec.verb);
    return list;
  }();
  return *verbs;
}

}  // namespace quire
