#include <optional>
#include <string>
#include <utility>

#include "client/measure/command_table.h"
#include "client/measure/session.h"

namespace quire {
namespace measure {
namespace {

class VolumeCommand : public MeasureCommand {
 public:
  explicit VolumeCommand(std::optional<std::string> text) : text_(std::move(text)) {}

  absl::Status Run(MeasureSession& session) const override {
    if (!text_) {
      session.defaults = session.options().defaults;
      return absl::OkStatus();
    }
    absl::StatusOr<NameDefaults> parsed = ParseDefaults(*text_, session.defaults);
    if (!parsed.ok()) return parsed.status();
    session.defaults = *std::move(parsed);
    return absl::OkStatus();
  }

 private:
  const std::optional<std::string> text_;
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  std::optional<std::string> text;
  if (!cursor.AtEnd()) {
    absl::StatusOr<std::string> word = cursor.TakeWord("a volume or subvolume");
    if (!word.ok()) return word.status();
    text = *std::move(word);
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<VolumeCommand>(std::move(text));
}

constexpr CommandSpec kSpec = {
    "VOLUME", "default volume and subvolume of file names",
    "VOLUME [ [\\node.]$volume[.subvolume] | subvolume ]\n"
    "  Sets what file names without these parts mean, for the rest of the session.\n"
    "  Without a name: back to the defaults at start (option --defaults).\n",
    &Parse};

}  // namespace

const CommandSpec& VolumeCommandSpec() {
  return kSpec;
}

}  // namespace measure
}  // namespace quire
