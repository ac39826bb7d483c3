#include "absl/strings/str_format.h"
#include "client/fup/command_table.h"
#include "client/fup/session.h"

namespace quire {
namespace {

constexpr uint64_t kShownByDefault = 10;

class HistoryCommand : public FupCommand {
 public:
  explicit HistoryCommand(uint64_t count) : count_(count) {}

  absl::Status Run(FupSession& session) const override {
    for (const CommandHistory::Entry& entry : session.history.Last(count_)) {
      session.output() << absl::StrFormat("%4d> %s\n", entry.number, entry.text);
    }
    return absl::OkStatus();
  }

 private:
  const uint64_t count_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  uint64_t count = kShownByDefault;
  if (!cursor.AtEnd()) {
    absl::StatusOr<uint64_t> number = cursor.TakeNumber("HISTORY", 1, CommandHistory::kKept);
    if (!number.ok()) return number.status();
    count = *number;
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<HistoryCommand>(count);
}

constexpr CommandSpec kSpec = {"HISTORY", "list the last commands",
                               "HISTORY [ n ]\n  The last n (10) commands with their numbers.\n",
                               &Parse};

}  // namespace

const CommandSpec& HistoryCommandSpec() {
  return kSpec;
}

}  // namespace quire
