#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "client/command/keyword.h"
#include "client/fup/command_table.h"
#include "client/fup/session.h"

namespace quire {
namespace {

void ListCommands(std::ostream& out) {
  out << "Commands, which may be shortened as far as they stay unique:\n";
  for (const CommandSpec& spec : CommandTable()) {
    if (spec.parse != nullptr) out << absl::StrFormat("  %-10s %s\n", spec.verb, spec.summary);
  }
  out << "HELP command tells more. Not built yet:\n ";
  size_t column = 1;
  for (const CommandSpec& spec : CommandTable()) {
    if (spec.parse != nullptr) continue;
    if (column + spec.verb.size() + 1 > 78) {
      out << "\n ";
      column = 1;
    }
    out << " " << spec.verb;
    column += spec.verb.size() + 1;
  }
  out << "\n"
         "Lines: ; separates commands, & continues on the next line, -- and == start comments.\n"
         "Numbers: 80, %120 octal, %H50 hexadecimal. Strings: \"AB\", with \"\" for a quote.\n"
         "Names: [\\node.][$volume.][subvolume.]file; in a shell put the command in 'single "
         "quotes'.\n";
}

class HelpCommand : public FupCommand {
 public:
  enum class What : uint8_t { kList, kAll, kOne };
  HelpCommand(What what, size_t index) : what_(what), index_(index) {}

  absl::Status Run(FupSession& session) const override {
    std::ostream& out = session.output();
    switch (what_) {
      case What::kList:
        ListCommands(out);
        break;
      case What::kOne:
        PrintUsage(CommandTable()[index_], out);
        break;
      case What::kAll:
        for (const CommandSpec& spec : CommandTable()) {
          if (spec.parse != nullptr) PrintUsage(spec, out);
        }
        break;
    }
    return absl::OkStatus();
  }

 private:
  static void PrintUsage(const CommandSpec& spec, std::ostream& out) {
    out << spec.verb << ": " << spec.summary << (spec.parse == nullptr ? "; not built yet" : "")
        << "\n"
        << spec.usage;
  }

  const What what_;
  const size_t index_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  using What = HelpCommand::What;
  if (cursor.AtEnd()) return std::make_unique<HelpCommand>(What::kList, 0);
  const Token token = cursor.Take();
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  if (absl::EqualsIgnoreCase(token.text, "ALL")) {
    return std::make_unique<HelpCommand>(What::kAll, 0);
  }
  absl::StatusOr<size_t> index = FindKeyword("command", token.text, CommandVerbs());
  if (!index.ok()) return index.status();
  return std::make_unique<HelpCommand>(What::kOne, *index);
}

constexpr CommandSpec kSpec = {"HELP", "what commands there are, and how they are written",
                               "HELP [ command | ALL ]\n", &Parse};

}  // namespace

const CommandSpec& HelpCommandSpec() {
  return kSpec;
}

}  // namespace quire
