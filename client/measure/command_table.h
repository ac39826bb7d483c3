// All commands of MEASCOM. Each spec stands in its command's own file, cmd_<verb>.cc.
#ifndef QUIRE_CLIENT_MEASURE_COMMAND_TABLE_H_
#define QUIRE_CLIENT_MEASURE_COMMAND_TABLE_H_

#include "absl/types/span.h"
#include "client/measure/command.h"

namespace quire {
namespace measure {

const CommandSpec& AddCommandSpec();
const CommandSpec& DeleteCommandSpec();
const CommandSpec& ExitCommandSpec();
const CommandSpec& HelpCommandSpec();
const CommandSpec& ListCommandSpec();
const CommandSpec& ResetCommandSpec();
const CommandSpec& SetCommandSpec();
const CommandSpec& SnapshotCommandSpec();
const CommandSpec& VolumeCommandSpec();

// In alphabetical order.
absl::Span<const CommandSpec> CommandTable();
// The verbs of the table, in its order.
absl::Span<const std::string_view> CommandVerbs();

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_COMMAND_TABLE_H_
