#include "client/bench/checks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_format.h"
#include "client/bench/comparison.h"
#include "client/bench/expected.h"
#include "client/bench/number_text.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr double kNear = 0.01;                // counters within 1 %
constexpr double kGainTolerance = 0.25;       // of syncs saved × mean sync time
constexpr double kPipelinedSpeedUp = 8;       // write-through, over one at a time
constexpr double kAuditOfBuffered = 0.9;      // records/s, both pipelined, by both figures (R-M1)
constexpr double kAuditSpeedUp = 15;          // pipelined, over one at a time
constexpr double kBufferedPerSecond = 60000;  // pipelined over gRPC

bool Within(double measured, double wanted, double tolerance) {
  return std::abs(measured - wanted) <= std::abs(wanted) * tolerance;
}

class RunChecks {
 public:
  RunChecks(const RunResult& run, std::vector<Check>* checks)
      : run_(run), title_(TitleOf(run.load_case)), checks_(checks) {}

  void All() {
    Identities();
    const ExpectedFigures expected = ExpectedOf(run_);
    Exactly("Requests", run_.open.requests, expected.requests);
    Exactly("Block-Splits", run_.open.block_splits, expected.block_splits);
    Exactly("INDEX LEVELS", run_.index_levels, expected.index_levels);
    Near("Cache-Hits", run_.open.cache_hits, expected.cache_hits);
    Near("Driver-Input-Calls", run_.open.driver_input_calls, expected.driver_input_calls);
    Near("Driver-Output-Calls", run_.open.driver_output_calls, expected.driver_output_calls);
    Near("EOF", run_.eof, expected.eof);
    Near("Cache-Write-Hits", run_.open.cache_write_hits, expected.cache_write_hits);
    Near("Cache-Write-Cleans", run_.open.cache_write_cleans, expected.cache_write_cleans);
    Memory();
  }

 private:
  void Add(std::string name, std::string measured, std::string wanted, bool met) {
    checks_->push_back({CheckKind::kCounter, title_, std::move(name), std::move(measured),
                        std::move(wanted), met});
  }

  void Identities() {
    Add("read back equals the input", run_.verified ? "equal" : run_.difference, "equal",
        run_.verified);
    const OpenCounters& open = run_.open;
    const int64_t reads = open.cache_hits + open.cache_read_misses;
    Add("I1: Driver-Input = Cache-Hits + read misses", CountText(open.driver_input_calls),
        StrCat(CountText(reads), " exactly"), open.driver_input_calls == reads);
    const int64_t writes =
        open.cache_write_hits + open.cache_write_cleans + open.cache_write_misses;
    Add("I2: Driver-Output = Write-Hits + Cleans + write misses",
        CountText(open.driver_output_calls), StrCat(CountText(writes), " exactly"),
        open.driver_output_calls == writes);
  }

  void Exactly(std::string name, int64_t measured, const std::optional<ExpectedFigure>& wanted) {
    if (!wanted.has_value()) return;
    Add(std::move(name), CountText(measured),
        StrCat(CountText(wanted->value), " exactly (", wanted->source, ")"),
        measured == wanted->value);
  }

  void Near(std::string name, int64_t measured, const std::optional<ExpectedFigure>& wanted) {
    if (!wanted.has_value()) return;
    Add(std::move(name),
        StrCat(CountText(measured), " (", DifferenceText(measured, wanted->value), ")"),
        StrCat(CountText(wanted->value), " within 1 % (", wanted->source, ")"),
        Within(static_cast<double>(measured), static_cast<double>(wanted->value), kNear));
  }

  void Memory() {
    if (!run_.server_peak_anon_bytes.has_value() || !run_.memory_limit_bytes.has_value()) return;
    Add("server memory", MebibytesText(*run_.server_peak_anon_bytes),
        StrCat("at most ", MebibytesText(*run_.memory_limit_bytes),
               " (cache + dirty limit + 128 MiB a server)"),
        *run_.server_peak_anon_bytes <= *run_.memory_limit_bytes);
  }

  const RunResult& run_;
  const std::string title_;
  std::vector<Check>* const checks_;
};

void CompareAudit(const std::vector<RunResult>& runs, std::vector<Check>* checks) {
  const auto add = [checks](std::string run, std::string name, double measured, double wanted,
                            const char* unit) {
    const double shown = *unit == '%' ? 100 : 1;
    checks->push_back({CheckKind::kTime, std::move(run), std::move(name),
                       absl::StrFormat("%.1f %s", measured * shown, unit),
                       absl::StrFormat("at least %.0f %s", wanted * shown, unit),
                       measured >= wanted});
  };
  if (const std::optional<AuditRate> rate = AuditRateOf(runs)) {
    add("D : B pipelined", "AUDIT : BUFFERED, to the last reply", rate->replied, kAuditOfBuffered,
        "%");
    add("D : B pipelined", "AUDIT : BUFFERED, to the control point", rate->placed, kAuditOfBuffered,
        "%");
  }
  const std::optional<CaseFigures> d = FiguresOf(runs, Config::kD, false);
  const std::optional<CaseFigures> d_pipelined = FiguresOf(runs, Config::kD, true);
  if (d.has_value() && d_pipelined.has_value()) {
    add("D : D pipelined", "pipelined AUDIT, over one at a time",
        d_pipelined->records_per_s / d->records_per_s, kAuditSpeedUp, "x");
  }
}

void CompareRuns(const std::vector<RunResult>& runs, std::vector<Check>* checks) {
  const auto add = [checks](std::string run, std::string name, std::string measured,
                            std::string wanted, bool met) {
    checks->push_back({CheckKind::kTime, std::move(run), std::move(name), std::move(measured),
                       std::move(wanted), met});
  };
  if (const std::optional<BufferedGain> gain = BufferedGainOf(runs)) {
    add("A : B", "time BUFFERED saves", absl::StrFormat("%.1f s", gain->saved_s),
        absl::StrFormat("%.1f s within 25 %% (%.0f syncs saved of %.0f us each)",
                        gain->explained_s(), gain->syncs_saved, gain->mean_sync_s * 1e6),
        gain->saved_s > 0 && Within(gain->saved_s, gain->explained_s(), kGainTolerance));
  }
  const std::optional<CaseFigures> a = FiguresOf(runs, Config::kA, false);
  const std::optional<CaseFigures> a_pipelined = FiguresOf(runs, Config::kA, true);
  if (a.has_value() && a_pipelined.has_value()) {
    const double speed_up = a_pipelined->records_per_s / a->records_per_s;
    add("A : A pipelined", "pipelined write-through", absl::StrFormat("%.1f x", speed_up),
        "at least 8 x one at a time", speed_up >= kPipelinedSpeedUp);
  }
  if (const std::optional<CaseFigures> b = FiguresOf(runs, Config::kB, true)) {
    add("B pipelined", "records per second", CountText(std::llround(b->records_per_s)),
        "at least 60,000", b->records_per_s >= kBufferedPerSecond);
  }
  CompareAudit(runs, checks);
}

}  // namespace

std::vector<Check> CheckRuns(const std::vector<RunResult>& runs) {
  std::vector<Check> checks;
  for (const RunResult& run : runs) RunChecks(run, &checks).All();
  CompareRuns(runs, &checks);
  return checks;
}

bool AllMet(const std::vector<Check>& checks, CheckKind kind) {
  return std::all_of(checks.begin(), checks.end(),
                     [kind](const Check& check) { return check.kind != kind || check.met; });
}

}  // namespace bench
}  // namespace quire
