#include "client/bench/scale/scale_page.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "client/bench/number_text.h"
#include "client/bench/page/spread.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// Goals of the issue "Fast".
constexpr double kGrowthGoal = 1.3;
constexpr double kDiscRateGoal = 0.8;
constexpr double kUncachedGoal = 1.3;
constexpr double kStallGoalMs = 100;

using Figure = std::function<double(const StepFigures&)>;

double PerRecordMicros(double seconds, const StepFigures& step) {
  return seconds * 1e6 / static_cast<double>(step.load.records);
}
double ElapsedMicros(const StepFigures& step) {
  return PerRecordMicros(step.load.placed_s, step);
}
double CpuMicros(const StepFigures& step) {
  return PerRecordMicros(step.load.cpu_s, step);
}
double RecordBytes(const StepFigures& step) {
  return static_cast<double>(step.load.records * step.load.record_bytes);
}
double WrittenPerS(const StepFigures& step) {
  return step.load.written_bytes / step.load.placed_s;
}
double UncachedMicros(const StepFigures& step) {
  return SpreadOf(step.reopen.uncached_read_us).median;
}
double PreadMicros(const StepFigures& step) {
  return SpreadOf(step.reopen.pread_us).median;
}

Spread Over(const StepRounds& rounds, const Figure& figure) {
  std::vector<double> values;
  for (const StepFigures& step : rounds) values.push_back(figure(step));
  return SpreadOf(std::move(values));
}

// Of medians: the steps have their rounds one after the other, and not always as many.
double Growth(const std::vector<StepRounds>& steps, const Figure& figure) {
  const double first = Over(steps.front(), figure).median;
  return first == 0 ? 0 : Over(steps.back(), figure).median / first;
}

std::string RecordsText(const StepRounds& rounds) {
  return CountText(static_cast<int64_t>(rounds.front().load.records));
}

void AddInsertGoal(const std::vector<StepRounds>& steps, ResultPage* page) {
  const double elapsed = Growth(steps, ElapsedMicros);
  const double cpu = Growth(steps, CpuMicros);
  const double of_disc = Over(steps.back(), [](const StepFigures& step) {
                           return WrittenPerS(step) / step.disc_write_bytes_per_s;
                         }).median;
  page->AddGoal(
      {.what =
           StrCat("insert at ", RecordsText(steps.back()),
                  ": elapsed and CPU per "
                  "record over those at ",
                  RecordsText(steps.front()), ", or bytes written over the disc's sustained rate"),
       .asked = StrCat("<= ", FigureText(kGrowthGoal), ", or >= ", FigureText(kDiscRateGoal)),
       .got = StrCat("elapsed ", FigureText(elapsed), ", CPU ", FigureText(cpu), ", of the disc ",
                     FigureText(of_disc)),
       .met = (elapsed <= kGrowthGoal && cpu <= kGrowthGoal) || of_disc >= kDiscRateGoal,
       .measured = steps.size() > 1});
}

void AddReadGoals(const std::vector<StepRounds>& steps, ResultPage* page) {
  const double cached =
      Growth(steps, [](const StepFigures& step) { return step.load.cached_read_us; });
  page->AddGoal({.what = StrCat("cached read at ", RecordsText(steps.back()), " over that at ",
                                RecordsText(steps.front())),
                 .asked = StrCat("<= ", FigureText(kGrowthGoal)),
                 .got = FigureText(cached),
                 .met = cached <= kGrowthGoal,
                 .measured = steps.size() > 1});
  const Spread uncached = Over(steps.back(), [](const StepFigures& step) {
    return RatioSpread(step.reopen.uncached_read_us, step.reopen.pread_us).median;
  });
  page->AddGoal({.what = StrCat("uncached read at ", RecordsText(steps.back()),
                                " over a pread of one random block of that file"),
                 .asked = StrCat("<= ", FigureText(kUncachedGoal)),
                 .got = SpreadText(uncached),
                 .met = uncached.median <= kUncachedGoal,
                 .measured = true});
}

