// ALTER of AUDIT and of BUFFERED: a barrier that a control point ends (R-D6).

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "tests/support/test_random.h"
#include "tests/unit/volume/gated_fixture.h"
#include "tests/unit/volume/stored_state.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";
constexpr int kKeys = 10000;  // that SmallKey can tell apart
constexpr char kOther[] = "$DATA01.TEST.OTHER";

class AlterModeTest : public VolumeTest {
 protected:
  absl::Status AlterMode(std::optional<bool> audit, std::optional<bool> buffered) {
    AlterRequest alter{Ref(kFile), buffered, {}, {}};
    alter.audit = audit;
    return Alter(std::move(alter));
  }
  // "audit buffered", as 0 and 1.
  std::string Mode() {
    const FileAttributes attributes = Info(kFile)->attributes;
    return std::string(attributes.audit ? "1" : "0") + (attributes.buffered ? " 1" : " 0");
  }
};

TEST_F(AlterModeTest, R_D6_AuditMovesBufferedAlong) {
  MustCreate(kFile, false);
  ASSERT_TRUE(AlterMode(true, {}).ok());
  EXPECT_EQ(Mode(), "1 1");
  ASSERT_TRUE(AlterMode(false, {}).ok());
  EXPECT_EQ(Mode(), "0 0");
  ASSERT_TRUE(AlterMode(true, true).ok());
  EXPECT_EQ(Mode(), "1 1");
  ASSERT_TRUE(AlterMode(false, true).ok());
  EXPECT_EQ(Mode(), "0 1");
  ASSERT_TRUE(AlterMode({}, false).ok());
  EXPECT_EQ(Mode(), "0 0");
}

TEST_F(AlterModeTest, R_D6_AuditWithNoBufferedIs2AndChangesNothing) {
  MustCreate(kFile, false);
  AlterRequest alter{Ref(kFile), false, 100, {}};
  alter.audit = true;
  EXPECT_EQ(Number(Alter(alter)), 2);
  EXPECT_EQ(Mode(), "0 0");
  EXPECT_NE(Info(kFile)->attributes.max_extents, 100U);
  ASSERT_TRUE(AlterMode(true, {}).ok());
  EXPECT_EQ(Number(AlterMode({}, false)), 2);
  EXPECT_EQ(Mode(), "1 1");
}

TEST_F(AlterModeTest, R_D6_TheModeIsStoredWithItsControlPoint) {
  MustCreate(kFile, false);
  int key = 0;
  for (const bool audit : {true, false, true}) {
    ASSERT_TRUE(Write(kFile, SmallRecord(++key)).ok());
    ASSERT_TRUE(AlterMode(audit, {}).ok());
    volume_.Crash();
    EXPECT_EQ(ReadStoredFiles(volume_.disc).labels.at(kFile).attributes.audit, audit);
    EXPECT_TRUE(ReadStoredTrail(volume_).empty()) << "the control point covers what was before";
    volume_.Open();
    EXPECT_EQ(Mode(), audit ? "1 1" : "0 0");
    EXPECT_EQ(Info(kFile)->record_count, static_cast<uint64_t>(key));
  }
}

TEST_F(AlterModeTest, R_D6_WithoutRoomTheModeStays) {
  MustCreate(kFile, false);
  volume_.faults->FailAt(StoreCall::kCommit, 1,
                         MakeError(ErrorNumber::kNoDiscSpace, "disc full for a moment"));
  EXPECT_EQ(Number(AlterMode(true, {})), 43);
  EXPECT_EQ(Mode(), "0 0");
  ASSERT_TRUE(Write(kFile, SmallRecord(1)).ok());
  volume_.CrashAndReopen();
  EXPECT_EQ(Mode(), "0 0");
  EXPECT_TRUE(Read(kFile, SmallKey(1)).ok());
}

// The file is changed by an open all the time; whatever was acknowledged is there after a crash.
TEST_F(AlterModeTest, R_D6_OnAndOffUnderLoadLosesNothingAcknowledged) {
  TestRandom random;
  MustCreate(kFile, false);
  std::set<int> acknowledged;
  int next_key = 0;
  for (int round = 0; round < 6; ++round) {
    std::atomic<bool> down{false};
    std::thread writer([&] {
      while (!down && next_key < kKeys) {
        const int key = next_key++;
        if (Write(kFile, SmallRecord(key)).ok()) acknowledged.insert(key);
      }
    });
    const uint64_t alters = 1 + random.Below(6);
    for (uint64_t i = 0; i < alters; ++i) {
      EXPECT_TRUE(AlterMode((round + i) % 2 == 0, {}).ok());
      // The load goes on in the new mode.
      EXPECT_TRUE(Info(kFile).ok());
    }
    // The volume goes down under the writer's hands.
    volume_->Crash();
    down = true;
    writer.join();
    volume_.CrashAndReopen();
    for (const int key : acknowledged) {
      ASSERT_TRUE(Read(kFile, SmallKey(key)).ok()) << key << " in round " << round;
    }
  }
  EXPECT_FALSE(acknowledged.empty());
}

using GatedAlterTest = Gated<AlterModeTest>;

TEST_F(GatedAlterTest, R_D6_RequestsOnTheFileWaitAtTheBarrierAndOthersDoNot) {
  MustCreate(kFile, true);
  MustCreate(kOther, true);
  MustCreate("$DATA01.TEST.THRU", false);
  gate_->Close();
  std::thread writer([&] { EXPECT_TRUE(Write("$DATA01.TEST.THRU", SmallRecord(1)).ok()); });
  gate_->AwaitArrival();
  // Requests are executed in the order of their calls, and each call here returns at once.
  std::promise<absl::Status> altered;
  AlterRequest alter{Ref(kFile), {}, {}, {}};
  alter.audit = true;
  volume_->Alter(alter, [&](absl::Status status) { altered.set_value(std::move(status)); });
  std::promise<absl::StatusOr<FileDescription>> described;
  volume_->Info(Ref(kFile), [&](absl::StatusOr<FileDescription> info) {
    described.set_value(std::move(info));
  });
  std::future<absl::Status> alter_answer = altered.get_future();
  std::future<absl::StatusOr<FileDescription>> info_answer = described.get_future();
  for (int key = 0; key < 100; ++key) EXPECT_TRUE(Write(kOther, SmallRecord(key)).ok());
  EXPECT_EQ(alter_answer.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  EXPECT_EQ(info_answer.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  gate_->Open();
  writer.join();
  EXPECT_TRUE(alter_answer.get().ok());
  EXPECT_TRUE(info_answer.get()->primary.attributes.audit);
  EXPECT_EQ(Mode(), "1 1");
}

}  // namespace
}  // namespace quire::test
