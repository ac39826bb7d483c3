// quire-bench handoff: what it costs to wake another thread, alone and on the path of a request.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/strings/str_format.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/handoff/ping_pong.h"
#include "client/bench/handoff/real_path.h"
#include "client/bench/made_records.h"
#include "client/bench/number_text.h"
#include "client/bench/page/result_page.h"
#include "client/bench/stop_signal.h"
#include "client/bench/work_folder.h"
#include "quire/text.h"
#include "quire/wakeup.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload

ABSL_FLAG(uint64_t, handoff_turns, 10000, "handoff: turns to and fro of two threads in a round");
ABSL_FLAG(uint32_t, handoff_rounds, 7, "handoff: rounds");
ABSL_FLAG(uint32_t, handoff_ms, 250, "handoff: time of each kind of request in a round");
ABSL_FLAG(uint64_t, handoff_records, 20000, "handoff: records of the file that requests use");

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kClients[] = {1, 8, 64};

// Rounds of one thing, for the figure and for ratios round by round.
struct Series {
  std::vector<double> elapsed;  // or requests per second
  std::vector<double> cpu;
};

struct PathSeries {
  WakeupKind kind = kDefaultWakeup;
  PathWork work = PathWork::kRead;
  uint32_t clients = 1;
  std::vector<double> per_second = {};
  std::vector<double> server_us = {};
  std::vector<double> client_us = {};
};

std::string_view NameOf(WakeupKind kind) {
  return kWakeupNames[static_cast<size_t>(kind)];
}

absl::StatusOr<std::vector<Series>> MeasureTurns(const std::vector<HandoffWay>& ways) {
  std::vector<Series> measured(ways.size());
  for (uint32_t round = 0; round < absl::GetFlag(FLAGS_handoff_rounds); ++round) {
    for (size_t i = 0; i < ways.size(); ++i) {
      if (StopRequested()) return Interrupted();
      const HandoffCost cost = ways[i].run(absl::GetFlag(FLAGS_handoff_turns));
      measured[i].elapsed.push_back(cost.elapsed_us);
      measured[i].cpu.push_back(cost.cpu_us);
    }
  }
  return measured;
}

// Of the series with the lowest median.
const std::vector<double>& Best(const std::vector<Series>& all,
                                std::vector<double> Series::*figure) {
  const auto best =
      std::min_element(all.begin(), all.end(), [figure](const auto& a, const auto& b) {
        return SpreadOf(a.*figure).median < SpreadOf(b.*figure).median;
      });
  return (*best).*figure;
}

std::string RatioText(const std::vector<double>& values, const std::vector<double>& references) {
  return absl::StrFormat("%.2f", RatioSpread(values, references).median);
}

void AddTurns(const std::vector<HandoffWay>& ways, const std::vector<Series>& measured,
              ResultPage* page) {
  Table table;
  table.title = "Two threads in turns: one hand-off";
  table.columns = {"primitive", "elapsed us", "over the best", "processor us", "over the best"};
  PageBars bars;
  bars.title = "Two threads in turns";
  bars.unit = "us per hand-off";
  bars.less_is_better = true;
  for (size_t i = 0; i < ways.size(); ++i) {
    const Series& one = measured[i];
    const Spread elapsed = SpreadOf(one.elapsed);
    table.rows.push_back({ways[i].name, SpreadText(elapsed),
                          RatioText(one.elapsed, Best(measured, &Series::elapsed)),
                          SpreadText(SpreadOf(one.cpu)),
                          RatioText(one.cpu, Best(measured, &Series::cpu))});
    bars.bars.push_back({.label = ways[i].name, .value = elapsed, .ours = false, .note = ""});
  }
  page->AddTable(std::move(table));
  page->AddBars(std::move(bars));
}

using Path = std::pair<WakeupKind, std::unique_ptr<RealPath>>;

absl::StatusOr<std::vector<Path>> StartPaths(const std::string& directory,
                                             const MadeRecords* records) {
  std::vector<Path> paths;
  for (size_t i = 0; i < kWakeupNames.size(); ++i) {
    const std::string folder = (fs::path(directory) / std::string(kWakeupNames[i])).string();
    std::error_code failed;
    fs::create_directory(folder, failed);
    if (failed) return CannotOpen(folder, failed.value());
    const auto kind = static_cast<WakeupKind>(i);
    absl::StatusOr<std::unique_ptr<RealPath>> path = RealPath::Start(
        kind, folder, records, *std::max_element(std::begin(kClients), std::end(kClients)));
    if (!path.ok()) return path.status();
    paths.emplace_back(kind, *std::move(path));
  }
  return paths;
}

