#include <array>
#include <limits>

#include "absl/strings/match.h"
#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/session.h"

namespace quire {
namespace {

enum class What : uint8_t { kErrors, kWarnings, kSevereErrors };

class AllowCommand : public FupCommand {
 public:
  AllowCommand(What what, uint64_t count) : what_(what), count_(count) {}

  absl::Status Run(FupSession& session) const override {
    switch (what_) {
      case What::kErrors:
        session.allowance.errors = count_;
        break;
      case What::kWarnings:
        session.allowance.warnings = count_;
        break;
      case What::kSevereErrors:
        session.allowance.severe_errors = count_;
        break;
    }
    return absl::OkStatus();
  }

 private:
  const What what_;
  const uint64_t count_;
};

absl::StatusOr<uint64_t> ParseCount(TokenCursor& cursor) {
  const Token token = cursor.Take();
  if (token.kind == TokenKind::kNumber) return token.number;
  if (absl::EqualsIgnoreCase(token.text, "NO")) return uint64_t{0};
  if (absl::EqualsIgnoreCase(token.text, "ALL")) return Allowance::kAll;
  return fup_errors::Expected("NO, ALL or a number", TokenText(token));
}

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  static constexpr std::array<std::string_view, 3> kWhat = {"ERRORS", "WARNINGS", "SEVERE"};
  static constexpr std::array<std::string_view, 1> kAfterSevere = {"ERRORS"};
  absl::StatusOr<uint64_t> count = ParseCount(cursor);
  if (!count.ok()) return count.status();
  What what = What::kErrors;
  if (!cursor.AtEnd()) {
    absl::StatusOr<size_t> index = cursor.TakeKeyword("kind of trouble", kWhat);
    if (!index.ok()) return index.status();
    what = static_cast<What>(*index);
    if (what == What::kSevereErrors) {
      absl::StatusOr<size_t> errors = cursor.TakeKeyword("word after SEVERE", kAfterSevere);
      if (!errors.ok()) return errors.status();
    }
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<AllowCommand>(what, *count);
}

constexpr CommandSpec kSpec = {
    "ALLOW", "how many errors a script may have before FUP stops",
    "ALLOW { NO | n | ALL } [ ERRORS | WARNINGS | SEVERE ERRORS ]\n"
    "  At start: no errors, all warnings, no severe errors (nothing can be reached). Holds for\n"
    "  scripts and OBEY files; at the keyboard an error ends only its command.\n",
    &Parse};

}  // namespace

const CommandSpec& AllowCommandSpec() {
  return kSpec;
}

}  // namespace quire
