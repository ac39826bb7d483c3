#include "client/bench/peers/rounds.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/bench/child_process.h"
#include "client/bench/errors.h"
#include "client/bench/output_file.h"
#include "client/bench/peers/errors.h"
#include "client/bench/server_fleet.h"
#include "client/bench/stop_signal.h"
#include "client/bench/text_file.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

// The same help with memory for every store: huge pages, and freed memory is kept. On a virtual
// machine a fresh page costs more than most of what is measured.
constexpr char kTunables[] =
    "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=67108864:"
    "glibc.malloc.trim_threshold=1073741824:glibc.malloc.arena_max=2";
constexpr absl::Duration kLongestCell = absl::Minutes(10);
constexpr absl::Duration kLookInterval = absl::Milliseconds(200);
constexpr size_t kLogTailBytes = 400;

// One row's part in a phase.
struct Cell {
  std::string row;
  std::vector<Work> works;
};

std::string LogTail(const std::string& path) {
  std::string text = ReadTextFile(path).value_or("");
  if (text.size() > kLogTailBytes) text = text.substr(text.size() - kLogTailBytes);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// What earlier work left to be written would be written during the next.
void LetTheDiscSettle(const std::string& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  syncfs(descriptor);
  close(descriptor);
}

absl::StatusOr<Figures> RunChild(const Cell& cell, const RoundsPlan& plan) {
  const fs::path base = plan.directory;
  const std::string directory = (base / "cell").string();
  const std::string figures = (base / "figures").string();
  const std::string log = (base / "log").string();
  std::error_code failed;
  fs::remove_all(directory, failed);
  fs::remove(figures, failed);
  fs::remove(log, failed);
  fs::create_directories(directory, failed);
  if (failed) return CannotOpen(directory, failed.value());
  LetTheDiscSettle(plan.directory);
  std::vector<std::string> names;
  for (const Work work : cell.works) names.emplace_back(NameOf(work));
  absl::StatusOr<ChildProcess> child = ChildProcess::Start(
      ProgramBeside("quire-bench"),
      {"peers", StrCat("--peers_cell=", cell.row),
       StrCat("--peers_work=", absl::StrJoin(names, ",")), StrCat("--directory=", directory),
       StrCat("--peers_figures=", figures), StrCat("--peers_records=", plan.records),
       StrCat("--peers_operations=", plan.operations)},
      log);
  if (!child.ok()) return child.status();
  const absl::Time deadline = absl::Now() + kLongestCell;
  std::optional<std::string> ended;
  while (!ended.has_value()) {
    ended = child->WaitUntil(absl::Now() + kLookInterval);
    if (StopRequested()) return Interrupted();
    if (!ended.has_value() && absl::Now() > deadline) ended = "did not end in 10 minutes";
  }
  if (!ended->empty()) return CellFailed(cell.row, StrCat(*ended, ": ", LogTail(log)));
  const absl::StatusOr<std::string> text = ReadTextFile(figures);
  if (!text.ok()) return text.status();
  return ParseFigures(*text);
}

// The rows that take part in a phase, peers first.
std::vector<Cell> CellsOf(const RoundsPlan& plan, const std::vector<Work>& phase) {
  std::vector<Cell> cells;
  for (const Peer& peer : plan.peers) {
    if (std::vector<Work> works = WorksOf(peer, phase); !works.empty()) {
      cells.push_back({peer.name, std::move(works)});
    }
  }
  for (const Limit& limit : plan.limits) {
    if (std::find(phase.begin(), phase.end(), limit.work) != phase.end()) {
      cells.push_back({limit.name, {limit.work}});
    }
  }
  return cells;
}

}  // namespace

absl::StatusOr<Results> RunRounds(const RoundsPlan& plan, std::vector<std::string>* failures) {
  setenv("GLIBC_TUNABLES", kTunables, /*overwrite=*/1);
  Results results;
  std::set<std::pair<std::string, Work>> failed;
  for (uint32_t round = 0; round < plan.rounds; ++round) {
    for (const std::vector<Work>& phase : PhasesOf(plan.works)) {
      std::vector<Cell> cells = CellsOf(plan, phase);
      if (cells.empty()) continue;
      std::rotate(cells.begin(), cells.begin() + round % cells.size(), cells.end());
      for (const Cell& cell : cells) {
        if (failed.count({cell.row, cell.works.front()}) > 0) continue;
        const absl::StatusOr<Figures> figures = RunChild(cell, plan);
        if (StopRequested()) return Interrupted();
        if (figures.ok()) {
          results.Add(cell.row, *figures);
          continue;
        }
        // The same reason ends all works of a row that needs what is not there.
        std::string why(ToStd(figures.status().message()));
        if (std::find(failures->begin(), failures->end(), why) == failures->end()) {
          failures->push_back(std::move(why));
        }
        failed.insert({cell.row, cell.works.front()});
        for (const Work work : cell.works) results.Drop(cell.row, work);
      }
    }
  }
  return results;
}

absl::Status ObeyCellOrder(const CellOrder& order, const RoundsPlan& plan) {
  for (const Peer& peer : plan.peers) {
    if (peer.name != order.row) continue;
    const absl::StatusOr<Figures> figures = RunCell(peer, {.works = PhasesOf(order.works).front(),
                                                           .directory = order.directory,
                                                           .records = plan.records,
                                                           .operations = plan.operations});
    if (!figures.ok()) return figures.status();
    return WriteFile(order.figures, FiguresText(*figures));
  }
  for (const Limit& limit : plan.limits) {
    if (limit.name != order.row) continue;
    const MadeRecords records(plan.records);
    const uint64_t operations =
        OperationsOf(limit.work, /*over_network=*/true, plan.records, plan.operations);
    const absl::StatusOr<double> value =
        limit.run({.records = &records, .directory = order.directory, .operations = operations});
    if (!value.ok()) return value.status();
    return WriteFile(order.figures, FiguresText({{std::string(NameOf(limit.work)), *value}}));
  }
  return BadOption("peers-cell", StrCat("there is no ", order.row, " here"));
}

}  // namespace bench
}  // namespace quire
