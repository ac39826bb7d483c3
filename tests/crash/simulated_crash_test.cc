// R-D16 a: random histories on a volume over the memory store and the simulated trail, with the
// power cut at every operation of store and trail, also inside recoveries, and chains of crashes.
//
// QUIRE_TEST_SEED repeats a run, QUIRE_LONG=1 cuts about ten times as often. Under sanitizers
// fewer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <random>
#include <string>
#include <utility>

#include "quire/error.h"
#include "server/store/fault_store.h"
#include "tests/crash/history.h"
#include "tests/crash/recovery_check.h"
#include "tests/crash/simulated_machine.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr int kRounds = 60;
constexpr uint64_t kCutStep = 10;  // operations from one cut to the next, where not all are tried

bool IsLong() {
  return std::getenv("QUIRE_LONG") != nullptr;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

CrashSite SiteOf(const DiscImage& image, SimulatedMachine& machine) {
  return {machine.Connect(SmallVolume(0)), [disc = image.disc] {
            const std::unique_ptr<BlockStore> store = OpenMemoryStore(disc, uint64_t{1} << 30);
            return DumpStore(*store);
          }};
}

// Power comes back on what a cut left.
void CheckCut(const DiscImage& image, History& history) {
  SCOPED_TRACE(testing::Message() << "cut at operation " << image.moment << ", "
                                  << image.under_way);
  SimulatedMachine machine(image, 0, 0, 0);
  ASSERT_EQ(FindBrokenRecovery(SiteOf(image, machine), history, image.moment, true), "");
}

// A history on the machine; the cuts that were kept. `goes_on`: from what is found there.
std::vector<DiscImage> RunHistory(History& history, SimulatedMachine& machine, uint64_t kind,
                                  int rounds, bool goes_on = false) {
  absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(machine.Connect(SmallVolume(kind)));
  EXPECT_TRUE(volume.ok()) << Describe(volume.status());
  if (!volume.ok()) return {};
  if (goes_on) {
    EXPECT_EQ(history.GoOnFrom(**volume), "");
  }
  history.Run(**volume, rounds);
  EXPECT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
  EXPECT_FALSE(history.stopped());
  (*volume)->Crash();
  volume->reset();
  return machine.TakeImages();
}

// A history in which one commit of the store fails. For want of room: the volume goes on.
void RunWithFailure(uint64_t seed, int commit, const absl::Status& failure) {
  DiscImage image;
  auto faults = std::make_shared<FaultPlan>();
  History history(seed);
  {
    SimulatedMachine machine(image, 0, 0, 0);
    VolumeOptions options = machine.Connect(SmallVolume(seed));
    options.open_store = [&, open = options.open_store]() {
      return WrapWithFaults(*open(), faults);
    };
    absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(options);
    ASSERT_TRUE(volume.ok()) << Describe(volume.status());
    const int before = faults->Calls(StoreCall::kCommit);
    faults->FailAt(StoreCall::kCommit, commit, failure);
    history.Run(**volume, kRounds);
    ASSERT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
    const bool latches = NumberOf(failure) != ErrorNumber::kNoDiscSpace;
    const absl::Status health = (*volume)->Health();
    const bool failed = faults->Calls(StoreCall::kCommit) >= before + commit;
    if (!health.ok()) {
      ASSERT_TRUE(failed && latches) << Describe(health);
    }
    if (failed && latches) {
      // The commit that failed last may not have been told yet.
      std::promise<void> latched;
      (*volume)->OnLatched([&](const absl::Status&) { latched.set_value(); });
      latched.get_future().wait();
    }
    (*volume)->Crash();
  }
  CheckCut(image, history);
}

class SimulatedCrash : public ::testing::TestWithParam<int> {};

TEST_P(SimulatedCrash, R_D16_CutAtEveryOperation) {
  TestRandom random;
  const int wanted = kSanitized ? 40 : IsLong() ? 2500 : 260;
  int points = 0;  // at which files of all modes were there
  for (uint64_t kind = static_cast<uint64_t>(GetParam()); points < wanted; ++kind) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    SCOPED_TRACE(testing::Message() << "history " << seed);
    SimulatedMachine machine(DiscImage(), 0, 1, seed);
    History history(seed, [&] { return machine.now(); });
    const std::vector<DiscImage> cuts = RunHistory(history, machine, kind, kRounds);
    ASSERT_GT(cuts.size(), 20u);
    for (const DiscImage& cut : cuts) {
      CheckCut(cut, history);
      if (HasFailure()) return;
      points += history.HoldsEveryMode(cut.moment) ? 1 : 0;
    }
  }
  EXPECT_GE(points, wanted);
  RecordProperty("crash_points", points);
}
INSTANTIATE_TEST_SUITE_P(Parts, SimulatedCrash, testing::Range(0, 4));

