// R-D16 a: random histories on a volume over the memory store and the simulated trail, cut at every
// k-th device call, or stopped by a failing control point, and then opened again.
//
// QUIRE_TEST_SEED repeats a run, QUIRE_LONG=1 tries many more cuts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

#include "quire/error.h"
#include "tests/crash/history.h"
#include "tests/support/test_random.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

constexpr int kSteps = 60;

bool IsLong() {
  return std::getenv("QUIRE_LONG") != nullptr;
}

// Small in everything, so that segments rotate and control points run during a history.
VolumeOptions SmallVolume() {
  VolumeOptions options;
  options.cache_bytes = 512 << 10;
  options.dirty_limit_bytes = 128 << 10;
  options.trail_segment_bytes = 64 << 10;
  options.trail_limit_bytes = 256 << 10;
  options.control_point_interval_ms = 5;
  return options;
}

// Opens what a crash left, checks every promise, crashes at once and opens again: the same state.
void CheckRecovery(TestVolume& volume, const History& history) {
  volume.Open();
  if (::testing::Test::HasFatalFailure()) return;
  ASSERT_EQ(history.FindBrokenPromise(volume.volume()), "");
  volume.CrashAndReopen();
  if (::testing::Test::HasFatalFailure()) return;
  ASSERT_EQ(history.FindBrokenPromise(volume.volume()), "") << "at the second recovery";
}

// A history without a cut: how many device calls and commits there are to cut at.
struct Size {
  int calls = 0;
  int commits = 0;
};
Size MeasureHistory(uint64_t seed) {
  TestVolume volume(SmallVolume());
  History history(seed);
  history.Run(volume.volume(), kSteps);
  EXPECT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
  EXPECT_FALSE(history.stopped());
  EXPECT_EQ(history.FindBrokenPromise(volume.volume()), "");
  const Size size{volume.medium->calls(), volume.faults->Calls(StoreCall::kCommit)};
  volume.Crash();
  CheckRecovery(volume, history);
  return size;
}

TEST(SimulatedCrash, R_D16_CutAtDeviceCalls) {
  TestRandom random;
  const int histories = IsLong() ? 40 : 4;
  const int cuts_of_each = IsLong() ? 200 : 50;
  for (int i = 0; i < histories; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    const Size size = MeasureHistory(seed);
    ASSERT_GT(size.calls, 10);
    const int step = std::max(1, size.calls / cuts_of_each);
    for (int k = 1 + static_cast<int>(random.Below(step)); k <= size.calls; k += step) {
      SCOPED_TRACE(testing::Message() << "history " << seed << ", cut at call " << k);
      TestVolume volume(SmallVolume());
      volume.medium->CutAtCall(k, random.Below(uint64_t{1} << 62));
      History history(seed);
      history.Run(volume.volume(), kSteps);
      ASSERT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
      volume.Crash();
      CheckRecovery(volume, history);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SimulatedCrash, R_D16_CutInsideRecovery) {
  TestRandom random;
  const int rounds = IsLong() ? 1000 : 60;
  for (int i = 0; i < rounds; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    SCOPED_TRACE(testing::Message() << "history " << seed);
    TestVolume volume(SmallVolume());
    History history(seed);
    history.Run(volume.volume(), static_cast<int>(random.Below(kSteps)));
    ASSERT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
    volume.Crash();
    for (int cut = 1; cut <= 3; ++cut) {
      volume.medium->CutAtCall(cut, random.Below(uint64_t{1} << 62));
      if (volume.TryOpen().ok()) volume.Crash();
      volume.medium->Heal();
    }
    CheckRecovery(volume, history);
    if (HasFatalFailure()) return;
  }
}

TEST(SimulatedCrash, R_D16_FailedControlPoints) {
  TestRandom random;
  const int histories = IsLong() ? 60 : 6;
  for (int i = 0; i < histories; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    const Size size = MeasureHistory(seed);
    const int step = std::max(1, size.commits / (IsLong() ? 40 : 8));
    for (int k = 1; k <= size.commits; k += step) {
      SCOPED_TRACE(testing::Message() << "history " << seed << ", commit " << k);
      TestVolume volume(SmallVolume());
      volume.faults->FailAt(StoreCall::kCommit, k,
                            MakeError(ErrorNumber::kVolumeDown, "the test fails this commit"));
      History history(seed);
      history.Run(volume.volume(), kSteps);
      ASSERT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
      volume.Crash();
      // The fault may still be waiting for a later commit; recovery is not to meet it.
      volume.faults = std::make_shared<FaultPlan>();
      CheckRecovery(volume, history);
      if (HasFatalFailure()) return;
    }
  }
}

// A control point that finds no room changes nothing and is tried again (R-D8).
TEST(SimulatedCrash, R_D8_ControlPointsWithoutRoomAreTriedAgain) {
  TestRandom random;
  const int histories = IsLong() ? 200 : 10;
  for (int i = 0; i < histories; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    SCOPED_TRACE(testing::Message() << "history " << seed);
    TestVolume volume(SmallVolume());
    const int k = 1 + static_cast<int>(random.Below(8));
    volume.faults->FailAt(StoreCall::kCommit, k,
                          MakeError(ErrorNumber::kNoDiscSpace, "the test has no room"));
    History history(seed);
    history.Run(volume.volume(), kSteps);
    ASSERT_TRUE(volume->Health().ok()) << Describe(volume->Health());
    volume.Crash();
    volume.faults = std::make_shared<FaultPlan>();
    CheckRecovery(volume, history);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace quire::test
