// Every allocation of a direct read (Session::TryRead) fails once, from a cold cache: what the
// open, its file and the disc have counted is that of one read, whether the read was refused with
// 31 or was left to Submit, never that of two.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tests/fault/failing_new.h"
#include "tests/unit/volume/access_fixture.h"

namespace quire::test {
namespace {

constexpr int kMostAllocations = 100;
constexpr std::string_view kThere = "0500";
constexpr std::string_view kNotThere = "0505";

// Of the open, in this order; READS is that of the disc.
constexpr std::array<std::string_view, 5> kCounters = {"REQUESTS", "DRIVER-INPUT-CALLS",
                                                       "CACHE-HITS", "CACHE-READ-MISSES", "READS"};
using Counts = std::array<int64_t, kCounters.size()>;

struct Outcome {
  std::string answer;  // "0 record", "31"
  bool submitted = false;
  bool failed = false;  // an allocation did
  Counts counts = {};
};

class FailingDirectReadTest : public AccessTest, public testing::WithParamInterface<Lookaside> {
 protected:
  void SetUp() override {
    CreateRequest create = SmallFile(kFile, FileMode::kAudit);
    create.attributes.lookaside = GetParam();
    ASSERT_TRUE(Create(create).ok());
    for (int i = 1; i <= 200; ++i) {
      ASSERT_TRUE(Write(kFile, SmallRecord(i * 10, std::string(60, 'r'))).ok());
    }
  }

  // Reads `key` as the library does: at once, else submitted. The n-th allocation of the direct
  // read fails; 0: none does.
  Outcome ReadFailing(int n, std::string_view key) {
    volume_.Reopen();  // nothing is in the cache
    auto user = User(1);
    const Counts before = CountsNow();
    Outcome outcome;
    std::string record;
    std::optional<absl::Status> status;
    if (n > 0) FailAllocation(n, 1);
    status = user->session().TryRead(key, &record);
    outcome.failed = StopFailing() && n > 0;
    outcome.submitted = !status.has_value();
    if (outcome.submitted) {
      outcome.answer = user->Do(Keyed(OperationKind::kRead, key));
    } else {
      outcome.answer = status->ok() ? "0 " + record : StrCat(Number(*status));
      EXPECT_TRUE(status->ok() || record.empty());
    }
    const Counts after = CountsNow();
    for (size_t i = 0; i < after.size(); ++i) outcome.counts[i] = after[i] - before[i];
    return outcome;
  }

  Counts CountsNow() {
    Counts counts = {};
    for (const EntityRecord& record : Snapshot().records) {
      const bool open = record.entity == Entity::kDiscopen && record.open_id == 1;
      if (!open && record.entity != Entity::kDisc) continue;
      for (size_t i = 0; i < kCounters.size(); ++i) {
        if ((kCounters[i] == "READS") != open) counts[i] = record.Value(kCounters[i]);
      }
    }
    return counts;
  }

  // Returns the refusals with 31.
  int FailEach(std::string_view key) {
    const Outcome whole = ReadFailing(0, key);
    EXPECT_FALSE(whole.submitted);
    EXPECT_EQ(whole.counts[0], 1);
    EXPECT_EQ(whole.counts[3], whole.counts[4]) << "a miss is one physical read";
    EXPECT_GT(whole.counts[3], 1) << "the cache was not cold";
    int refused = 0;
    bool failed = true;
    for (int n = 1; failed && n < kMostAllocations; ++n) {
      SCOPED_TRACE(StrCat("allocation ", n, " of reading ", key));
      const Outcome outcome = ReadFailing(n, key);
      failed = outcome.failed;
      EXPECT_EQ(outcome.counts[0], 1) << "one request";
      EXPECT_EQ(outcome.counts[1], outcome.counts[2] + outcome.counts[3]);
      if (outcome.answer == "31") {
        ++refused;
        // The last miss may have found no memory for its read.
        EXPECT_LE(outcome.counts[3] - outcome.counts[4], 1);
        EXPECT_GE(outcome.counts[3], outcome.counts[4]);
        for (size_t i = 0; i < kCounters.size(); ++i) {
          EXPECT_LE(outcome.counts[i], whole.counts[i]) << kCounters[i];
        }
      } else {
        EXPECT_EQ(outcome.answer, whole.answer);
        EXPECT_EQ(outcome.counts, whole.counts);
      }
    }
    EXPECT_FALSE(failed) << "more allocations than this test tries";
    return refused;
  }
};

TEST_P(FailingDirectReadTest, R_C2_CountsOnce) {
  EXPECT_GT(FailEach(kThere), 0);
}

TEST_P(FailingDirectReadTest, R_C2_CountsAMissingRecordOnce) {
  EXPECT_GT(FailEach(kNotThere), 0);
}

INSTANTIATE_TEST_SUITE_P(Lookasides, FailingDirectReadTest,
                         testing::Values(Lookaside::kOff, Lookaside::kNoFreeze, Lookaside::kFreeze),
                         [](const testing::TestParamInfo<Lookaside>& mode) -> std::string {
                           if (mode.param == Lookaside::kOff) return "Off";
                           return mode.param == Lookaside::kFreeze ? "Freeze" : "NoFreeze";
                         });

}  // namespace
}  // namespace quire::test
