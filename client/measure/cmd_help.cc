#include <optional>

#include "absl/strings/str_format.h"
#include "client/measure/command_table.h"
#include "client/measure/session.h"

namespace quire {
namespace measure {
namespace {

class HelpCommand : public MeasureCommand {
 public:
  explicit HelpCommand(std::optional<size_t> index) : index_(index) {}

  absl::Status Run(MeasureSession& session) const override {
    std::ostream& out = session.output();
    if (index_) {
      const CommandSpec& spec = CommandTable()[*index_];
      out << spec.verb << ": " << spec.summary << "\n" << spec.usage;
      return absl::OkStatus();
    }
    out << "Commands, which may be shortened as far as they stay unique:\n";
    for (const CommandSpec& spec : CommandTable()) {
      out << absl::StrFormat("  %-10s %s\n", spec.verb, spec.summary);
    }
    out << "HELP command tells more.\n"
           "Lines: ; separates commands, & continues on the next line, -- starts a comment.\n"
           "In a shell put the command in 'single quotes', for $ and * mean something to it.\n";
    return absl::OkStatus();
  }

 private:
  const std::optional<size_t> index_;
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  if (cursor.AtEnd()) return std::make_unique<HelpCommand>(std::nullopt);
  absl::StatusOr<size_t> index = cursor.TakeKeyword("command", CommandVerbs());
  if (!index.ok()) return index.status();
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<HelpCommand>(*index);
}

constexpr CommandSpec kSpec = {"HELP", "what commands there are, and how they are written",
                               "HELP [ command ]\n", &Parse};

}  // namespace

const CommandSpec& HelpCommandSpec() {
  return kSpec;
}

}  // namespace measure
}  // namespace quire
