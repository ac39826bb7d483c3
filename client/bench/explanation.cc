#include "client/bench/explanation.h"

#include <cmath>
#include <optional>

#include "absl/strings/str_format.h"
#include "client/bench/checks.h"
#include "client/bench/comparison.h"
#include "client/bench/number_text.h"
#include "client/bench/report_generator.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

const RunResult* FindRun(const std::vector<RunResult>& runs, Config config) {
  for (const RunResult& run : runs) {
    if (run.load_case.config == config) return &run;
  }
  return nullptr;
}

void ExplainBuffered(const std::vector<RunResult>& runs, std::vector<std::string>* paragraphs) {
  const std::optional<BufferedGain> gain = BufferedGainOf(runs);
  if (!gain.has_value()) return;
  const double a_s = FiguresOf(runs, Config::kA, false)->elapsed_s;
  const double b_s = FiguresOf(runs, Config::kB, false)->elapsed_s;
  paragraphs->push_back(absl::StrFormat(
      "BUFFERED took %.1f s where write-through took %.1f s: %.1f times as fast. Every reply of "
      "write-through waits until the images of the changed blocks are on disc in the audit trail: "
      "%s more syncs of %.0f us each, which makes %.1f s. The clock says %.1f s, %.0f %% of that. "
      "A BUFFERED reply waits for nothing; its blocks go to disc with the next control point, and "
      "a "
      "power cut may take the changes since the last one.",
      b_s, a_s, a_s / b_s, CountText(std::llround(gain->syncs_saved)), gain->mean_sync_s * 1e6,
      gain->explained_s(), gain->saved_s, gain->ratio() * 100));
}

void ExplainPipelining(const std::vector<RunResult>& runs, std::vector<std::string>* paragraphs) {
  const std::optional<CaseFigures> one = FiguresOf(runs, Config::kA, false);
  const std::optional<CaseFigures> many = FiguresOf(runs, Config::kA, true);
  if (!one.has_value() || !many.has_value() || many->trail_syncs <= 0) return;
  paragraphs->push_back(absl::StrFormat(
      "Pipelined write-through is %.1f times as fast as one record at a time and as safe: while "
      "one "
      "batch is being made durable the next one is executed, so %s syncs served what took %s "
      "before. Batching changes no counter: each record is still one request.",
      many->records_per_s / one->records_per_s, CountText(std::llround(many->trail_syncs)),
      CountText(std::llround(one->trail_syncs))));
}

void ExplainAudit(const std::vector<RunResult>& runs, std::vector<std::string>* paragraphs) {
  const std::optional<CaseFigures> b = FiguresOf(runs, Config::kB, true);
  const std::optional<CaseFigures> d = FiguresOf(runs, Config::kD, true);
  const std::optional<AuditRate> rate = AuditRateOf(runs);
  if (!rate.has_value()) return;
  std::string images;
  if (const std::optional<CaseFigures> a = FiguresOf(runs, Config::kA, true)) {
    images = StrCat(" (write-through: ", MebibytesText(static_cast<uint64_t>(a->trail_bytes)),
                    " of block images)");
  }
  paragraphs->push_back(absl::StrFormat(
      "AUDIT is BUFFERED that loses nothing: a reply waits until the record itself, not the blocks "
      "it "
      "changed, is on disc in the audit trail: %s%s in %s syncs. Pipelined, AUDIT reaches %.0f %% "
      "of the rate of BUFFERED to the last reply (%.2f s against %.2f s) and %.0f %% to the "
      "completed control point (%.2f s against %.2f s).",
      MebibytesText(static_cast<uint64_t>(d->trail_bytes)), images,
      CountText(std::llround(d->trail_syncs)), rate->replied * 100, d->elapsed_s, b->elapsed_s,
      rate->placed * 100, d->placed_s, b->placed_s));
}

void ExplainPartitions(const std::vector<RunResult>& runs, std::vector<std::string>* paragraphs) {
  const RunResult* b = FindRun(runs, Config::kB);
  const RunResult* c = FindRun(runs, Config::kC);
  if (b == nullptr || c == nullptr || b->records != c->records || b->records == 0) return;
  const auto per_record = [](const RunResult& run) {
    return static_cast<double>(run.open.cache_hits) / static_cast<double>(run.records);
  };
  paragraphs->push_back(absl::StrFormat(
      "Over ten partitions that hold data each tree is smaller (%d index levels at the end, %d in "
      "one "
      "tree), so a record takes %.2f block reads instead of %.2f. Block-Splits differ by %s: ten "
      "trees "
      "start with ten blocks instead of one. The primary partition holds only keys below the first "
      "partial key and stays empty.",
      c->index_levels, b->index_levels, per_record(*c), per_record(*b),
      CountText(b->open.block_splits - c->open.block_splits)));
}

void ExplainWriteHits(const std::vector<RunResult>& runs, std::vector<std::string>* paragraphs) {
  const RunResult* run = FindRun(runs, Config::kB);
  if (run == nullptr) run = FindRun(runs, Config::kC);
  if (run == nullptr) return;
  const int64_t calls = run->open.cache_write_hits + run->open.cache_write_cleans;
  if (calls == 0) return;
  paragraphs->push_back(absl::StrFormat(
      "Cache-Write-Hits and -Cleans of the BUFFERED and AUDIT runs differ from the article's by "
      "design; "
      "their "
      "sum does not. A write is a hit when it finds its block dirty. In Quire every block that a "
      "BUFFERED or AUDIT file changes stays dirty until the next control point, so %.0f %% of the "
      "write calls are hits and the faster the "
      "load, "
      "the more. On the real system only the record's own block waited in cache; the blocks that a "
      "split links were written through (25 %% hits). Write-through leaves every block clean, so "
      "there the figures can be compared.",
      100.0 * static_cast<double>(run->open.cache_write_hits) / static_cast<double>(calls)));
}

}  // namespace

std::vector<std::string> Explain(const std::vector<RunResult>& runs) {
  std::vector<std::string> paragraphs;
  ExplainBuffered(runs, &paragraphs);
  ExplainPipelining(runs, &paragraphs);
  ExplainAudit(runs, &paragraphs);
  ExplainPartitions(runs, &paragraphs);
  ExplainWriteHits(runs, &paragraphs);
  paragraphs.push_back(
      StrCat("Requests are the records and ", kRequestsPerPartition,
             " for each partition opened: the open, the fetch of its label and the close (the real "
             "system took four). Times to the last reply and to the completed control point are "
             "both given, because a BUFFERED or AUDIT reply comes before its blocks are on disc."));
  if (!runs.empty() && runs.front().records != kArticleRecords &&
      runs.front().has_article_shape()) {
    paragraphs.push_back(StrCat("The article loaded ", CountText(kArticleRecords),
                                " records; these runs of ",
                                CountText(static_cast<int64_t>(runs.front().records)),
                                " are held against a model of the same rules instead."));
  }
  return paragraphs;
}

}  // namespace bench
}  // namespace quire