// The machine stops again while recovery takes its control points, makes segments and raises the
// epoch: at every operation of it.
TEST(SimulatedCrashes, R_D16_CutsInsideRecovery) {
  TestRandom random;
  const int histories = kSanitized ? 1 : IsLong() ? 40 : 4;
  for (int i = 0; i < histories; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    SCOPED_TRACE(testing::Message() << "history " << seed);
    SimulatedMachine machine(DiscImage(), random.Below(kCutStep), kCutStep, seed);
    History history(seed, [&] { return machine.now(); });
    // Control points by the length of the trail: recoveries have much to do.
    for (const DiscImage& cut : RunHistory(history, machine, 2, kRounds)) {
      SimulatedMachine reviving(cut.Copy(), 0, 1, seed);
      VolumeOptions options = reviving.Connect(SmallVolume(0));
      options.dirty_limit_bytes = 8 << 10;  // control points while the trail is replayed
      absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(options);
      ASSERT_TRUE(volume.ok()) << Describe(volume.status());
      (*volume)->Crash();
      volume->reset();
      for (DiscImage& again : reviving.TakeImages()) {
        SCOPED_TRACE(testing::Message()
                     << "after a cut at operation " << cut.moment << ", " << cut.under_way
                     << "; in recovery before operation " << again.moment);
        again.moment = cut.moment;
        CheckCut(again, history);
        if (HasFailure()) return;
      }
    }
  }
}

// A volume that crashes, goes on, crashes again, and so on.
TEST(SimulatedCrashes, R_D16_ChainsOfCrashes) {
  TestRandom random;
  const int chains = kSanitized ? 3 : IsLong() ? 250 : 25;
  constexpr int kLinks = 5;
  for (int chain = 0; chain < chains; ++chain) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    SCOPED_TRACE(testing::Message() << "chain " << seed);
    DiscImage image;
    SimulatedMachine* machine = nullptr;
    History history(seed, [&] { return machine->now(); });
    for (int link = 0; link < kLinks; ++link) {
      SCOPED_TRACE(testing::Message() << "crash " << link + 1);
      SimulatedMachine powered(std::move(image), random.Below(kCutStep), kCutStep, seed + 1);
      machine = &powered;
      std::vector<DiscImage> cuts =
          RunHistory(history, powered, random.Below(3), kRounds / 3, link > 0);
      if (HasFailure() || cuts.empty()) break;
      image = std::move(cuts[random.Below(cuts.size())]);
      CheckCut(image, history);
      if (HasFailure()) return;
    }
  }
}

// A control point that fails stops the volume (R-D8); what it had acknowledged holds.
TEST(SimulatedCrashes, R_D16_FailedControlPoints) {
  TestRandom random;
  const int histories = kSanitized ? 5 : IsLong() ? 500 : 50;
  for (int i = 0; i < histories; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    const int commit = 1 + static_cast<int>(random.Below(25));
    SCOPED_TRACE(testing::Message() << "history " << seed << ", commit " << commit);
    RunWithFailure(seed, commit, MakeError(ErrorNumber::kVolumeDown, "the test fails this commit"));
    if (HasFailure()) return;
  }
}

// A control point that finds no room changes nothing and is tried again (R-D8).
TEST(SimulatedCrashes, R_D8_ControlPointsWithoutRoomAreTriedAgain) {
  TestRandom random;
  const int histories = kSanitized ? 3 : IsLong() ? 300 : 30;
  for (int i = 0; i < histories; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    const int commit = 1 + static_cast<int>(random.Below(10));
    SCOPED_TRACE(testing::Message() << "history " << seed << ", commit " << commit);
    RunWithFailure(seed, commit, MakeError(ErrorNumber::kNoDiscSpace, "the test has no room"));
    if (HasFailure()) return;
  }
}

// What the harness relies on: its histories reach the places where a tree or a trail can break.
TEST(SimulatedCrashes, HistoriesReachWhatCanBreak) {
  TestRandom random;
  HistorySights all;
  for (uint64_t kind = 0; kind < 3; ++kind) {
    SimulatedMachine machine(DiscImage(), 0, 0, 0);
    History history(random.Below(uint64_t{1} << 62), [&] { return machine.now(); });
    RunHistory(history, machine, kind, 2 * kRounds);
    all.Add(history.sights());
  }
  EXPECT_GE(all.index_levels, 2U) << "index blocks were split";
  EXPECT_GT(all.free_blocks, 10U) << "blocks became empty and were given back";
  EXPECT_GT(all.reused_blocks, 0U) << "and were used again";
  EXPECT_GT(all.purges, 2U);
  EXPECT_GT(all.alters, 10U);
  EXPECT_GT(all.loads, 20U);
  EXPECT_GT(all.refreshes, 5U);
}

}  // namespace
}  // namespace quire::test
