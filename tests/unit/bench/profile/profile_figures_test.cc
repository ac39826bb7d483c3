#include "client/bench/profile/profile_figures.h"

#include <string>

#include "client/bench/profile/profile_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace quire {
namespace bench {
namespace {

using testing::HasSubstr;

size_t IndexOf(Activity activity) {
  return static_cast<size_t>(activity);
}

// 100 requests; `tree` of 100 samples in the tree, the others outside; 0.01 s of processor time.
ProfileRound RoundWith(uint64_t tree) {
  ProfileRound round;
  round.requests = 100;
  round.elapsed_s = 0.5;
  round.client_s = 0.002;
  round.samples.user_s = 0.0075;
  round.samples.kernel_s = 0.0025;
  round.samples.counts[IndexOf(Activity::kTree)] = tree;
  round.samples.counts[IndexOf(Activity::kOutside)] = 100 - tree;
  return round;
}

TEST(ProfileFiguresTest, TimePerRequestIsTheShareOfTheProcessTime) {
  ProfileCell cell;
  cell.rounds = {RoundWith(20), RoundWith(40)};
  const Spread tree = ActivityMicros(cell, Activity::kTree);
  EXPECT_DOUBLE_EQ(tree.median, 30);  // 30 % of 100 µs
  EXPECT_DOUBLE_EQ(tree.low, 20);
  EXPECT_DOUBLE_EQ(tree.high, 40);
  EXPECT_DOUBLE_EQ(ActivityMicros(cell, Activity::kOutside).median, 70);
  EXPECT_DOUBLE_EQ(ActivityMicros(cell, Activity::kStore).median, 0);
  EXPECT_DOUBLE_EQ(ServerMicros(cell).median, 100);
  EXPECT_DOUBLE_EQ(ClientMicros(cell).median, 20);
}

TEST(ProfileFiguresTest, EmbeddedTheClientIsWhatNoLayerClaims) {
  ProfileCell cell;
  cell.embedded = true;
  cell.rounds = {RoundWith(25)};
  EXPECT_DOUBLE_EQ(ClientMicros(cell).median, 75);
  EXPECT_DOUBLE_EQ(ServerMicros(cell).median, 25);
}

TEST(ProfileFiguresTest, ARoundWithoutSamplesIsNoDivisionByNothing) {
  ProfileCell cell;
  cell.rounds = {RoundWith(0)};
  cell.rounds[0].samples.counts = {};
  EXPECT_DOUBLE_EQ(ActivityMicros(cell, Activity::kTree).median, 0);
  EXPECT_DOUBLE_EQ(ServerMicros(cell).median, 100);
}

TEST(ProfileFiguresTest, ThePageHasATableForEachWayAndBarsForEachWork) {
  ProfileCell remote;
  remote.work = ProfileWork::kRead;
  remote.in_flight = 8;
  remote.rounds = {RoundWith(30)};
  ProfileCell embedded = remote;
  embedded.embedded = true;
  ResultPage page("profile", "a test");
  AddProfile({remote, embedded}, &page);
  const std::string text = RenderPageText(page);
  EXPECT_THAT(text, HasSubstr("over gRPC"));
  EXPECT_THAT(text, HasSubstr("embedded"));
  EXPECT_THAT(text, HasSubstr("30.00 (30%)"));
  EXPECT_THAT(text, HasSubstr("8 in flight: tree"));
}

TEST(ProfileSourceTest, WhatAServerWritesIsRead) {
  ActivitySamples samples;
  samples.counts[IndexOf(Activity::kTrail)] = 5;
  samples.user_s = 1.5;
  samples.kernel_s = 0.25;
  const absl::StatusOr<ProfileText> read =
      ParseProfile("{\"writes\": 3, \"profile\": " + ActivityJson(samples) + "}\n");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->writes, 3U);
  EXPECT_EQ(read->samples.counts, samples.counts);
  EXPECT_DOUBLE_EQ(read->samples.user_s, 1.5);
  EXPECT_DOUBLE_EQ(read->samples.kernel_s, 0.25);
}

TEST(ProfileSourceTest, WhatIsNoProfileIsRefused) {
  for (const char* text : {"", "{", "[]", "{\"writes\": 1}", "{\"writes\": \"x\"}",
                           "{\"writes\": 1, \"profile\": {\"user_s\": 1, \"kernel_s\": 1, "
                           "\"samples\": {\"tree\": 1}}}"}) {
    EXPECT_EQ(NumberOf(ParseProfile(text).status()), ErrorNumber::kBadParameter) << text;
  }
}

}  // namespace
}  // namespace bench
}  // namespace quire
