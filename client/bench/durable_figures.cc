#include "client/bench/durable_figures.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/bench/comparison.h"
#include "client/bench/number_text.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr const char* kNames[kDurableKinds] = {
    "bare append, write + fdatasync", "bare append, O_DIRECT|O_DSYNC", "AUDIT write, embedded",
    "write-through write, embedded",  "BUFFERED write, embedded",
};
constexpr const char* kJsonNames[kDurableKinds] = {
    "bare_fdatasync", "bare_direct", "audit", "write_through", "buffered",
};

size_t IndexOf(DurableKind kind) {
  return static_cast<size_t>(kind);
}

double RateOf(const LatencyRound& round) {
  return static_cast<double>(round.operations) * 1e9 /
         static_cast<double>(std::max<int64_t>(round.elapsed_ns, 1));
}

DurableRatio RatioOf(const std::vector<LatencyRound>& rounds,
                     const std::vector<LatencyRound>& base) {
  std::vector<double> ratios;
  for (size_t i = 0; i < rounds.size(); ++i) ratios.push_back(RateOf(rounds[i]) / RateOf(base[i]));
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return DurableRatio{.median = Median(ratios), .low = *low, .high = *high};
}

std::string RatioLine(const char* what, const DurableRatio& ratio) {
  return absl::StrFormat("%-34s %12.2f %12.2f - %10.2f", what, ratio.median, ratio.low, ratio.high);
}

}  // namespace

DurableFigures SummarizeDurable(std::vector<std::vector<LatencyRound>> rounds) {
  DurableFigures figures;
  figures.rounds = rounds.at(0).size();
  std::vector<double> bare;
  for (size_t kind = 0; kind < kDurableKinds; ++kind) {
    figures.kinds.push_back(SummarizeRounds(kNames[kind], rounds.at(kind)));
  }
  const auto rate = [&figures](DurableKind kind) {
    return figures.kinds[IndexOf(kind)].per_second;
  };
  if (rate(DurableKind::kBareDirect) > rate(DurableKind::kBareFdatasync)) {
    figures.faster_bare = DurableKind::kBareDirect;
  }
  const std::vector<LatencyRound>& base = rounds[IndexOf(figures.faster_bare)];
  figures.audit = RatioOf(rounds[IndexOf(DurableKind::kAudit)], base);
  figures.write_through = RatioOf(rounds[IndexOf(DurableKind::kWriteThrough)], base);
  return figures;
}

std::string RenderDurable(const DurableFigures& figures) {
  std::string text =
      StrCat(CountText(figures.record_bytes),
             "-byte records, one at a time, in this process; bare append: ",
             CountText(figures.append_bytes), " bytes, the padded size of an AUDIT batch; ",
             figures.rounds, " rounds\n", LatencyTable(figures.kinds), "\n");
  StrAppend(&text, "rate over the faster bare append (", kNames[IndexOf(figures.faster_bare)],
            "), median and range of the rounds\n", RatioLine("AUDIT", figures.audit),
            absl::StrFormat("   goal: at least %.2f, ", kDurableGoal),
            figures.met() ? "met" : "MISSED", "\n",
            RatioLine("write-through", figures.write_through), "\n");
  return text;
}

std::string RenderDurableJson(const DurableFigures& figures) {
  using Json = nlohmann::ordered_json;
  Json kinds = Json::object();
  for (size_t kind = 0; kind < kDurableKinds; ++kind) {
    const LatencyFigures& one = figures.kinds[kind];
    kinds[kJsonNames[kind]] = {{"per_second", one.per_second},
                               {"per_second_low", one.per_second_low},
                               {"per_second_high", one.per_second_high},
                               {"p50_us", one.p50_us},
                               {"p99_us", one.p99_us}};
  }
  const auto ratio = [](const DurableRatio& of) {
    return Json{{"median", of.median}, {"low", of.low}, {"high", of.high}};
  };
  const Json all = {{"record_bytes", figures.record_bytes},
                    {"append_bytes", figures.append_bytes},
                    {"rounds", figures.rounds},
                    {"kinds", kinds},
                    {"faster_bare", kJsonNames[IndexOf(figures.faster_bare)]},
                    {"audit_ratio", ratio(figures.audit)},
                    {"write_through_ratio", ratio(figures.write_through)},
                    {"goal", kDurableGoal},
                    {"met", figures.met()}};
  return all.dump(2) + "\n";
}

}  // namespace bench
}  // namespace quire
