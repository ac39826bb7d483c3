// Which bytes on disc count as the trail. Batches are laid out by hand here, so that every state a
// crash or a bad disc can leave is made on purpose.
#include "server/trail/trail_replay.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/base/bytes.h"
#include "server/trail/trail_format.h"
#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

constexpr uint64_t kBlock = kTrailBlockBytes;

struct Placed {
  uint64_t segment = 1;
  uint64_t offset = 0;
  Lsn first_lsn = 1;
  uint64_t epoch = 1;
  uint64_t volume_id = kTestVolumeId;
  uint32_t records = 1;
  uint64_t payload_bytes = 100;
};

class TrailReplayTest : public testing::Test {
 protected:
  void Make(uint64_t segment, uint64_t bytes = kTestSegmentBytes) {
    QUIRE_ASSERT_OK(device_->Create(segment, bytes));
  }
  // Writes a batch; gives the offset behind it.
  uint64_t Place(const Placed& placed) {
    TrailBatch batch;
    for (uint32_t i = 0; i < placed.records; ++i) {
      batch.Add({.kind = TrailRecordKind::kCommand,
                 .file = placed.first_lsn + i,
                 .payload = std::string(placed.payload_bytes, 'p')});
    }
    const absl::Span<const char> bytes = batch.Finish({.volume_id = placed.volume_id,
                                                       .epoch = placed.epoch,
                                                       .segment = placed.segment,
                                                       .offset = placed.offset,
                                                       .first_lsn = placed.first_lsn});
    EXPECT_TRUE(device_->WriteDurably(placed.segment, placed.offset, bytes).ok());
    return placed.offset + bytes.size();
  }
  // The first LSNs of the batches replayed.
  std::vector<Lsn> Replay(Lsn from = 0) {
    std::vector<Lsn> lsns;
    result_ = ReplayTrail(*device_, kTestVolumeId, from,
                          [&](Lsn first_lsn, absl::Span<const TrailRecord> records) {
                            for (size_t i = 0; i < records.size(); ++i) {
                              EXPECT_EQ(records[i].file, first_lsn + i);
                            }
                            lsns.push_back(first_lsn);
                            return absl::OkStatus();
                          });
    return lsns;
  }
  void ExpectRefused(Lsn from = 0) {
    Replay(from);
    EXPECT_EQ(NumberOf(result_.status()), ErrorNumber::kFileBad) << result_.status();
  }
  void Damage(uint64_t segment, uint64_t offset) { ASSERT_TRUE(medium_->Damage(segment, offset)); }

  std::shared_ptr<SimulatedMedium> medium_ = std::make_shared<SimulatedMedium>();
  std::unique_ptr<TrailDevice> device_ = OpenSimulatedDevice(medium_);
  absl::StatusOr<TrailContent> result_;
};

using Lsns = std::vector<Lsn>;

TEST_F(TrailReplayTest, NothingAtAll) {
  EXPECT_EQ(Replay(), Lsns());
  ASSERT_TRUE(result_.ok());
  EXPECT_EQ(result_->last_lsn, 0u);
}

TEST_F(TrailReplayTest, R_D2_InOrderOverSegments) {
  Make(1);
  Make(2);
  const uint64_t behind = Place({.offset = 0, .first_lsn = 1, .records = 3});
  Place({.offset = behind, .first_lsn = 4, .payload_bytes = 100000});
  Place({.segment = 2, .first_lsn = 5});
  EXPECT_EQ(Replay(), (Lsns{1, 4, 5}));
  ASSERT_TRUE(result_.ok());
  EXPECT_EQ(result_->last_lsn, 5u);
  EXPECT_EQ(result_->epoch, 1u);
  EXPECT_EQ(result_->segments[0].last_lsn, 4u);
  EXPECT_EQ(result_->segments[1].last_lsn, 5u);
}

TEST_F(TrailReplayTest, StartsBehindTheControlPoint) {
  Make(1);
  Place({.offset = 0, .first_lsn = 1, .records = 3});
  Place({.offset = kBlock, .first_lsn = 4});
  EXPECT_EQ(Replay(3), (Lsns{4}));
  EXPECT_EQ(Replay(4), Lsns());
  EXPECT_EQ(result_->last_lsn, 4u);
}

