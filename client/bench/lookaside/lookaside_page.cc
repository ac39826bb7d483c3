#include "client/bench/lookaside/lookaside_page.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/bench/number_text.h"
#include "client/bench/page/spread.h"
#include "client/bench/page/table.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// The way all others are compared with is the first.
void AddKeeping(const CaseResult& result, ResultPage& page) {
  const WayResult& never = result.ways.front();
  const WayResult& measured = result.ways.back();
  const Spread ratio = RatioSpread(measured.read_us, never.read_us);
  page.AddGoal({.what = StrCat(result.measured.name, ": time of a read, measured over never"),
                .asked = absl::StrFormat("<= %.2f", kMostSlower),
                .got = SpreadText(ratio),
                .met = ratio.median <= kMostSlower});
}

void AddFreezing(const CaseResult& result, ResultPage& page) {
  const Spread without = SpreadOf(result.ways.front().index_reads);
  const Spread with = SpreadOf(result.ways.back().index_reads);
  PageGoal goal{
      .what = StrCat(result.measured.name, ": physical index reads, FREEZE over NOFREEZE"),
      .asked = absl::StrFormat("<= %.2f", kMostIndexReads)};
  if (without.low > 0) {
    const Spread ratio =
        RatioSpread(result.ways.back().index_reads, result.ways.front().index_reads);
    goal.got = SpreadText(ratio);
    goal.met = ratio.median <= kMostIndexReads;
  } else {
    goal.got = "without FREEZE all of the index was in cache";
    goal.measured = false;
  }
  page.AddGoal(std::move(goal));
  PageBars bars{.title = "Physical index reads per record read",
                .unit = "reads",
                .less_is_better = true,
                .bars = {}};
  bars.bars.push_back({.label = "NOFREEZE", .value = without, .ours = true});
  bars.bars.push_back({.label = "FREEZE", .value = with, .ours = true});
  page.AddBars(std::move(bars));
}

void AddCase(const CaseResult& result, ResultPage& page) {
  if (result.measured.freezing) {
    AddFreezing(result, page);
  } else {
    AddKeeping(result, page);
  }
  PageBars bars{.title = StrCat(result.measured.name, ": time of a read"),
                .unit = "us",
                .less_is_better = true,
                .bars = {}};
  Table table{.title = result.measured.what,
              .columns = {"way", "blocks found", "decisions", "cached fetch us", "store fetch us",
                          "frozen blocks"},
              .rows = {}};
  for (const WayResult& way : result.ways) {
    bars.bars.push_back({.label = way.name, .value = SpreadOf(way.read_us), .ours = true});
    const auto sampled = [](double us) {
      return us == 0 ? std::string("-") : absl::StrFormat("%.2f", us);
    };
    table.rows.push_back({way.name, absl::StrFormat("%.1f %%", 100 * way.found),
                          StrCat(way.decisions), sampled(way.cached_us), sampled(way.store_us),
                          StrCat(way.frozen_blocks)});
  }
  page.AddBars(std::move(bars));
  page.AddTable(std::move(table));
}

}  // namespace

ResultPage LookasidePage(const std::vector<CaseResult>& results, uint32_t rounds) {
  ResultPage page("quire-bench lookaside",
                  StrCat("Reads by key in this process, in ", RoundsText(rounds),
                         " in which the ways take turns: data blocks never kept, always "
                         "kept, kept while measuring says that it pays (LOOKASIDE NOFREEZE)."));
  for (const CaseResult& result : results) AddCase(result, page);
  page.AddNote(
      "Each way has a copy of the same volume and a cache of its own, and is warmed by the same "
      "reads first. A store fetch is a copy out of the page cache and a checksum: what the disc "
      "would add makes keeping pay sooner. Memory that is short is stood for by frames of which "
      "half wait for a read of as many bytes past the page cache when they are used.");
  return page;
}

}  // namespace bench
}  // namespace quire
