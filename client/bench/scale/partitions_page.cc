#include "client/bench/scale/partitions_page.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "client/bench/page/spread.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

using Figure = std::function<double(const PartitionsRound&)>;

// Goals of the issue "Fast": a sync carries what waits for it, and eleven trails on one disc have
// eleven shorter queues.
constexpr double kGoalAlone = 0.45;
constexpr double kGoalPipelined = 0.8;
constexpr uint32_t kPipelined = 64;

double Rate(const PartitionsRound& round) {
  return static_cast<double>(round.records) / round.elapsed_s;
}
double SyncRate(const PartitionsRound& round) {
  return round.syncs / round.elapsed_s;
}
double RecordsPerSync(const PartitionsRound& round) {
  return static_cast<double>(round.records) / std::max(round.syncs, 1.0);
}
double SyncMicros(const PartitionsRound& round) {
  return round.sync_us;
}
double CpuMicros(const PartitionsRound& round) {
  return round.server_cpu_s * 1e6 / static_cast<double>(round.records);
}

std::vector<double> Values(const std::vector<PartitionsRound>& rounds, const Figure& figure) {
  std::vector<double> values;
  for (const PartitionsRound& round : rounds) values.push_back(figure(round));
  return values;
}

Spread Of(const std::vector<PartitionsRound>& rounds, const Figure& figure) {
  return SpreadOf(Values(rounds, figure));
}

Spread Ratio(const PartitionsFigures& figures) {
  return RatioSpread(Values(figures.many, Rate), Values(figures.one, Rate));
}

std::string InFlightText(const PartitionsFigures& figures) {
  return StrCat(figures.clients, " clients, ", figures.in_flight,
                figures.in_flight == 1 ? " request" : " requests", " in flight each");
}

void AddGoals(const std::vector<PartitionsFigures>& all, ResultPage* page) {
  for (const PartitionsFigures& figures : all) {
    const double goal = PartitionsGoal(figures.in_flight);
    if (goal == 0) continue;
    const Spread ratio = Ratio(figures);
    page->AddGoal({.what = StrCat(figures.partitions, " partitions over one on this one disc, ",
                                  InFlightText(figures), ", write-through"),
                   .asked = StrCat(">= ", FigureText(goal)),
                   .got = SpreadText(ratio),
                   .met = ratio.median >= goal,
                   .measured = true});
  }
}

void AddTable(const std::vector<PartitionsFigures>& all, ResultPage* page) {
  Table table{.title = "Write-through inserts",
              .columns = {"partitions, requests in flight", "records/s", "syncs/s",
                          "records per sync", "a sync, us", "server CPU, us per record"},
              .rows = {},
              .text_columns = 1};
  for (const PartitionsFigures& figures : all) {
    const std::pair<uint32_t, const std::vector<PartitionsRound>*> both[] = {
        {1, &figures.one}, {figures.partitions, &figures.many}};
    for (const auto& [partitions, rounds] : both) {
      table.rows.push_back({StrCat(partitions, ", ", figures.clients, " x ", figures.in_flight),
                            SpreadText(Of(*rounds, Rate)), SpreadText(Of(*rounds, SyncRate)),
                            SpreadText(Of(*rounds, RecordsPerSync)),
                            SpreadText(Of(*rounds, SyncMicros)),
                            SpreadText(Of(*rounds, CpuMicros))});
    }
  }
  page->AddTable(std::move(table));
}

// What the figures say about one disc, and about several.
std::string Explain(const PartitionsFigures& figures) {
  const double one_syncs = Of(figures.one, SyncRate).median;
  const double many_syncs = Of(figures.many, SyncRate).median;
  const double one_group = Of(figures.one, RecordsPerSync).median;
  const double many_group = Of(figures.many, RecordsPerSync).median;
  const double one_us = Of(figures.one, SyncMicros).median;
  const double many_us = Of(figures.many, SyncMicros).median;
  const double volumes = figures.partitions;
  const double in_flight = static_cast<double>(figures.clients) * figures.in_flight;
  // Each volume syncs as fast as the one does now, and a sync carries its share of what is asked.
  const double apart = volumes * 1e6 / std::max(one_us, 1.0) * std::max(1.0, in_flight / volumes);
  const double alone = in_flight * 1e6 / std::max(one_us, 1.0);
  return StrCat(
      InFlightText(figures), ": one partition makes ", FigureText(one_syncs), " syncs/s of ",
      FigureText(one_group), " records; ", figures.partitions, " make ", FigureText(many_syncs),
      " of ", FigureText(many_group),
      ", because what is asked at a time is spread over as many trails, and a sync carries only "
      "what waits at its own. A sync takes ",
      FigureText(many_us), " us beside those of the other volumes, ", FigureText(one_us),
      " us alone. With a disc for each volume a sync would take those ", FigureText(one_us),
      " us whatever the others do: the discs would allow ", FigureText(std::min(apart, alone)),
      " records/s, ", FigureText(std::min(apart, alone) / Of(figures.one, Rate).median),
      " times the one partition's rate, as far as processors allow; the servers take ",
      FigureText(Of(figures.many, CpuMicros).median), " us of one for a record.");
}

}  // namespace

double PartitionsGoal(uint32_t in_flight) {
  if (in_flight == 1) return kGoalAlone;
  return in_flight == kPipelined ? kGoalPipelined : 0;
}

ResultPage PartitionsPage(const std::vector<PartitionsFigures>& figures, std::string lead) {
  ResultPage page("quire-bench partitions", std::move(lead));
  AddGoals(figures, &page);
  PageBars bars{
      .title = "Write-through inserts", .unit = "records/s", .less_is_better = false, .bars = {}};
  for (const PartitionsFigures& one : figures) {
    bars.bars.push_back({.label = StrCat("1 partition, ", InFlightText(one)),
                         .value = Of(one.one, Rate),
                         .ours = false,
                         .note = ""});
    bars.bars.push_back({.label = StrCat(one.partitions, " partitions, ", InFlightText(one)),
                         .value = Of(one.many, Rate),
                         .ours = true,
                         .note = ""});
  }
  page.AddBars(std::move(bars));
  AddTable(figures, &page);
  for (const PartitionsFigures& one : figures) page.AddNote(Explain(one));
  return page;
}

}  // namespace bench
}  // namespace quire
