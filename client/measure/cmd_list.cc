#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/measure/command_table.h"
#include "client/measure/csv_report.h"
#include "client/measure/entity_spec.h"
#include "client/measure/json_report.h"
#include "client/measure/live_snapshot.h"
#include "client/measure/selection.h"
#include "client/measure/session.h"
#include "client/measure/snapshot_file.h"
#include "client/measure/text_report.h"
#include "client/measure/window.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

absl::StatusOr<std::string> Render(const MeasureSession& session, const ReportOptions& report,
                                   const EntitySpec& spec,
                                   const std::vector<WindowRecord>& records) {
  switch (session.options().format) {
    case OutputFormat::kCsv:
      return CsvReport(records);
    case OutputFormat::kJson:
      return JsonReport(records);
    case OutputFormat::kText:
      break;
  }
  if (records.empty()) return StrCat("No records of ", spec.ToString(), " in the window.\n");
  TextReportOptions options;
  options.rate = report.rate.value_or(false);
  options.system = session.defaults.node.empty() ? session.options().system : session.defaults.node;
  options.time_zone = session.options().time_zone;
  absl::StatusOr<std::string> text = TextReport(records, options);
  if (text.ok()) text->push_back('\n');  // keeps it apart from the next report
  return text;
}

class ListCommand : public MeasureCommand {
 public:
  ListCommand(Entity entity, std::string text, ReportOptions options)
      : entity_(entity), text_(std::move(text)), options_(std::move(options)) {}

  absl::Status Run(MeasureSession& session) const override {
    absl::StatusOr<EntitySpec> spec = EntitySpec::Parse(entity_, text_, session.defaults);
    if (!spec.ok()) return spec.status();
    const ReportOptions report = Laid(options_, session.report);

    std::optional<MeasureSnapshot> start;
    if (report.from_file) {
      absl::StatusOr<MeasureSnapshot> read = ReadSnapshotFile(*report.from_file);
      if (!read.ok()) return read.status();
      start = *std::move(read);
    }
    absl::StatusOr<MeasureSnapshot> end = End(session, report, *spec);
    if (!end.ok()) return end.status();

    absl::StatusOr<std::vector<WindowRecord>> records = RecordsOfWindow(start, *end, *spec);
    if (!records.ok()) return records.status();
    records = Select(*std::move(records), report);
    if (!records.ok()) return records.status();
    absl::StatusOr<std::string> text = Render(session, report, *spec, *records);
    if (!text.ok()) return text.status();
    session.output() << *text;
    return absl::OkStatus();
  }

 private:
  static absl::StatusOr<MeasureSnapshot> End(MeasureSession& session, const ReportOptions& report,
                                             const EntitySpec& spec) {
    if (report.to_file) return ReadSnapshotFile(*report.to_file);
    return TakeLiveSnapshot(session, spec.OnlyVolume(),
                            [&](std::string_view volume) { return spec.MatchesVolume(volume); });
  }

  const Entity entity_;
  const std::string text_;
  const ReportOptions options_;
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  absl::StatusOr<size_t> entity = cursor.TakeKeyword("entity", EntityNames());
  if (!entity.ok()) return entity.status();
  absl::StatusOr<std::string> text =
      cursor.TakeWord(StrCat("what to list of ", EntityNames()[*entity], ", a name or *,"));
  if (!text.ok()) return text.status();
  ReportOptions options;
  if (cursor.TakeSymbol(",")) {
    absl::StatusOr<ReportOptions> parsed = ParseReportOptions(cursor);
    if (!parsed.ok()) return parsed.status();
    options = *std::move(parsed);
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<ListCommand>(EntityAt(*entity), *std::move(text), std::move(options));
}

}  // namespace

const CommandSpec& ListCommandSpec() {
  static const auto* const usage = new std::string(StrCat(
      "LIST DISCOPEN|DISKFILE * | [[$vol.]subvol.]file [, option ]...\n"
      "LIST DISC|PROCESS * | $vol [, option ]...\n"
      "  Counters over a window: of opens, of files, of volumes, of volume servers. * in a\n"
      "  name stands for any characters. The window is from the volumes' start to now unless\n"
      "  a snapshot is named. Options:\n",
      ReportOptionsUsage()));
  static const CommandSpec spec = {"LIST", "report counters", *usage, &Parse};
  return spec;
}

}  // namespace measure
}  // namespace quire