TEST_F(TrailReplayTest, R_D3_CutInsideABatchIsRefused) {
  Make(1);
  Place({.first_lsn = 1, .records = 3});
  ExpectRefused(2);
}

TEST_F(TrailReplayTest, R_D2_TornTailIsTheEnd) {
  Make(1);
  Place({.offset = 0, .first_lsn = 1});
  Place({.offset = kBlock, .first_lsn = 2, .payload_bytes = 3 * kBlock});
  Damage(1, 3 * kBlock);
  EXPECT_EQ(Replay(), (Lsns{1}));
  ASSERT_TRUE(result_.ok());
  EXPECT_EQ(result_->segments[0].last_lsn, 1u);
}

TEST_F(TrailReplayTest, R_D2_HoleIsRefused) {
  Make(1);
  Place({.offset = 0, .first_lsn = 1});
  Place({.offset = kBlock, .first_lsn = 2});
  Place({.offset = 2 * kBlock, .first_lsn = 3});
  Damage(1, kBlock + 70);
  ExpectRefused();
  EXPECT_EQ(Replay(2), (Lsns{3})) << "what the store has may be damaged";
}

TEST_F(TrailReplayTest, R_D2_HoleAcrossSegmentsIsRefused) {
  Make(1);
  Make(2);
  Place({.offset = 0, .first_lsn = 1});
  Place({.offset = kBlock, .first_lsn = 2});
  Place({.segment = 2, .first_lsn = 3});
  Damage(1, kBlock + 70);
  ExpectRefused();
}

// Both the last batch of a segment and the first of the next are damaged: the one behind tells.
TEST_F(TrailReplayTest, R_D2_LongHoleAcrossSegmentsIsRefused) {
  Make(1);
  Make(2);
  Place({.offset = 0, .first_lsn = 1});
  Place({.offset = kBlock, .first_lsn = 2});
  Place({.segment = 2, .first_lsn = 3});
  Place({.segment = 2, .offset = kBlock, .first_lsn = 4});
  Damage(1, kBlock + 70);
  Damage(2, 70);
  ExpectRefused();
}

TEST_F(TrailReplayTest, MissingSegmentIsRefused) {
  for (uint64_t segment = 1; segment <= 3; ++segment) {
    Make(segment);
    Place({.segment = segment, .first_lsn = segment});
  }
  QUIRE_ASSERT_OK(device_->Remove(2));
  ExpectRefused();
  ExpectRefused(1);
  EXPECT_EQ(Replay(2), (Lsns{3}));
}

TEST_F(TrailReplayTest, MissingBeginningIsRefused) {
  Make(1);
  Place({.first_lsn = 10});
  ExpectRefused(8);
  EXPECT_EQ(Replay(9), (Lsns{10}));
}

TEST_F(TrailReplayTest, MissingTrailIsRefused) {
  ExpectRefused(7);
  Make(1);
  EXPECT_EQ(Replay(7), Lsns());
  ASSERT_TRUE(result_.ok());
  EXPECT_EQ(result_->last_lsn, 7u);
}

// R-D2: what a reused segment held under its old number does not count, valid as it is.
TEST_F(TrailReplayTest, R_D2_OldBatchesOfAReusedSegmentDoNotCount) {
  Make(1);
  Make(3);
  Place({.segment = 1, .offset = 0, .first_lsn = 1});
  Place({.segment = 1, .offset = kBlock, .first_lsn = 2});
  Place({.segment = 3, .first_lsn = 3});
  QUIRE_ASSERT_OK(device_->Rename(1, 4));
  EXPECT_EQ(Replay(2), (Lsns{3}));
  Place({.segment = 4, .offset = 0, .first_lsn = 4, .payload_bytes = 10});
  EXPECT_EQ(Replay(2), (Lsns{3, 4}));
}

