// R-D16 b: random histories on a volume over real LMDB and real trail files, with every call that
// changes a file recorded; the directory is then rebuilt as a power cut at chosen moments could
// have left it, and opened.
//
// QUIRE_TEST_SEED repeats a run, QUIRE_LONG=1 tries many more moments.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/crash/file_recorder.h"
#include "tests/crash/history.h"
#include "tests/support/test_directory.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr int kSteps = 60;

VolumeOptions SmallVolume(const std::string& directory, TrailSync sync) {
  VolumeOptions options;
  options.name = "$DATA01";
  options.directory = directory;
  options.capacity_bytes = uint64_t{1} << 30;
  options.cache_bytes = 512 << 10;
  options.dirty_limit_bytes = 128 << 10;
  options.trail_segment_bytes = 64 << 10;
  options.trail_limit_bytes = 256 << 10;
  options.trail_sync = sync;
  options.control_point_interval_ms = 10;
  return options;
}

// Opens what the cut left and checks every promise, twice: a second recovery finds the same.
void CheckRecovery(const VolumeOptions& options, const History& history, Moment moment) {
  for (const char* const recovery : {"first", "second"}) {
    SCOPED_TRACE(testing::Message() << recovery << " recovery");
    absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(options);
    ASSERT_TRUE(volume.ok()) << Describe(volume.status());
    ASSERT_EQ(history.FindBrokenPromise(**volume, moment), "");
    (*volume)->Crash();
  }
}

class FileCrash : public ::testing::TestWithParam<TrailSync> {};

TEST_P(FileCrash, R_D16_PowerCutsAtAnyMoment) {
  const bool is_long = std::getenv("QUIRE_LONG") != nullptr;
  const int histories = is_long ? 20 : 2;
  const int cuts_of_each = is_long ? 1000 : 75;
  TestRandom random;
  TestDirectory root;
  FileRecorder& recorder = FileRecorder::Instance();
  for (int i = 0; i < histories; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    SCOPED_TRACE(testing::Message() << "history " << seed);
    const std::string directory = StrCat(root.path(), "/history", i);
    std::filesystem::create_directory(directory);
    History history(seed, [&] { return recorder.event_count(); });
    recorder.Start(directory);
    {
      absl::StatusOr<std::unique_ptr<Volume>> volume =
          Volume::Open(SmallVolume(directory, GetParam()));
      if (NumberOf(volume.status()) == ErrorNumber::kBadParameter) {
        recorder.Stop();
        GTEST_SKIP() << "the file system has no direct writes";
      }
      ASSERT_TRUE(volume.ok()) << Describe(volume.status());
      history.Run(**volume, kSteps);
      ASSERT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
      ASSERT_FALSE(history.stopped());
    }
    recorder.Stop();
    const uint64_t events = recorder.event_count();
    ASSERT_GT(events, 50u);
    for (int cut = 0; cut < cuts_of_each; ++cut) {
      const uint64_t moment = random.Below(events + 1);
      const uint64_t cut_seed = random.Below(uint64_t{1} << 62);
      SCOPED_TRACE(testing::Message() << "cut at event " << moment << " of " << events);
      std::mt19937_64 cut_random(cut_seed);
      const std::string left = StrCat(root.path(), "/cut");
      recorder.Rebuild(moment, cut_random, left);
      CheckRecovery(SmallVolume(left, GetParam()), history, moment);
      if (HasFatalFailure()) return;
      std::filesystem::remove_all(left);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(TrailSyncs, FileCrash,
                         testing::Values(TrailSync::kFdatasync, TrailSync::kDirect),
                         [](const testing::TestParamInfo<TrailSync>& sync) {
                           return sync.param == TrailSync::kDirect ? "Direct" : "Fdatasync";
                         });

}  // namespace
}  // namespace quire::test
