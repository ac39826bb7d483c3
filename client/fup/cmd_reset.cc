#include <utility>
#include <vector>

#include "client/fup/command_table.h"
#include "client/fup/create_settings.h"
#include "client/fup/session.h"

namespace quire {
namespace {

class ResetCommand : public FupCommand {
 public:
  explicit ResetCommand(std::vector<CreateKeyword> keywords) : keywords_(std::move(keywords)) {}

  absl::Status Run(FupSession& session) const override {
    ResetSettings(keywords_, session.create_settings);
    return absl::OkStatus();
  }

 private:
  const std::vector<CreateKeyword> keywords_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  absl::StatusOr<std::vector<CreateKeyword>> keywords = ParseCreateKeywords(cursor);
  if (!keywords.ok()) return keywords.status();
  return std::make_unique<ResetCommand>(*std::move(keywords));
}

constexpr CommandSpec kSpec = {
    "RESET", "take values of SET back to their defaults",
    "RESET [ attribute [ , attribute ]... ]\n"
    "  All values, or the named ones, e.g. RESET PART, EXT. PART means all partitions.\n",
    &Parse};

}  // namespace

const CommandSpec& ResetCommandSpec() {
  return kSpec;
}

}  // namespace quire
