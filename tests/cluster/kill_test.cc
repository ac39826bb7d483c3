// kill -9 under load: what was acknowledged, and what is there afterwards (DESIGN §4, R-D9).
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/support/process_fixture.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

constexpr uint64_t kMostRecords = 200000;

class KillTest : public ClusterTest {
 protected:
  void Create(const std::string& mode) {
    const CommandResult created =
        FupScript("SET REC 200\nSET KEYLEN 8\nSET EXT (2000, 2000)\nSET MAXEXTENTS 100\n" + mode +
                  "CREATE $DATA01.S.LOAD\n");
    ASSERT_EQ(created.exit_code, 0) << created.output;
  }

  static std::string RecordOf(uint64_t number) {
    return absl::StrFormat("%08d", number) + std::string(number % 150, 'r');
  }

  // Writes records first, first + 1, … pipelined until the open breaks; `when` is asked after each
  // with the count acknowledged so far, and kills the volume at a moment of its choice. Returns
  // how many were acknowledged: since answers come in order, those are the first so many.
  uint64_t WriteUntilBroken(uint64_t first, const std::function<void(uint64_t)>& when) {
    const auto filesystem = ConnectToVolumes();
    if (filesystem == nullptr) return 0;
    auto file = filesystem->Open("$DATA01.S.LOAD", {.batch_operations = 8});
    if (!file.ok()) {
      ADD_FAILURE() << Describe(file.status());
      return 0;
    }
    std::atomic<uint64_t> acknowledged = 0;
    std::atomic<bool> broken = false;
    for (uint64_t number = first; number < kMostRecords && !broken; ++number) {
      (*file)->WriteNowait(RecordOf(number), [&](const absl::Status& status, std::string_view) {
        if (!status.ok()) {
          broken = true;
        } else if (!broken) {
          ++acknowledged;
        } else {
          ADD_FAILURE() << "an acknowledgement after a failed write";
        }
      });
      when(acknowledged);
    }
    (*file)->Wait().IgnoreError();
    EXPECT_TRUE(broken) << "the volume was not killed under load";
    return acknowledged;
  }

  // How many of the records 0, 1, … are there before the first gap; checks each one's bytes, and
  // that the ordered scan finds the tree whole.
  uint64_t CountPrefix(uint64_t* total) {
    *total = 0;
    const auto filesystem = ConnectToVolumes();
    if (filesystem == nullptr) return 0;
    auto file = filesystem->Open("$DATA01.S.LOAD");
    if (!file.ok()) {
      ADD_FAILURE() << Describe(file.status());
      return 0;
    }
    uint64_t prefix = 0;
    std::string last;
    const auto scan = (*file)->Scan({});
    for (auto record = scan->Next(); record.ok(); record = scan->Next()) {
      EXPECT_LT(last, *record);
      last = std::string(*record);
      if (last == RecordOf(prefix)) ++prefix;
      ++*total;
    }
    return prefix;
  }
};

TEST_F(KillTest, WriteThroughLosesNothingAcknowledged) {
  TestRandom random;
  // A small trail limit, so that control points are under way at some of the kills.
  const std::vector<std::string> options = {"--trail-limit", "4MiB"};
  ASSERT_NO_FATAL_FAILURE(StartCluster(1, options));
  ASSERT_NO_FATAL_FAILURE(Create(""));
  uint64_t present = 0;
  for (int round = 0; round < 4; ++round) {
    SCOPED_TRACE(round);
    const uint64_t limit = random.Between(1, 4000);
    bool killed = false;
    const uint64_t acknowledged = WriteUntilBroken(present, [&](uint64_t so_far) {
      if (killed || so_far < limit) return;
      killed = true;
      volume(1).Kill();
    });
    EXPECT_GE(acknowledged, limit);
    ASSERT_NO_FATAL_FAILURE(StartVolume(1, options));
    if (round == 1) {
      router().Kill();
      ASSERT_NO_FATAL_FAILURE(StartRouter());
    }
    uint64_t total = 0;
    const uint64_t prefix = CountPrefix(&total);
    EXPECT_GE(prefix, present + acknowledged);
    EXPECT_EQ(total, prefix) << "a record was kept although one written before it was lost";
    present = prefix;
  }
  EXPECT_EQ(Fup("INFO $DATA01.S.LOAD").exit_code, 0);
}

TEST_F(KillTest, BufferedKeepsAPrefixAndWhatRefreshPlaced) {
  TestRandom random;
  const std::vector<std::string> options = {"--control-point-interval-ms", "100"};
  ASSERT_NO_FATAL_FAILURE(StartCluster(1, options));
  ASSERT_NO_FATAL_FAILURE(Create("SET BUFFERED\n"));
  uint64_t present = 0;
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    const uint64_t refresh_at = random.Between(1, 3000);
    const uint64_t kill_at = refresh_at + random.Between(1, 20000);
    bool refreshed = false;
    bool killed = false;
    uint64_t placed = 0;
    const uint64_t acknowledged = WriteUntilBroken(present, [&](uint64_t so_far) {
      if (!refreshed && so_far >= refresh_at) {
        refreshed = true;
        EXPECT_EQ(Fup("REFRESH $DATA01").exit_code, 0);
        placed = so_far;
      }
      if (!killed && so_far >= kill_at) {
        killed = true;
        volume(1).Kill();
      }
    });
    EXPECT_GE(acknowledged, kill_at);
    ASSERT_NO_FATAL_FAILURE(StartVolume(1, options));
    uint64_t total = 0;
    const uint64_t prefix = CountPrefix(&total);
    EXPECT_GE(prefix, present + placed) << "REFRESH had answered for these";
    EXPECT_EQ(total, prefix) << "a record was kept although one written before it was lost";
    present = prefix;
  }
}

}  // namespace
}  // namespace quire
