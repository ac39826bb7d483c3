// kill -9 of volume servers, a hundred times, under a pipelined load on a partitioned file: what
// was acknowledged is there afterwards, what was refused or never sent is not, and nothing was done
// twice (R-D16 at the level of processes).
//
// QUIRE_TEST_SEED repeats the choices, QUIRE_LONG=1 kills ten times as often.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

constexpr int kVolumes = 3;
constexpr int kKillsOfTest = 25;   // times four tests
constexpr int kKeysOfRound = 400;  // each used once in a round, so that its outcome is plain
constexpr uint64_t kKeys = 3000;   // in all, spread over the partitions
constexpr char kFile[] = "$DATA01.S.KILLED";

struct Setting {
  const char* name;
  bool audit;
  bool through_router;
};

class KilledVolumeTest : public ClusterTest, public testing::WithParamInterface<Setting> {
 protected:
  using Records = std::map<std::string, std::string>;

  // One change of one key, and what came of it.
  struct Change {
    std::string key;
    std::optional<std::string> before;
    std::optional<std::string> after;
    std::atomic<bool> answered = false;
    ErrorNumber number = ErrorNumber::kOk;  // once answered
  };

  static std::string KeyOf(uint64_t number) {
    return absl::StrFormat("%c%07d", 'A' + static_cast<char>(number % kVolumes), number);
  }

  void Create() {
    FileAttributes attributes;
    attributes.record_bytes = 200;
    attributes.key_length = 8;
    attributes.extents = {500, 500};
    attributes.max_extents = 100;
    attributes.audit = GetParam().audit;
    attributes.partitions = {{"$DATA02", {500, 500}, "B"}, {"$DATA03", {500, 500}, "C"}};
    const auto filesystem = Connect();
    ASSERT_NE(filesystem, nullptr);
    const auto created = filesystem->Create(*ParseFileName(kFile), attributes);
    ASSERT_TRUE(created.ok()) << Describe(created.status());
    ASSERT_EQ(created->attributes.audit, GetParam().audit);
  }

  std::unique_ptr<FileSystem> Connect() {
    return GetParam().through_router ? ConnectToRouter() : ConnectToVolumes();
  }

  // Writes, updates and deletes of random keys, each key once, all partitions at once.
  std::vector<Change> Choose(TestRandom& random) {
    std::set<std::string> keys;
    while (keys.size() < kKeysOfRound) keys.insert(KeyOf(random.Below(kKeys)));
    std::vector<std::string> order(keys.begin(), keys.end());
    for (size_t i = 0; i < order.size(); ++i) {
      std::swap(order[i], order[i + random.Below(order.size() - i)]);
    }
    std::vector<Change> changes(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      Change& change = changes[i];
      change.key = order[i];
      const auto found = present_.find(change.key);
      if (found != present_.end()) change.before = found->second;
      if (!change.before || random.Below(3) > 0) {
        change.after = StrCat(change.key, " ", ++versions_, std::string(random.Below(150), 'r'));
      }
    }
    return changes;
  }

  static void Send(File& file, Change& change) {
    auto done = [&change](const absl::Status& status, std::string_view) {
      change.number = NumberOf(status);
      change.answered = true;
    };
    if (!change.after) {
      file.DeleteNowait(change.key, std::move(done));
    } else if (change.before) {
      file.UpdateNowait(*change.after, std::move(done));
    } else {
      file.WriteNowait(*change.after, std::move(done));
    }
  }

  // Sends all, with one kill at a random place; the volume comes back under the load.
  void RunUnderKill(TestRandom& random, std::vector<Change>& changes) {
    const auto filesystem = Connect();
    ASSERT_NE(filesystem, nullptr);
    auto file = filesystem->Open(kFile, {.batch_operations = 8});
    ASSERT_TRUE(file.ok()) << Describe(file.status());
    const size_t kill_at = 10 + random.Below(kKeysOfRound - 10);
    const int victim = 1 + static_cast<int>(random.Below(kVolumes));
    for (size_t i = 0; i < changes.size(); ++i) {
      Send(**file, changes[i]);
      if (i != kill_at) continue;
      volume(victim).Kill();
      ASSERT_NO_FATAL_FAILURE(StartVolume(victim, options_));
    }
    (*file)->Wait().IgnoreError();
  }

