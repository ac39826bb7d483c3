#include "client/bench/report_tables.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_format.h"
#include "client/bench/comparison.h"
#include "client/bench/expected.h"
#include "client/bench/number_text.h"
#include "client/bench/report_generator.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

std::string ConfigLetter(Config config) {
  return std::string(1, static_cast<char>(config));
}

struct CounterRow {
  const char* label;
  int64_t OpenCounters::*measured;
  int64_t ArticleFigures::*article;  // null: not printed in the article
};

constexpr CounterRow kCounterRows[] = {
    {"Requests", &OpenCounters::requests, &ArticleFigures::requests},
    {"Cache-Hits", &OpenCounters::cache_hits, &ArticleFigures::cache_hits},
    {"Cache-Write-Hits", &OpenCounters::cache_write_hits, &ArticleFigures::cache_write_hits},
    {"Cache-Write-Cleans", &OpenCounters::cache_write_cleans, &ArticleFigures::cache_write_cleans},
    {"Block-Splits", &OpenCounters::block_splits, &ArticleFigures::block_splits},
    {"Driver-Input-Calls", &OpenCounters::driver_input_calls, &ArticleFigures::driver_input_calls},
    {"Driver-Output-Calls", &OpenCounters::driver_output_calls,
     &ArticleFigures::driver_output_calls},
    {"Cache-Read-Misses", &OpenCounters::cache_read_misses, nullptr},
    {"Cache-Write-Misses", &OpenCounters::cache_write_misses, nullptr},
};

void AddFigure(int64_t measured, std::optional<int64_t> reference, std::vector<std::string>* row) {
  row->push_back(CountText(measured));
  row->push_back(reference.has_value() ? DifferenceText(static_cast<double>(measured),
                                                        static_cast<double>(*reference))
                                       : "");
}

}  // namespace

std::vector<Config> ConfigsIn(const std::vector<RunResult>& runs) {
  std::vector<Config> configs;
  for (const RunResult& run : runs) {
    if (std::find(configs.begin(), configs.end(), run.load_case.config) == configs.end()) {
      configs.push_back(run.load_case.config);
    }
  }
  return configs;
}

Table LoadsTable(const std::vector<RunResult>& runs) {
  Table table{.title = "Loads",
              .columns = {"run", "a crash loses", "in flight", "batch", "records", "elapsed s",
                          "placed s", "records/s", "over A", "client CPU s", "server CPU s",
                          "server memory", "on disc", "read back"},
              .rows = {},
              .text_columns = 2};
  const std::optional<CaseFigures> a = FiguresOf(runs, Config::kA, false);
  for (const RunResult& run : runs) {
    table.rows.push_back(
        {StrCat(TitleOf(run.load_case), " (", ModeName(run.load_case.config), ", ", run.partitions,
                run.partitions == 1 ? " partition)" : " partitions)"),
         std::string(LostByCrash(run.load_case.config)), CountText(run.load_case.in_flight),
         CountText(run.load_case.batch), CountText(static_cast<int64_t>(run.records)),
         SecondsText(run.elapsed_s), SecondsText(run.placed_s),
         CountText(std::llround(run.records_per_s())),
         a.has_value() && run.elapsed_s > 0
             ? absl::StrFormat("%.1f x", a->elapsed_s / run.elapsed_s)
             : "",
         SecondsText(run.client.cpu_busy_s),
         run.server.has_value() ? SecondsText(run.server->cpu_busy_s) : "",
         run.server_peak_anon_bytes.has_value() ? MebibytesText(*run.server_peak_anon_bytes) : "",
         run.disc_bytes.has_value() ? MebibytesText(*run.disc_bytes) : "",
         run.verified ? "equal" : "DIFFERS"});
  }
  return table;
}

Table DiscopenTable(Config config, const std::vector<RunResult>& all_runs) {
  std::vector<RunResult> runs;
  for (const RunResult& run : all_runs) {
    if (run.load_case.config == config) runs.push_back(run);
  }
  const ArticleFigures* const printed = Article(config);
  const bool as_article = printed != nullptr && runs.front().records == kArticleRecords;
  const ArticleFigures article = as_article ? *printed : ArticleFigures{};
  const bool has_model = runs.front().has_article_shape();
  Table table{.title = StrCat("DISCOPEN ", FileOf(config).ToString(), ": configuration ",
                              ConfigLetter(config), ", ", ModeName(config)),
              .columns = {"counter", "model"},
              .rows = {}};
  if (as_article) table.columns.insert(table.columns.begin() + 1, "article");
  for (const RunResult& run : runs) {
    table.columns.push_back(run.load_case.one_at_a_time() ? "one at a time" : "pipelined");
    table.columns.push_back("difference");
  }
  const ModelCounters model = has_model ? ModelOf(config, runs.front().records) : ModelCounters{};
  const auto modelled = [&](std::string_view label) -> std::optional<int64_t> {
    if (!has_model) return std::nullopt;
    const auto figure = [](uint64_t value) { return static_cast<int64_t>(value); };
    if (label == "Requests") return ExpectedOf(runs.front()).requests->value;
    if (label == "Cache-Hits" || label == "Driver-Input-Calls") return figure(model.cache_hits);
    if (label == "Block-Splits") return figure(model.block_splits);
    if (label == "Driver-Output-Calls") return figure(model.driver_output_calls());
    if (label == "EOF") return figure(model.eof_bytes);
    if (label == "INDEX LEVELS") return figure(model.index_levels);
    if (!IsWriteThrough(config)) return std::nullopt;  // R-C5
    if (label == "Cache-Write-Hits") return figure(model.write_hits);
    if (label == "Cache-Write-Cleans") return figure(model.write_cleans);
    return std::nullopt;
  };
  const auto add_row = [&](const std::string& label, std::optional<int64_t> of_article,
                           auto measured_of) {
    const std::optional<int64_t> of_model = modelled(label);
    std::vector<std::string> row = {label};
    if (as_article) row.push_back(of_article ? CountText(*of_article) : "");
    row.push_back(of_model ? CountText(*of_model) : "");
    const std::optional<int64_t> reference = as_article && of_article ? of_article : of_model;
    for (const RunResult& run : runs) AddFigure(measured_of(run), reference, &row);
    table.rows.push_back(std::move(row));
  };
  for (const CounterRow& row : kCounterRows) {
    add_row(row.label,
            row.article == nullptr ? std::nullopt : std::optional<int64_t>(article.*row.article),
            [&row](const RunResult& run) { return run.open.*row.measured; });
  }
  add_row("EOF", article.eof, [](const RunResult& run) { return run.eof; });
  add_row("INDEX LEVELS", article.index_levels,
          [](const RunResult& run) { return run.index_levels; });
  return table;
}

