#include <utility>

#include "client/measure/command_table.h"
#include "client/measure/session.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

class SetReportCommand : public MeasureCommand {
 public:
  explicit SetReportCommand(ReportOptions options) : options_(std::move(options)) {}

  absl::Status Run(MeasureSession& session) const override {
    session.report = Laid(options_, std::move(session.report));
    return absl::OkStatus();
  }

 private:
  const ReportOptions options_;
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  if (absl::Status s = cursor.ExpectWord("REPORT"); !s.ok()) return s;
  absl::StatusOr<ReportOptions> options = ParseReportOptions(cursor);
  if (!options.ok()) return options.status();
  return std::make_unique<SetReportCommand>(*std::move(options));
}

}  // namespace

const CommandSpec& SetCommandSpec() {
  static const auto* const usage =
      new std::string(StrCat("SET REPORT option [, option ]...\n"
                             "  What LIST does unless it says otherwise. Options:\n",
                             ReportOptionsUsage()));
  static const CommandSpec spec = {"SET", "set report options for the session", *usage, &Parse};
  return spec;
}

}  // namespace measure
}  // namespace quire