  // A router may still wait before it tries a volume again that was dead.
  static bool ReachesAll(FileSystem& filesystem) {
    const auto info = filesystem.Info(*ParseFileName(kFile));
    if (!info.ok()) return false;
    return std::all_of(info->secondaries.begin(), info->secondaries.end(),
                       [](const absl::StatusOr<FileInfo>& secondary) { return secondary.ok(); });
  }

  Records ReadAll() {
    Records found;
    const auto filesystem = Connect();
    if (filesystem == nullptr) return found;
    EXPECT_TRUE(WaitUntil([&] { return ReachesAll(*filesystem); }));
    auto file = filesystem->Open(kFile);
    EXPECT_TRUE(file.ok()) << Describe(file.status());
    if (!file.ok()) return found;
    const auto scan = (*file)->Scan({});
    absl::StatusOr<std::string_view> record = scan->Next();
    for (; record.ok(); record = scan->Next()) {
      EXPECT_TRUE(found.emplace(record->substr(0, 8), *record).second) << "twice: " << *record;
    }
    EXPECT_EQ(NumberOf(record.status()), ErrorNumber::kEndOfFile) << Describe(record.status());
    return found;
  }

  // `found` must be what was there, with every acknowledged change and some of those without
  // outcome.
  void Compare(const std::vector<Change>& changes, const Records& found) {
    Records expected = present_;
    for (const Change& change : changes) {
      ASSERT_TRUE(change.answered) << change.key;
      const auto there = found.find(change.key);
      std::optional<std::string> now;
      if (there != found.end()) now = there->second;
      if (change.number == ErrorNumber::kOk) {
        ++acknowledged_;
        EXPECT_EQ(now, change.after) << "acknowledged, and not there: " << change.key;
      } else {
        // Unreached or unknown. 10 and 11 would be the answers to a change done twice.
        EXPECT_THAT(change.number, testing::AnyOf(ErrorNumber::kVolumeDown, ErrorNumber::kPathDown,
                                                  ErrorNumber::kPartitionMissing))
            << change.key;
        EXPECT_TRUE(now == change.before || now == change.after) << change.key;
      }
      expected.erase(change.key);
      if (now) expected[change.key] = *now;
    }
    EXPECT_TRUE(found == expected)
        << "other records than the changes of this round account for: " << found.size()
        << " instead of " << expected.size();
    present_ = found;
  }

  // A small trail limit, so that control points are under way at some of the kills.
  const std::vector<std::string> options_ = {"--trail-limit", "2MiB"};
  Records present_;  // before the round
  uint64_t versions_ = 0;
  uint64_t acknowledged_ = 0;
};

TEST_P(KilledVolumeTest, R_D16_NothingAcknowledgedIsLost) {
  TestRandom random;
  ASSERT_NO_FATAL_FAILURE(StartCluster(kVolumes, options_));
  ASSERT_NO_FATAL_FAILURE(Create());
  const int kills = std::getenv("QUIRE_LONG") != nullptr ? 10 * kKillsOfTest : kKillsOfTest;
  for (int kill = 0; kill < kills; ++kill) {
    SCOPED_TRACE(testing::Message() << "kill " << kill + 1);
    std::vector<Change> changes = Choose(random);
    ASSERT_NO_FATAL_FAILURE(RunUnderKill(random, changes));
    Compare(changes, ReadAll());
    if (HasFailure()) return;
  }
  EXPECT_GT(acknowledged_, static_cast<uint64_t>(kills) * kKeysOfRound / 4);
  EXPECT_EQ(Fup(StrCat("INFO ", kFile)).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Modes, KilledVolumeTest,
                         testing::Values(Setting{"WriteThroughByRouter", false, true},
                                         Setting{"WriteThroughByLibrary", false, false},
                                         Setting{"AuditByRouter", true, true},
                                         Setting{"AuditByLibrary", true, false}),
                         [](const testing::TestParamInfo<Setting>& setting) {
                           return setting.param.name;
                         });

}  // namespace
}  // namespace quire