// R-D2: the same place, the same LSN, an earlier epoch: left over from before a torn tail.
TEST_F(TrailReplayTest, R_D2_EarlierEpochDoesNotCount) {
  Make(1);
  Place({.offset = 0, .first_lsn = 1, .epoch = 5});
  Place({.offset = kBlock, .first_lsn = 2, .epoch = 6});
  Place({.offset = 2 * kBlock, .first_lsn = 3, .epoch = 5});
  EXPECT_EQ(Replay(), (Lsns{1, 2}));
  Place({.offset = 3 * kBlock, .first_lsn = 9, .epoch = 5});
  EXPECT_EQ(Replay(), (Lsns{1, 2})) << "nor is it a hole";
  EXPECT_EQ(result_->epoch, 6u);
}

TEST_F(TrailReplayTest, R_D2_BatchInAnotherPlaceDoesNotCount) {
  Make(1);
  Place({.offset = 0, .first_lsn = 1});
  Place({.offset = 8 * kBlock, .first_lsn = 2});
  AlignedBytes moved(kBlock, '\0');
  QUIRE_ASSERT_OK(device_->Read(1, 8 * kBlock, moved.span()));
  QUIRE_ASSERT_OK(device_->WriteDurably(1, kBlock, moved.span()));
  AlignedBytes zeros(kBlock, '\0');
  QUIRE_ASSERT_OK(device_->WriteDurably(1, 8 * kBlock, zeros.span()));
  EXPECT_EQ(Replay(), (Lsns{1}));
}

TEST_F(TrailReplayTest, ForeignSegmentIsRefused) {
  Make(1);
  Make(2);
  Place({.segment = 1, .first_lsn = 1});
  Place({.segment = 2, .first_lsn = 2, .volume_id = 99});
  ExpectRefused();
  EXPECT_NE(Describe(result_.status()).find("another volume"), std::string::npos);
}

TEST_F(TrailReplayTest, NewerVersionIsRefused) {
  Make(1);
  Place({.first_lsn = 1});
  AlignedBytes block(kBlock, '\0');
  QUIRE_ASSERT_OK(device_->Read(1, 0, block.span()));
  BatchHeader header;
  ASSERT_TRUE(PeekBatchHeader(block.span(), &header));
  header.version = kBatchVersion + 1;
  EncodeBatchHeader(header, block.span());
  QUIRE_ASSERT_OK(device_->WriteDurably(1, 0, block.span()));
  ExpectRefused();
}

TEST_F(TrailReplayTest, ShortenedSegmentEndsThere) {
  Make(1, kBlock);
  Make(2, 0);
  Make(3, 100);
  Place({.offset = 0, .first_lsn = 1});
  EXPECT_EQ(Replay(), (Lsns{1}));
}

// A header that promises more than there is must not be followed.
TEST_F(TrailReplayTest, LengthBeyondTheSegmentIsNoBatch) {
  Make(1);
  Place({.offset = kTestSegmentBytes - kBlock, .first_lsn = 1});
  AlignedBytes block(kBlock, '\0');
  QUIRE_ASSERT_OK(device_->Read(1, kTestSegmentBytes - kBlock, block.span()));
  StoreLittle(block.span().data() + 52, uint32_t{2});
  QUIRE_ASSERT_OK(device_->WriteDurably(1, kTestSegmentBytes - kBlock, block.span()));
  EXPECT_EQ(Replay(), Lsns());
  ASSERT_TRUE(result_.ok());
}

TEST_F(TrailReplayTest, SegmentsWhollyInTheStoreAreNotRead) {
  for (uint64_t segment = 1; segment <= 4; ++segment) {
    Make(segment);
    Place({.segment = segment, .first_lsn = segment});
  }
  // Would be a hole, were it looked at.
  Place({.segment = 1, .offset = 9 * kBlock, .first_lsn = 50});
  EXPECT_EQ(Replay(3), (Lsns{4}));
  ASSERT_TRUE(result_.ok()) << result_.status();
  EXPECT_EQ(result_->segments[0].last_lsn, 1u);
}

TEST_F(TrailReplayTest, ErrorOfTheCallerIsHandedOn) {
  Make(1);
  Place({.first_lsn = 1});
  const auto result =
      ReplayTrail(*device_, kTestVolumeId, 0, [](Lsn, absl::Span<const TrailRecord>) {
        return MakeError(ErrorNumber::kNoDiscSpace, "as asked");
      });
  EXPECT_EQ(NumberOf(result.status()), ErrorNumber::kNoDiscSpace);
}

}  // namespace
}  // namespace quire
