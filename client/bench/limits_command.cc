// quire-bench limits: what the machine and bare gRPC allow, without any store.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/limits/limit.h"
#include "client/bench/made_records.h"
#include "client/bench/number_text.h"
#include "client/bench/page/result_page.h"
#include "client/bench/page/spread.h"
#include "client/bench/stop_signal.h"
#include "client/bench/work_folder.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload

ABSL_FLAG(uint32_t, limits_rounds, 5, "limits: rounds; every limit once in each");
ABSL_FLAG(uint64_t, limits_records, 135'065, "limits: records of a stream, a copy, a long write");
ABSL_FLAG(uint64_t, limits_operations, 5000, "limits: appends and calls of a round");
namespace quire {
namespace bench {
namespace {

absl::StatusOr<double> MeasureOnce(const Limit& limit, const MadeRecords& records,
                                   const std::string& parent) {
  if (StopRequested()) return Interrupted();
  const absl::StatusOr<WorkFolder> folder = WorkFolder::Make(parent, /*keep=*/false);
  if (!folder.ok()) return folder.status();
  return limit.run({.records = &records,
                    .directory = folder->path(),
                    .operations = absl::GetFlag(FLAGS_limits_operations)});
}

Table CostTable(const std::vector<Limit>& limits, const std::vector<Spread>& rates) {
  Table table{.title = "The same as time and bytes",
              .columns = {"limit", "what is done", "us a record", "MB/s"},
              .rows = {},
              .text_columns = 2};
  for (size_t i = 0; i < limits.size(); ++i) {
    const double rate = rates[i].median;
    table.rows.push_back({limits[i].name, limits[i].what, FigureText(1e6 / rate),
                          FigureText(rate * MadeRecords::kRecordBytes / 1e6)});
  }
  return table;
}

ResultPage LimitsPage(const std::vector<Limit>& limits, const std::vector<Spread>& rates) {
  ResultPage page("quire-bench limits",
                  StrCat(CountText(static_cast<int64_t>(absl::GetFlag(FLAGS_limits_records))),
                         " records of ", CountText(MadeRecords::kRecordBytes), " bytes, ",
                         RoundsText(absl::GetFlag(FLAGS_limits_rounds))));
  PageBars bars{.title = "What the machine allows", .unit = "records/s", .bars = {}};
  for (size_t i = 0; i < limits.size(); ++i) {
    bars.bars.push_back({.label = limits[i].name, .value = rates[i]});
  }
  page.AddBars(std::move(bars));
  page.AddTable(CostTable(limits, rates));
  return page;
}

}  // namespace

absl::StatusOr<int> LimitsCommand() {
  const uint32_t rounds = absl::GetFlag(FLAGS_limits_rounds);
  if (rounds == 0) return BadOption("limits-rounds", "must be at least 1");
  if (absl::GetFlag(FLAGS_limits_records) == 0) {
    return BadOption("limits-records", "must be at least 1");
  }
  if (absl::GetFlag(FLAGS_limits_operations) == 0) {
    return BadOption("limits-operations", "must be at least 1");
  }
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  const std::vector<Limit> limits = AllLimits();
  const MadeRecords records(absl::GetFlag(FLAGS_limits_records));
  std::vector<std::vector<double>> measured(limits.size());
  // All in each round, so that what the machine does besides hits all of them alike.
  for (uint32_t round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < limits.size(); ++i) {
      const absl::StatusOr<double> rate = MeasureOnce(limits[i], records, folder->path());
      if (!rate.ok()) return rate.status();
      measured[i].push_back(*rate);
    }
  }
  std::vector<Spread> rates;
  for (std::vector<double>& values : measured) rates.push_back(SpreadOf(std::move(values)));
  return Publish(LimitsPage(limits, rates), PublishFlags());
}

}  // namespace bench
}  // namespace quire
