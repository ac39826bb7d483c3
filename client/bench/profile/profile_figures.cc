#include "client/bench/profile/profile_figures.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// Smaller shares only make the chart long; the table has them.
constexpr double kLeastBarShare = 0.02;

// All rounds as one, which rare activities need, beside the rounds' own range.
Spread PerRequest(const ProfileCell& cell,
                  const std::function<double(const ProfileRound&)>& seconds) {
  double sum_s = 0;
  double requests = 0;
  std::vector<double> rounds;
  for (const ProfileRound& round : cell.rounds) {
    const double round_s = seconds(round);
    sum_s += round_s;
    requests += static_cast<double>(round.requests);
    rounds.push_back(round_s * 1e6 / static_cast<double>(round.requests));
  }
  Spread spread = SpreadOf(rounds);
  spread.median = sum_s * 1e6 / requests;
  return spread;
}

Spread PerSecond(const ProfileCell& cell) {
  std::vector<double> rounds;
  for (const ProfileRound& round : cell.rounds) {
    rounds.push_back(static_cast<double>(round.requests) / round.elapsed_s);
  }
  return SpreadOf(rounds);
}

double ProcessSeconds(const ProfileRound& round) {
  return round.samples.user_s + round.samples.kernel_s;
}

// Of the processor time of the volume's process.
double KernelShare(const ProfileCell& cell) {
  double kernel_s = 0;
  double all_s = 0;
  for (const ProfileRound& round : cell.rounds) {
    kernel_s += round.samples.kernel_s;
    all_s += ProcessSeconds(round);
  }
  return all_s > 0 ? kernel_s / all_s : 0;
}

uint64_t SampleCount(const ProfileCell& cell) {
  uint64_t count = 0;
  for (const ProfileRound& round : cell.rounds) count += round.samples.total();
  return count;
}

std::string NameIn(const ProfileCell& cell, Activity activity) {
  if (activity == Activity::kOutside) return cell.embedded ? "client" : "gRPC";
  return std::string(kActivityNames[static_cast<size_t>(activity)]);
}

const char* Way(bool embedded) {
  return embedded ? "embedded" : "over gRPC";
}

Table TableOf(const std::vector<ProfileCell>& cells, bool embedded) {
  Table table;
  table.title = StrCat("Processor time per request, ", Way(embedded), ": us (per cent of the ",
                       embedded ? "process" : "server", ")");
  table.columns = {"work", "in flight", "requests/s", "client us", "volume us"};
  for (size_t i = embedded ? 1 : 0; i < kActivities; ++i) {
    ProfileCell any;
    any.embedded = embedded;
    table.columns.push_back(NameIn(any, static_cast<Activity>(i)));
  }
  table.columns.insert(table.columns.end(), {"in the kernel", "samples"});
  for (const ProfileCell& cell : cells) {
    if (cell.embedded != embedded) continue;
    std::vector<std::string> row = {
        std::string(NameOf(cell.work)), StrCat(cell.in_flight), FigureText(PerSecond(cell).median),
        FigureText(ClientMicros(cell).median), SpreadText(ServerMicros(cell))};
    double process_us = ServerMicros(cell).median;
    if (embedded) process_us += ClientMicros(cell).median;
    for (size_t i = embedded ? 1 : 0; i < kActivities; ++i) {
      const double us = ActivityMicros(cell, static_cast<Activity>(i)).median;
      row.push_back(us > 0 ? absl::StrFormat("%.2f (%.0f%%)", us, us * 100 / process_us)
                           : std::string("0"));
    }
    row.push_back(absl::StrFormat("%.0f%%", KernelShare(cell) * 100));
    row.push_back(StrCat(SampleCount(cell)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void AddBars(const ProfileCell& cell, PageBars* bars) {
  const std::string prefix = StrCat(cell.in_flight, " in flight: ");
  const Spread client = ClientMicros(cell);
  const double all_us = client.median + ServerMicros(cell).median;
  if (all_us <= 0) return;
  const auto add = [&](const std::string& name, const Spread& value, bool ours) {
    const double share = value.median / all_us;
    if (share < kLeastBarShare) return;
    bars->bars.push_back({.label = StrCat(prefix, name),
                          .value = value,
                          .ours = ours,
                          .note = absl::StrFormat("%.0f %%", share * 100)});
  };
  add("client", client, false);
  for (size_t i = cell.embedded ? 1 : 0; i < kActivities; ++i) {
    const auto activity = static_cast<Activity>(i);
    add(NameIn(cell, activity), ActivityMicros(cell, activity), true);
  }
}

}  // namespace

Spread ActivityMicros(const ProfileCell& cell, Activity activity) {
  return PerRequest(
      cell, [activity](const ProfileRound& round) { return round.samples.SecondsOf(activity); });
}

Spread ServerMicros(const ProfileCell& cell) {
  if (!cell.embedded) return PerRequest(cell, ProcessSeconds);
  return PerRequest(cell, [](const ProfileRound& round) {
    return ProcessSeconds(round) - round.samples.SecondsOf(Activity::kOutside);
  });
}

Spread ClientMicros(const ProfileCell& cell) {
  if (cell.embedded) return ActivityMicros(cell, Activity::kOutside);
  return PerRequest(cell, [](const ProfileRound& round) { return round.client_s; });
}

void AddProfile(const std::vector<ProfileCell>& cells, ResultPage* page) {
  for (const bool embedded : {false, true}) {
    Table table = TableOf(cells, embedded);
    if (!table.rows.empty()) page->AddTable(std::move(table));
  }
  for (const bool embedded : {false, true}) {
    for (const ProfileWork work : kProfileWorks) {
      PageBars bars;
      bars.title = StrCat(NameOf(work), ", ", Way(embedded));
      bars.unit = "us of processor time per request";
      bars.less_is_better = true;
      for (const ProfileCell& cell : cells) {
        if (cell.work == work && cell.embedded == embedded) AddBars(cell, &bars);
      }
      if (!bars.bars.empty()) page->AddBars(std::move(bars));
    }
  }
  page->AddNote(
      "client: the caller's process, with its end of gRPC. gRPC: what no layer of the server "
      "claims, its sockets included. rpc: messages made into requests and answers into messages. "
      "queue: admission, the queues between the roles, hand-off. request: opens, locks, saved "
      "answers, results. tree: search and structure. cache: frames found, marked, replaced. copy: "
      "records and blocks. store: misses and control points. trail: encode, append, sync. The "
      "split is sampled at the kernel's tick, user and kernel time alike; the time it splits is "
      "the kernel's own account.");
}

}  // namespace bench
}  // namespace quire
