#include "client/measure/command_table.h"

#include <vector>

namespace quire {
namespace measure {

absl::Span<const CommandSpec> CommandTable() {
  static const auto* const table = new std::vector<CommandSpec>{
      AddCommandSpec(),  DeleteCommandSpec(),   ExitCommandSpec(),
      HelpCommandSpec(), ListCommandSpec(),     ResetCommandSpec(),
      SetCommandSpec(),  SnapshotCommandSpec(), VolumeCommandSpec(),
  };
  return *table;
}

absl::Span<const std::string_view> CommandVerbs() {
  static const auto* const verbs = [] {
    auto* list = new std::vector<std::string_view>;
    for (const CommandSpec& spec : CommandTable()) list->push_back(spec.verb);
    return list;
  }();
  return *verbs;
}

}  // namespace measure
}  // namespace quire
