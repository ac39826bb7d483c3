// quire-bench peers: Quire beside the stores that a user could pick instead.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/page/result_page.h"
#include "client/bench/peers/peers_page.h"
#include "client/bench/peers/rounds.h"
#include "client/bench/work_folder.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload

ABSL_FLAG(uint64_t, peers_records, 135065, "peers: records of 1,676 bytes");
ABSL_FLAG(uint32_t, peers_rounds, 5, "peers: rounds; each has every row once");
ABSL_FLAG(uint64_t, peers_operations, 20000,
          "peers: records of the work in groups; the other works have their shares of it");
ABSL_FLAG(std::vector<std::string>, peers_work, {},
          "peers: works such as durable,load-runs,read; \"mixed\" for all mixes; empty: all");
ABSL_FLAG(std::vector<std::string>, peers_stores, {},
          "peers: beginnings of the names of stores and limits, such as quire,lmdb,limit; empty: "
          "all");
ABSL_FLAG(std::string, peers_cell, "", "peers: for its child processes: the row to measure");
ABSL_FLAG(std::string, peers_figures, "", "peers: for its child processes: where figures go");

namespace quire {
namespace bench {
namespace {

bool Begins(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

absl::StatusOr<std::vector<Work>> WorksAsked() {
  const std::vector<std::string> words = absl::GetFlag(FLAGS_peers_work);
  std::vector<Work> works;
  std::vector<bool> known(words.size(), false);
  for (const Work work : AllWorks()) {
    bool asked = words.empty();
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] != NameOf(work) && !(words[i] == "mixed" && Begins(NameOf(work), "mixed-"))) {
        continue;
      }
      asked = true;
      known[i] = true;
    }
    if (asked) works.push_back(work);
  }
  const auto unknown = std::find(known.begin(), known.end(), false);
  if (unknown == known.end()) return works;
  return BadOption("peers-work", StrCat("there is no work ",
                                        words[static_cast<size_t>(unknown - known.begin())]));
}

bool IsAsked(const std::string& row) {
  const std::vector<std::string> starts = absl::GetFlag(FLAGS_peers_stores);
  return starts.empty() || std::any_of(starts.begin(), starts.end(), [&](const std::string& start) {
           return Begins(row, start);
         });
}

absl::StatusOr<RoundsPlan> MakePlan(std::vector<std::string>* missing) {
  RoundsPlan plan;
  absl::StatusOr<std::vector<Work>> works = WorksAsked();
  if (!works.ok()) return works.status();
  plan.works = *std::move(works);
  plan.rounds = absl::GetFlag(FLAGS_peers_rounds);
  plan.records = absl::GetFlag(FLAGS_peers_records);
  plan.operations = absl::GetFlag(FLAGS_peers_operations);
  if (plan.rounds == 0) return BadOption("peers-rounds", "must be at least 1");
  if (plan.operations == 0) return BadOption("peers-operations", "must be at least 1");
  if (plan.records < 2 || plan.records > 10'000'000) {
    return BadOption("peers-records", "must be 2 to 10,000,000: they are kept in memory");
  }
  if (plan.operations > plan.records * 5) {
    return BadOption("peers-operations", "must be at most five times the records");
  }
  for (Peer& peer : FindPeers(missing)) {
    if (IsAsked(peer.name)) plan.peers.push_back(std::move(peer));
  }
  for (Limit& limit : AllLimits()) {
    if (IsAsked(limit.name)) plan.limits.push_back(std::move(limit));
  }
  if (plan.peers.empty() && plan.limits.empty()) {
    return BadOption("peers-stores", "names none that is here");
  }
  return plan;
}

}  // namespace

absl::StatusOr<int> PeersCommand() {
  std::vector<std::string> remarks;
  absl::StatusOr<RoundsPlan> plan = MakePlan(&remarks);
  if (!plan.ok()) return plan.status();
  if (const std::string row = absl::GetFlag(FLAGS_peers_cell); !row.empty()) {
    const absl::Status obeyed = ObeyCellOrder({.row = row,
                                               .works = plan->works,
                                               .directory = absl::GetFlag(FLAGS_directory),
                                               .figures = absl::GetFlag(FLAGS_peers_figures)},
                                              *plan);
    if (!obeyed.ok()) return obeyed;
    return kExitDone;
  }
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  plan->directory = folder->path();
  const absl::StatusOr<Results> results = RunRounds(*plan, &remarks);
  if (!results.ok()) return results.status();
  return Publish(PeersPage(*plan, *results, remarks), PublishFlags());
}

}  // namespace bench
}  // namespace quire