Table ProcessTable(const std::vector<RunResult>& runs) {
  Table table{.title = "PROCESS: the program that writes the file, and the servers",
              .columns = {"run", "Cpu-Busy-Time s", "difference", "Dispatches", "difference",
                          "Ready-Time s", "difference", "servers: Cpu-Busy-Time s", "Dispatches",
                          "Ready-Time s"},
              .rows = {}};
  for (Config config : ConfigsIn(runs)) {
    const ArticleFigures* const printed = Article(config);
    const ArticleFigures article = printed != nullptr ? *printed : ArticleFigures{};
    if (printed != nullptr) {
      table.rows.push_back({ConfigLetter(config) + " in the article",
                            SecondsText(article.cpu_busy_s), "", CountText(article.dispatches), "",
                            SecondsText(article.ready_s), "", "", "", ""});
    }
    for (const RunResult& run : runs) {
      if (run.load_case.config != config) continue;
      const auto difference = [&run, printed](double measured, double reference) {
        const bool as_article = printed != nullptr && run.records == kArticleRecords;
        return as_article ? DifferenceText(measured, reference) : std::string();
      };
      table.rows.push_back(
          {TitleOf(run.load_case), SecondsText(run.client.cpu_busy_s),
           difference(run.client.cpu_busy_s, article.cpu_busy_s), CountText(run.client.dispatches),
           difference(static_cast<double>(run.client.dispatches),
                      static_cast<double>(article.dispatches)),
           SecondsText(run.client.ready_s), difference(run.client.ready_s, article.ready_s),
           run.server.has_value() ? SecondsText(run.server->cpu_busy_s) : "",
           run.server.has_value() ? CountText(run.server->dispatches) : "",
           run.server.has_value() ? SecondsText(run.server->ready_s) : ""});
    }
  }
  return table;
}

Table DiscTable(const std::vector<RunResult>& runs) {
  Table table{.title = "DISC: what went to disc, all volumes together",
              .columns = {"run", "trail", "trail syncs", "records per sync", "mean sync us",
                          "control points", "mean control point ms", "store syncs"},
              .rows = {}};
  const auto mean = [](double total, int64_t count, double unit) {
    return count > 0 ? absl::StrFormat("%.1f", total / static_cast<double>(count) * unit) : "";
  };
  for (const RunResult& run : runs) {
    table.rows.push_back(
        {TitleOf(run.load_case), MebibytesText(static_cast<uint64_t>(run.disc.trail_bytes)),
         CountText(run.disc.trail_syncs),
         mean(static_cast<double>(run.records), run.disc.trail_syncs, 1),
         mean(run.disc.trail_sync_s, run.disc.trail_syncs, 1e6), CountText(run.disc.control_points),
         mean(run.disc.control_point_s, run.disc.control_points, 1e3),
         CountText(run.disc.store_syncs)});
  }
  return table;
}

Table ChecksTable(const std::vector<Check>& checks) {
  Table table{.title = "Checks",
              .columns = {"check", "measured", "wanted", "result"},
              .rows = {},
              .text_columns = 4};
  for (const Check& check : checks) {
    table.rows.push_back({StrCat(check.run, ": ", check.name), check.measured, check.wanted,
                          check.met ? "met" : "MISSED"});
  }
  return table;
}

std::vector<Table> AllTables(const std::vector<RunResult>& runs, const std::vector<Check>& checks) {
  std::vector<Table> tables = {LoadsTable(runs)};
  for (Config config : ConfigsIn(runs)) tables.push_back(DiscopenTable(config, runs));
  tables.push_back(ProcessTable(runs));
  tables.push_back(DiscTable(runs));
  tables.push_back(ChecksTable(checks));
  return tables;
}

}  // namespace bench
}  // namespace quire
