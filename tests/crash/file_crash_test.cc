// R-D16 b: random histories on a volume over real LMDB and real trail files, with every call that
// changes a file recorded; the directory is then rebuilt as a power cut at chosen moments could
// have left it, and opened. The rebuilt ones lie in memory where the machine has such a folder:
// what a recovery does to its own files is recorded, too, and cut again.
//
// QUIRE_TEST_SEED repeats a run, QUIRE_LONG=1 tries about ten times as many moments. Not under
// sanitizers, which bring interposers of their own: there the simulated harness alone runs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "server/main/inspect_command.h"
#include "server/store/lmdb_store.h"
#include "tests/crash/file_recorder.h"
#include "tests/crash/history.h"
#include "tests/crash/recovery_check.h"
#include "tests/support/test_directory.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr int kRounds = 60;
constexpr int kCutsOfHistory = 130;

bool IsLong() {
  return std::getenv("QUIRE_LONG") != nullptr;
}

// A folder in memory, else an ordinary one.
class RebuiltDirectory {
 public:
  RebuiltDirectory() {
    std::string path = "/dev/shm/quire-crash-XXXXXX";
    path_ = mkdtemp(path.data()) != nullptr ? path : ordinary_.path();
  }
  ~RebuiltDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  TestDirectory ordinary_;
  std::string path_;
};

VolumeOptions OptionsIn(const std::string& directory, uint64_t kind, TrailSync sync) {
  VolumeOptions options = SmallVolume(kind);
  options.directory = directory;
  options.trail_sync = sync;
  return options;
}

StoreDump DumpIn(const std::string& directory) {
  const std::string store = directory + "/store";
  if (!std::filesystem::exists(store + "/data.mdb")) return {};
  const auto opened = OpenLmdbStore({store, SmallVolume(0).capacity_bytes, 0});
  if (opened.ok()) return DumpStore(**opened);
  StoreDump dump;
  dump.values["store"] = Describe(opened.status());
  return dump;
}

std::string InspectIn(const std::string& directory) {
  std::ostringstream text;
  const absl::StatusOr<uint64_t> faults =
      Inspect({.directory = directory, .trail_directory = {}, .words = {"check"}}, text);
  if (!faults.ok()) return Describe(faults.status());
  return *faults == 0 ? "" : text.str();
}

CrashSite SiteIn(const std::string& directory) {
  return {OptionsIn(directory, 0, TrailSync::kFdatasync), [directory] { return DumpIn(directory); },
          [directory] { return InspectIn(directory); }};
}

class FileCrash : public ::testing::TestWithParam<TrailSync> {
 protected:
  // A history on real files. False when it cannot be run here.
  bool Record(uint64_t kind, History& history, FileRecording* record) {
    TestDirectory root;
    FileRecorder& recorder = FileRecorder::Instance();
    recorder.Start(root.path());
    absl::StatusOr<std::unique_ptr<Volume>> volume =
        Volume::Open(OptionsIn(root.path(), kind, GetParam()));
    if (volume.ok()) {
      history.Run(**volume, kRounds);
      EXPECT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
      EXPECT_FALSE(history.stopped());
      volume->reset();  // an orderly end, which is recorded and cut as well
    }
    *record = recorder.Stop();
    if (NumberOf(volume.status()) == ErrorNumber::kBadParameter) return false;
    EXPECT_TRUE(volume.ok()) << Describe(volume.status());
    return volume.ok();
  }

  // Opens what a cut left, recording it, and cuts again: the history's promises hold all the same.
  void CutRecovery(const FileRecording& record, uint64_t moment, uint64_t seed, History& history) {
    RebuiltDirectory root;
    std::mt19937_64 cut_random(seed);
    record.Rebuild(moment, cut_random, root.path() + "/first");
    FileRecorder& recorder = FileRecorder::Instance();
    recorder.Start(root.path() + "/first");
    const uint64_t present = recorder.event_count();
    {
      absl::StatusOr<std::unique_ptr<Volume>> volume =
          Volume::Open(OptionsIn(root.path() + "/first", 0, TrailSync::kFdatasync));
      EXPECT_TRUE(volume.ok()) << Describe(volume.status());
      if (volume.ok()) (*volume)->Crash();
    }
    const FileRecording recovery = recorder.Stop();
    const uint64_t again = present + cut_random() % (recovery.size() - present + 1);
    recovery.Rebuild(again, cut_random, root.path() + "/second");
    ASSERT_EQ(FindBrokenRecovery(SiteIn(root.path() + "/second"), history, moment, false), "")
        << "its recovery cut at event " << again - present << " of " << recovery.size() - present;
  }
};

TEST_P(FileCrash, R_D16_PowerCutsAtAnyMoment) {
  TestRandom random;
  const int wanted = IsLong() ? 5000 : 500;
  int points = 0;  // at which files of all modes were there
  for (uint64_t kind = 0; points < wanted; ++kind) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    SCOPED_TRACE(testing::Message() << "history " << seed << ", kind " << kind);
    History history(seed, [] { return FileRecorder::Instance().event_count(); });
    FileRecording record;
    if (!Record(kind, history, &record)) {
      GTEST_SKIP() << "the file system has no direct writes";
    }
    ASSERT_GT(record.size(), 50u);
    for (int cut = 0; cut < kCutsOfHistory; ++cut) {
      const uint64_t moment = random.Below(record.size() + 1);
      const uint64_t cut_seed = random.Below(uint64_t{1} << 62);
      SCOPED_TRACE(testing::Message() << "cut at event " << moment << " of " << record.size());
      points += history.HoldsEveryMode(moment) ? 1 : 0;
      if (cut % 5 == 4) {
        CutRecovery(record, moment, cut_seed, history);
      } else {
        RebuiltDirectory root;
        std::mt19937_64 cut_random(cut_seed);
        record.Rebuild(moment, cut_random, root.path() + "/cut");
        const CrashSite site = SiteIn(root.path() + "/cut");
        ASSERT_EQ(FindBrokenRecovery(site, history, moment, cut % 5 == 0), "");
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(points, wanted);
  RecordProperty("crash_points", points);
}

INSTANTIATE_TEST_SUITE_P(TrailSyncs, FileCrash,
                         testing::Values(TrailSync::kFdatasync, TrailSync::kDirect),
                         [](const testing::TestParamInfo<TrailSync>& sync) {
                           return sync.param == TrailSync::kDirect ? "Direct" : "Fdatasync";
                         });

}  // namespace
}  // namespace quire::test
