#include "client/bench/peers/peers_page.h"

#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "client/bench/number_text.h"
#include "client/bench/peers/peer_goals.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr double kMegabyte = 1e6;

Spread Scaled(Spread spread, double divisor) {
  spread.median /= divisor;
  spread.low /= divisor;
  spread.high /= divisor;
  return spread;
}

class Page {
 public:
  Page(const RoundsPlan& plan, const Results& results) : plan_(plan), results_(results) {}

  ResultPage Make(const std::vector<std::string>& remarks) {
    ResultPage page("quire-bench peers", Lead());
    for (PageGoal& goal : PeerGoals(results_, plan_.records)) page.AddGoal(std::move(goal));
    AddRatios(/*over_network=*/false, &page);
    AddRatios(/*over_network=*/true, &page);
    for (const Work work : plan_.works) {
      const std::string name(NameOf(work));
      AddBars(std::string(TitleOf(work)), "operations/s", false, name, 1, &page);
      AddBars(StrCat(TitleOf(work), ": to the last reply alone"), "records/s", false,
              name + kReplySuffix, 1, &page);
      AddBars(StrCat(TitleOf(work), ": bytes on disc, log apart"), "MB", true, name + kBytesSuffix,
              kMegabyte, &page);
      AddBars(StrCat(TitleOf(work), ": peak private memory"), "MB", true, name + kMemorySuffix,
              kMegabyte, &page);
    }
    AddSettings(&page);
    for (const std::string& remark : remarks) page.AddNote(remark);
    return page;
  }

 private:
  std::string Lead() const {
    return StrCat(FigureText(static_cast<double>(plan_.records)), " records of ",
                  FigureText(MadeRecords::kRecordBytes), " bytes, ", plan_.rounds,
                  " interleaved rounds, ", std::thread::hardware_concurrency(),
                  " cores: median (lowest – highest)");
  }

  void AddBars(std::string title, std::string unit, bool less_is_better, const std::string& measure,
               double divisor, ResultPage* page) const {
    PageBars bars;
    bars.title = std::move(title);
    bars.unit = std::move(unit);
    bars.less_is_better = less_is_better;
    for (const Peer& peer : plan_.peers) AddBar(peer.name, peer.ours, measure, divisor, &bars);
    for (const Limit& limit : plan_.limits) AddBar(limit.name, false, measure, divisor, &bars);
    if (!bars.bars.empty()) page->AddBars(std::move(bars));
  }

  void AddBar(const std::string& row, bool ours, const std::string& measure, double divisor,
              PageBars* bars) const {
    const std::optional<Spread> spread = results_.Of(row, measure);
    if (!spread.has_value()) return;
    PageBar bar;
    bar.label = row;
    bar.value = Scaled(*spread, divisor);
    bar.ours = ours;
    bars->bars.push_back(std::move(bar));
  }

  // How many times as fast our best row is as each other store, by work.
  void AddRatios(bool over_network, ResultPage* page) const {
    Table table;
    table.title = over_network ? "Quire over gRPC over each server: times as fast"
                               : "Quire embedded over each library: times as fast";
    table.columns = {"store"};
    for (const Work work : plan_.works) table.columns.emplace_back(NameOf(work));
    for (const Peer& peer : plan_.peers) {
      if (peer.ours || peer.over_network != over_network) continue;
      std::vector<std::string> row = {peer.name};
      bool any = false;
      for (const Work work : plan_.works) {
        const std::string_view measure = NameOf(work);
        const std::optional<Spread> ratio =
            results_.Ratio(results_.Best(OurRows(over_network), measure).value_or(""), measure,
                           peer.name, measure);
        any = any || ratio.has_value();
        row.push_back(ratio.has_value() ? FigureText(ratio->median) : "");
      }
      if (any) table.rows.push_back(std::move(row));
    }
    if (!table.rows.empty()) page->AddTable(std::move(table));
  }

  std::vector<std::string> OurRows(bool over_network) const {
    std::vector<std::string> rows;
    for (const Peer& peer : plan_.peers) {
      if (peer.ours && peer.over_network == over_network) rows.push_back(peer.name);
    }
    return rows;
  }

  void AddSettings(ResultPage* page) const {
    Table table;
    table.title = "What was set, and what the limits are";
    table.columns = {"row", "settings"};
    table.text_columns = 2;
    for (const Peer& peer : plan_.peers) table.rows.push_back({peer.name, peer.settings});
    for (const Limit& limit : plan_.limits) table.rows.push_back({limit.name, limit.what});
    page->AddTable(std::move(table));
    page->AddNote(
        "Every row of a figure ran in a process and a folder of its own, in turn, in every round. "
        "All processes of this program and the volume servers it starts allocate with huge pages "
        "and keep what was freed. Loads are measured to the settled state: flushed, checkpointed, "
        "refreshed. Private memory is RssAnon + RssShmem beyond the records themselves, for "
        "servers that of the server.");
  }

  const RoundsPlan& plan_;
  const Results& results_;
};

}  // namespace

ResultPage PeersPage(const RoundsPlan& plan, const Results& results,
                     const std::vector<std::string>& remarks) {
  return Page(plan, results).Make(remarks);
}

}  // namespace bench
}  // namespace quire