void AddBoundGoals(const std::vector<StepRounds>& steps, ResultPage* page) {
  double stall_ms = 0;
  double memory_share = 0;
  for (const StepRounds& rounds : steps) {
    stall_ms = std::max(stall_ms, Over(rounds, [](const StepFigures& step) {
                                    return step.load.longest_stall_ms();
                                  }).high);
    memory_share =
        std::max(memory_share, Over(rounds, [](const StepFigures& step) {
                                 return step.load.memory_bytes / step.load.memory_limit_bytes;
                               }).high);
  }
  page->AddGoal({.what = "longest stall of any request in any step",
                 .asked = StrCat("<= ", FigureText(kStallGoalMs), " ms"),
                 .got = StrCat(FigureText(stall_ms), " ms"),
                 .met = stall_ms <= kStallGoalMs,
                 .measured = true});
  page->AddGoal({.what = "private memory over --cache + --dirty-limit + 128 MiB, any step (R-D5)",
                 .asked = "<= 1",
                 .got = FigureText(memory_share),
                 .met = memory_share <= 1,
                 .measured = true});
}

PageCurve CurveOf(const std::vector<StepRounds>& steps, std::string label, const Figure& figure) {
  PageCurve curve{.label = std::move(label), .points = {}};
  for (const StepRounds& rounds : steps) {
    curve.points.push_back(
        {static_cast<double>(rounds.front().load.records), Over(rounds, figure)});
  }
  return curve;
}

void AddCurves(const std::vector<StepRounds>& steps, ResultPage* page) {
  page->AddCurves({.title = "Cost of an insert",
                   .x_label = "records",
                   .y_label = "us",
                   .logarithmic_x = true,
                   .curves = {CurveOf(steps, "elapsed, to the control point", ElapsedMicros),
                              CurveOf(steps, "CPU", CpuMicros)}});
  page->AddCurves(
      {.title = "Cost of a read",
       .x_label = "records",
       .y_label = "us",
       .logarithmic_x = true,
       .curves = {CurveOf(steps, "cached",
                          [](const StepFigures& step) { return step.load.cached_read_us; }),
                  CurveOf(steps, "uncached", UncachedMicros),
                  CurveOf(steps, "a bare pread", PreadMicros),
                  CurveOf(steps, "scan, per record, nothing cached",
                          [](const StepFigures& step) { return step.reopen.scan_us; })}});
  page->AddCurves(
      {.title = "Longest stall beside the load",
       .x_label = "records",
       .y_label = "ms",
       .logarithmic_x = true,
       .curves = {
           CurveOf(steps, "read", [](const StepFigures& step) { return step.load.stall_read_ms; }),
           CurveOf(steps, "BUFFERED write",
                   [](const StepFigures& step) { return step.load.stall_write_ms; }),
           CurveOf(steps, "AUDIT write",
                   [](const StepFigures& step) { return step.load.stall_audit_ms; }),
           CurveOf(steps, "the load itself",
                   [](const StepFigures& step) { return step.load.stall_load_ms; })}});
}

struct Row {
  const char* what;
  Figure figure;
};