// By work and clients, then by kind.
absl::StatusOr<std::vector<PathSeries>> MeasurePaths(const std::vector<Path>& paths) {
  std::vector<PathSeries> all;
  for (const PathWork work : kPathWorks) {
    for (const uint32_t clients : kClients) {
      for (const Path& path : paths) {
        all.push_back({.kind = path.first, .work = work, .clients = clients});
      }
    }
  }
  for (uint32_t round = 0; round < absl::GetFlag(FLAGS_handoff_rounds); ++round) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (StopRequested()) return Interrupted();
      PathSeries& series = all[i];
      const absl::StatusOr<PathCost> cost = paths[i % paths.size()].second->Run(
          series.work, series.clients, absl::Milliseconds(absl::GetFlag(FLAGS_handoff_ms)));
      if (!cost.ok()) return cost.status();
      series.per_second.push_back(cost->per_second);
      series.server_us.push_back(cost->server_us);
      series.client_us.push_back(cost->client_us);
    }
  }
  return all;
}

void AddPaths(const std::vector<PathSeries>& all, size_t kinds, ResultPage* page) {
  Table table;
  table.title = StrCat("The path of a request, over ", NameOf(WakeupKind::kCondition));
  table.text_columns = 3;
  table.columns = {"work",           "clients",   "wake-up",        "requests/s",
                   "over condition", "server us", "over condition", "client us"};
  std::vector<double> rate_logs(kinds, 0);
  std::vector<double> cpu_logs(kinds, 0);
  for (size_t i = 0; i < all.size(); ++i) {
    const PathSeries& one = all[i];
    const PathSeries& condition = all[i - i % kinds];
    const double rate = RatioSpread(one.per_second, condition.per_second).median;
    const double cpu = RatioSpread(one.server_us, condition.server_us).median;
    rate_logs[i % kinds] += std::log(rate);
    cpu_logs[i % kinds] += std::log(cpu);
    table.rows.push_back({std::string(quire::bench::NameOf(one.work)), StrCat(one.clients),
                          std::string(NameOf(one.kind)), SpreadText(SpreadOf(one.per_second)),
                          absl::StrFormat("%.2f", rate), SpreadText(SpreadOf(one.server_us)),
                          absl::StrFormat("%.2f", cpu),
                          FigureText(SpreadOf(one.client_us).median)});
  }
  Table sum;
  sum.title = "All of it: geometric mean of the ratios";
  sum.columns = {"wake-up", "requests/s", "server us"};
  const double cells = static_cast<double>(all.size()) / static_cast<double>(kinds);
  for (size_t kind = 0; kind < kinds; ++kind) {
    sum.rows.push_back(
        {StrCat(NameOf(all[kind].kind), all[kind].kind == kDefaultWakeup ? " (in use)" : ""),
         absl::StrFormat("%.3f", std::exp(rate_logs[kind] / cells)),
         absl::StrFormat("%.3f", std::exp(cpu_logs[kind] / cells))});
  }
  page->AddTable(std::move(sum));
  page->AddTable(std::move(table));
  for (size_t first = 0; first < all.size(); first += kinds) {
    PageBars bars;
    bars.title = StrCat(quire::bench::NameOf(all[first].work), ", ", all[first].clients,
                        all[first].clients == 1 ? " client" : " clients");
    bars.unit = "requests/s";
    for (size_t i = first; i < first + kinds; ++i) {
      bars.bars.push_back({.label = std::string(NameOf(all[i].kind)),
                           .value = SpreadOf(all[i].per_second),
                           .ours = all[i].kind == kDefaultWakeup,
                           .note = ""});
    }
    page->AddBars(std::move(bars));
  }
}

}  // namespace

absl::StatusOr<int> HandoffCommand() {
  if (absl::GetFlag(FLAGS_handoff_turns) == 0) {
    return BadOption("handoff-turns", "must be at least 1");
  }
  if (absl::GetFlag(FLAGS_handoff_rounds) == 0) {
    return BadOption("handoff-rounds", "must be at least 1");
  }
  if (absl::GetFlag(FLAGS_handoff_records) == 0) {
    return BadOption("handoff-records", "must be at least 1");
  }
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  const std::vector<HandoffWay> ways = HandoffWays();
  const absl::StatusOr<std::vector<Series>> turns = MeasureTurns(ways);
  if (!turns.ok()) return turns.status();
  const MadeRecords records(absl::GetFlag(FLAGS_handoff_records));
  const absl::StatusOr<std::vector<Path>> paths = StartPaths(folder->path(), &records);
  if (!paths.ok()) return paths.status();
  const absl::StatusOr<std::vector<PathSeries>> measured = MeasurePaths(*paths);
  if (!measured.ok()) return measured.status();
  for (const Path& path : *paths) {
    if (absl::Status s = path.second->Stop(); !s.ok()) return s;
  }
  ResultPage page("quire-bench handoff",
                  StrCat(RoundsText(absl::GetFlag(FLAGS_handoff_rounds)), ", ",
                         absl::GetFlag(FLAGS_handoff_turns), " turns; requests for ",
                         absl::GetFlag(FLAGS_handoff_ms), " ms each, one server for each wake-up"));
  AddTurns(ways, *turns, &page);
  AddPaths(*measured, paths->size(), &page);
  page.AddNote(
      "joined: post and wait under one hold of the mutex. Linux has no call that posts a futex or "
      "an "
      "eventfd and waits for another. Reads of a lone client wake no thread of the server: the one "
      "that received the request runs it (R-D18).");
  return Publish(page, PublishFlags());
}

}  // namespace bench
}  // namespace quire
