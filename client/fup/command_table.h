// All commands of FUP. Each spec stands in its command's own file, cmd_<verb>.cc.
#ifndef QUIRE_CLIENT_FUP_COMMAND_TABLE_H_
#define QUIRE_CLIENT_FUP_COMMAND_TABLE_H_

#include "absl/types/span.h"
#include "client/fup/command.h"

namespace quire {

const CommandSpec& AgainCommandSpec();  // !
const CommandSpec& AllowCommandSpec();
const CommandSpec& AlterCommandSpec();
const CommandSpec& BackupCommandSpec();
const CommandSpec& CheckCommandSpec();
const CommandSpec& CreateCommandSpec();
const CommandSpec& ExitCommandSpec();
const CommandSpec& FilenamesCommandSpec();
const CommandSpec& FilesCommandSpec();
const CommandSpec& HelpCommandSpec();
const CommandSpec& HistoryCommandSpec();
const CommandSpec& InfoCommandSpec();
const CommandSpec& ListLocksCommandSpec();
const CommandSpec& ListOpensCommandSpec();
const CommandSpec& ObeyCommandSpec();
const CommandSpec& PurgeCommandSpec();
const CommandSpec& RefreshCommandSpec();
const CommandSpec& ResetCommandSpec();
const CommandSpec& SetCommandSpec();
const CommandSpec& ShowAgainCommandSpec();  // ?
const CommandSpec& ShowCommandSpec();
const CommandSpec& SubvolsCommandSpec();
const CommandSpec& SystemCommandSpec();
const CommandSpec& VolumeCommandSpec();

// Every verb in alphabetical order, those not built yet included, so that an abbreviation that is
// unique today does not change its meaning when they come.
absl::Span<const CommandSpec> CommandTable();
// The verbs of the table, in its order.
absl::Span<const std::string_view> CommandVerbs();

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_COMMAND_TABLE_H_
