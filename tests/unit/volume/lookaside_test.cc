// LOOKASIDE of a file, end to end at one volume: stored, altered at once, recovered, counted.

#include <string>

#include "quire/limits.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";
constexpr int kRecords = 400;  // of SmallFile: more than one data block

class LookasideTest : public VolumeTest {
 protected:
  void MustCreateWith(Lookaside lookaside) {
    CreateRequest create = SmallFile(kFile, false);
    create.attributes.lookaside = lookaside;
    ASSERT_TRUE(Create(create).ok());
  }
  absl::Status AlterLookaside(Lookaside lookaside) {
    AlterRequest alter{Ref(kFile), {}, {}, {}};
    alter.lookaside = lookaside;
    return Alter(std::move(alter));
  }
  Lookaside Stored() { return Info(kFile)->attributes.lookaside; }
  void Load() {
    for (int key = 0; key < kRecords; ++key) ASSERT_TRUE(Write(kFile, SmallRecord(key)).ok());
  }
  void ReadAll() {
    for (int key = 0; key < kRecords; ++key) {
      EXPECT_EQ(*Read(kFile, SmallKey(key)), SmallRecord(key));
    }
  }
  int64_t Disc(const std::string& name) {
    const VolumeSnapshot snapshot = Snapshot();
    for (const CounterValue& value : snapshot.records.at(0).counters) {
      if (value.name == name) return value.value;
    }
    ADD_FAILURE() << name;
    return -1;
  }
};

TEST_F(LookasideTest, AlterIsInForceAtOnceAndOutlivesACrash) {
  MustCreateWith(Lookaside::kOff);
  ASSERT_TRUE(Refresh().ok());
  const int64_t control_points = Disc("CONTROL-POINTS");
  for (Lookaside lookaside : {Lookaside::kFreeze, Lookaside::kNoFreeze, Lookaside::kOff}) {
    ASSERT_TRUE(AlterLookaside(lookaside).ok());
    EXPECT_EQ(Stored(), lookaside);
    EXPECT_EQ(Disc("CONTROL-POINTS"), control_points) << "no barrier";
  }
  ASSERT_TRUE(AlterLookaside(Lookaside::kFreeze).ok());
  volume_.Crash();
  volume_.Open();
  EXPECT_EQ(Stored(), Lookaside::kFreeze);  // from the trail
  ASSERT_TRUE(Refresh().ok());
  volume_.Crash();
  volume_.Open();
  EXPECT_EQ(Stored(), Lookaside::kFreeze);  // from the store
}

TEST_F(LookasideTest, CreateIsRecoveredWithIt) {
  MustCreateWith(Lookaside::kNoFreeze);
  volume_.Crash();
  volume_.Open();
  EXPECT_EQ(Stored(), Lookaside::kNoFreeze);
}

TEST_F(LookasideTest, AnUnknownValueIs22) {
  CreateRequest create = SmallFile(kFile, false);
  create.attributes.lookaside = static_cast<Lookaside>(9);
  EXPECT_EQ(Number(Create(create).status()), 22);
}

TEST_F(LookasideTest, FrozenBlocksComeAndGoWithTheAttributeAndTheFile) {
  MustCreateWith(Lookaside::kFreeze);
  Load();
  ASSERT_TRUE(Refresh().ok());
  ReadAll();
  const int64_t frozen = Disc("LOOKASIDE-FROZEN-BLOCKS");
  EXPECT_GT(frozen, 0);
  EXPECT_GT(Disc("LOOKASIDE-FROZEN-BYTES"), 0);
  ASSERT_TRUE(AlterLookaside(Lookaside::kNoFreeze).ok());
  EXPECT_EQ(Disc("LOOKASIDE-FROZEN-BLOCKS"), 0);
  ReadAll();
  EXPECT_EQ(Disc("LOOKASIDE-FROZEN-BLOCKS"), 0);
  ASSERT_TRUE(AlterLookaside(Lookaside::kFreeze).ok());
  ReadAll();
  EXPECT_EQ(Disc("LOOKASIDE-FROZEN-BLOCKS"), frozen);
  ASSERT_TRUE(Purge(kFile).ok());
  EXPECT_EQ(Disc("LOOKASIDE-FROZEN-BLOCKS"), 0);
}

TEST_F(LookasideTest, AFileWithoutItIsNotMeasured) {
  MustCreateWith(Lookaside::kOff);
  Load();
  ASSERT_TRUE(Refresh().ok());
  volume_.Crash();
  volume_.Open();
  ReadAll();
  EXPECT_GT(Disc("READS"), 10);
  EXPECT_GT(Disc("INDEX-READS"), 0);
  EXPECT_LT(Disc("INDEX-READS"), Disc("READS"));
  EXPECT_EQ(Disc("LOOKASIDE-KEPT"), 0);
  EXPECT_EQ(Disc("LOOKASIDE-FROZEN-BLOCKS"), 0);
  ASSERT_TRUE(AlterLookaside(Lookaside::kNoFreeze).ok());
  volume_.Crash();
  volume_.Open();
  ReadAll();
  EXPECT_GT(Disc("LOOKASIDE-KEPT"), 10);
}

// R-D5: what is above the default comes out of the cache, and never more than half of it.
TEST(LookasideOptionTest, R_D5_MoreThanHalfOfTheCacheIsRefused) {
  VolumeOptions options;
  options.name = "$DATA01";
  options.cache_bytes = uint64_t{64} << 20;
  options.lookaside_bytes = kDefaultLookasideBytes + options.cache_bytes / 2 + 1;
  EXPECT_EQ(Number(Volume::Open(options).status()), 22);
}

}  // namespace
}  // namespace quire::test
