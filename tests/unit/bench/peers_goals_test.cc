#include <algorithm>
#include <string>

#include "client/bench/limits/limit.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/peer_goals.h"
#include "gmock/gmock.h"

namespace quire {
namespace bench {
namespace {

using testing::HasSubstr;

PageGoal GoalOf(const Results& results, const std::string& start, uint64_t records = 135065) {
  for (const PageGoal& goal : PeerGoals(results, records)) {
    if (goal.what.rfind(start, 0) == 0) return goal;
  }
  ADD_FAILURE() << "no goal " << start;
  return {};
}

TEST(PeersGoalsTest, NothingMeasuredMeetsAndMissesNothing) {
  for (const PageGoal& goal : PeerGoals(Results(), 135065)) {
    EXPECT_FALSE(goal.measured) << goal.what;
    EXPECT_FALSE(goal.met) << goal.what;
    EXPECT_THAT(goal.got, HasSubstr("needs ")) << goal.what;
  }
}

TEST(PeersGoalsTest, RatiosAreOfTheSameRounds) {
  Results results;
  // Twice as fast in every round, though the machine was not the same in any two.
  for (const double speed : {100.0, 10.0, 1000.0}) {
    results.Add(kQuireSession, {{"read-group", 3 * speed}});
    results.Add(kPostgresql, {{"read-group", speed}});
  }
  const PageGoal goal = GoalOf(results, "point reads, session");
  EXPECT_TRUE(goal.measured);
  EXPECT_TRUE(goal.met);
  EXPECT_THAT(goal.got, HasSubstr("3"));
}

TEST(PeersGoalsTest, AheadMeansOfTheBestAndNamesIt) {
  Results results;
  results.Add(kQuireEmbedded, {{"load-shuffled", 100}});
  results.Add(kSqlite, {{"load-shuffled", 50}});
  results.Add(kWiredtiger, {{"load-shuffled", 120}});
  const PageGoal goal = GoalOf(results, "BUFFERED load embedded, shuffled");
  EXPECT_THAT(goal.what, HasSubstr(kWiredtiger));
  EXPECT_TRUE(goal.measured);
  EXPECT_FALSE(goal.met);
}

TEST(PeersGoalsTest, OverTheNetworkAnAppendAndARoundTripAddUp) {
  Results results;
  results.Add(kAppendFdatasync, {{"durable", 1000}});
  results.Add(kAppendDirect, {{"durable", 4000}});  // the faster: 250 us
  results.Add(kUnaryWrite, {{"durable", 4000}});    // and 250 us
  results.Add(kQuireUnary, {{"durable", 1800}});    // of 2,000
  results.Add(kQuireSession, {{"durable", 1500}});
  EXPECT_TRUE(GoalOf(results, "AUDIT one at a time, quire unary").met);
  const PageGoal session = GoalOf(results, "AUDIT one at a time, quire session");
  EXPECT_TRUE(session.measured);
  EXPECT_FALSE(session.met);
}

TEST(PeersGoalsTest, BytesOnDiscCountFromTwoRecordsABlock) {
  Results results;
  results.Add(kQuireEmbedded, {{"load-ascending/bytes", 200'000 / 2 * 4096 * 1.25}});
  EXPECT_TRUE(GoalOf(results, "bytes on disc after load-ascending", 200'000).met);
  EXPECT_FALSE(GoalOf(results, "bytes on disc after load-ascending", 150'000).met);
  EXPECT_FALSE(GoalOf(results, "bytes on disc after load-ascending", 1000).measured);
}

TEST(PeersGoalsTest, ARowThatFailedOnceIsNotCompared) {
  Results results;
  results.Add(kQuireEmbedded, {{"scan", 2}});
  results.Add(kSqlite, {{"scan", 1}});
  EXPECT_TRUE(GoalOf(results, "ordered scan, embedded").met);
  results.Drop(kSqlite, Work::kScan);
  EXPECT_FALSE(GoalOf(results, "ordered scan, embedded").measured);
}

}  // namespace
}  // namespace bench
}  // namespace quire