const std::vector<Row>& Rows() {
  static const auto* const rows = new std::vector<Row>{
      {"insert, us to the last reply",
       [](const StepFigures& step) { return PerRecordMicros(step.load.answered_s, step); }},
      {"insert, us to the control point", ElapsedMicros},
      {"insert, us of CPU", CpuMicros},
      {"records/s to the control point",
       [](const StepFigures& step) { return 1e6 / ElapsedMicros(step); }},
      {"written bytes per record byte",
       [](const StepFigures& step) { return step.load.written_bytes / RecordBytes(step); }},
      {"bytes on disc per record byte",
       [](const StepFigures& step) { return step.load.disc_bytes / RecordBytes(step); }},
      {"written, MB/s", [](const StepFigures& step) { return WrittenPerS(step) / 1e6; }},
      {"the disc's sustained writes, MB/s",
       [](const StepFigures& step) { return step.disc_write_bytes_per_s / 1e6; }},
      {"control points",
       [](const StepFigures& step) { return static_cast<double>(step.load.control_points); }},
      {"a control point, ms", [](const StepFigures& step) { return step.load.control_point_ms; }},
      {"REFRESH behind the load, ms",
       [](const StepFigures& step) { return step.load.refresh_s * 1e3; }},
      {"private memory, MiB",
       [](const StepFigures& step) { return step.load.memory_bytes / (1 << 20); }},
      {"its limit, MiB",
       [](const StepFigures& step) { return step.load.memory_limit_bytes / (1 << 20); }},
      {"longest read, ms", [](const StepFigures& step) { return step.load.stall_read_ms; }},
      {"longest BUFFERED write, ms",
       [](const StepFigures& step) { return step.load.stall_write_ms; }},
      {"longest AUDIT write, ms", [](const StepFigures& step) { return step.load.stall_audit_ms; }},
      {"longest stop of the load, ms",
       [](const StepFigures& step) { return step.load.stall_load_ms; }},
      {"p99 read, ms", [](const StepFigures& step) { return step.load.p99_read_ms; }},
      {"p99 BUFFERED write, ms", [](const StepFigures& step) { return step.load.p99_write_ms; }},
      {"p99 AUDIT write, ms", [](const StepFigures& step) { return step.load.p99_audit_ms; }},
      {"cached read, us", [](const StepFigures& step) { return step.load.cached_read_us; }},
      {"uncached read, us", UncachedMicros},
      {"bare pread, us", PreadMicros},
      {"scan, us per record", [](const StepFigures& step) { return step.load.scan_us; }},
      {"scan, nothing cached, us per record",
       [](const StepFigures& step) { return step.reopen.scan_us; }},
      {"index levels",
       [](const StepFigures& step) { return static_cast<double>(step.reopen.index_levels); }},
      {"start after kill -9, ms", [](const StepFigures& step) { return step.reopen.open_s * 1e3; }},
      {"of it recovery, ms", [](const StepFigures& step) { return step.reopen.recovery_s * 1e3; }},
      {"records redone",
       [](const StepFigures& step) { return static_cast<double>(step.reopen.replayed_records); }}};
  return *rows;
}

void AddTable(const std::vector<StepRounds>& steps, ResultPage* page) {
  Table table{.title = "All figures", .columns = {"records"}, .rows = {}};
  for (const StepRounds& rounds : steps) table.columns.push_back(RecordsText(rounds));
  for (const Row& row : Rows()) {
    std::vector<std::string> cells = {row.what};
    for (const StepRounds& rounds : steps) cells.push_back(SpreadText(Over(rounds, row.figure)));
    table.rows.push_back(std::move(cells));
  }
  page->AddTable(std::move(table));
}

}  // namespace

ResultPage ScalePage(const std::vector<StepRounds>& steps, std::string lead) {
  ResultPage page("quire-bench scale", std::move(lead));
  AddInsertGoal(steps, &page);
  AddReadGoals(steps, &page);
  AddBoundGoals(steps, &page);
  AddCurves(steps, &page);
  AddTable(steps, &page);
  page.AddNote(
      "Every step has its volume in a process of its own: a BUFFERED load of 100 rising runs fed "
      "in "
      "turn, while another thread reads, writes a BUFFERED file and writes an AUDIT file in turn, "
      "one request each 2 ms. The process is then killed with 20,000 AUDIT records in the trail "
      "alone, the page cache of its files is dropped, and a second process starts the volume. An "
      "uncached read finds the indexes of file and store in memory and the record's block nowhere. "
      "Written bytes are those the process gave to the block layer.");
  return page;
}

}  // namespace bench
}  // namespace quire
