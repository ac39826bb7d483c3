#include "client/bench/durable_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace quire {
namespace bench {
namespace {

constexpr int64_t kSecond = 1000000000;

LatencyRound PerSecond(uint64_t operations) {
  return LatencyRound{operations, kSecond, {kSecond / static_cast<int64_t>(operations)}};
}

// Rounds in the order of DurableKind.
std::vector<std::vector<LatencyRound>> Rounds() {
  return {{PerSecond(1000), PerSecond(900), PerSecond(1100)},
          {PerSecond(2000), PerSecond(1000), PerSecond(4000)},
          {PerSecond(1800), PerSecond(950), PerSecond(2000)},
          {PerSecond(1000), PerSecond(500), PerSecond(1000)},
          {PerSecond(9000), PerSecond(9000), PerSecond(9000)}};
}

TEST(DurableFiguresTest, RM1TheFasterBareAppendIsTheMeasure) {
  const DurableFigures figures = SummarizeDurable(Rounds());
  EXPECT_EQ(figures.faster_bare, DurableKind::kBareDirect);
  EXPECT_DOUBLE_EQ(figures.audit.median, 0.9);
  EXPECT_DOUBLE_EQ(figures.audit.low, 0.5);
  EXPECT_DOUBLE_EQ(figures.audit.high, 0.95);
  EXPECT_DOUBLE_EQ(figures.write_through.median, 0.5);
  EXPECT_TRUE(figures.met());
  std::vector<std::vector<LatencyRound>> other = Rounds();
  other[0] = {PerSecond(5000), PerSecond(5000), PerSecond(5000)};
  EXPECT_EQ(SummarizeDurable(other).faster_bare, DurableKind::kBareFdatasync);
  EXPECT_FALSE(SummarizeDurable(other).met());
}

TEST(DurableFiguresTest, TextAndJsonSayRatioAndGoal) {
  DurableFigures figures = SummarizeDurable(Rounds());
  figures.record_bytes = 1676;
  figures.append_bytes = 4096;
  const std::string text = RenderDurable(figures);
  EXPECT_THAT(text, testing::HasSubstr("bare append: 4,096 bytes"));
  EXPECT_THAT(text, testing::HasSubstr("goal: at least 0.80, met"));
  const nlohmann::json json = nlohmann::json::parse(RenderDurableJson(figures));
  EXPECT_EQ(json["append_bytes"], 4096);
  EXPECT_EQ(json["faster_bare"], "bare_direct");
  EXPECT_DOUBLE_EQ(json["audit_ratio"]["median"].get<double>(), 0.9);
  EXPECT_DOUBLE_EQ(json["kinds"]["audit"]["per_second"].get<double>(), 1800);
  EXPECT_EQ(json["met"], true);
}

}  // namespace
}  // namespace bench
}  // namespace quire
