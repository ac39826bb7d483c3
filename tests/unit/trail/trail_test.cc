#include "server/trail/trail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "server/trail/trail_format.h"
#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

class TrailTest : public testing::TestWithParam<DeviceKind> {
 protected:
  // A new trail object on the medium; replays behind `from` and starts in the next epoch.
  Replayed Restart(Lsn from = 0, uint64_t segment_bytes = kTestSegmentBytes) {
    Replayed replayed = ReopenAndReplay(from, segment_bytes);
    if (replayed.last_lsn.ok()) {
      const absl::Status status = trail_->Start(*replayed.last_lsn, ++epoch_);
      EXPECT_TRUE(status.ok()) << status;
    }
    return replayed;
  }
  Replayed ReopenAndReplay(Lsn from = 0, uint64_t segment_bytes = kTestSegmentBytes) {
    trail_.reset();
    auto device = medium_.Open();
    EXPECT_TRUE(device.ok()) << device.status();
    trail_ = OpenTrail(*std::move(device), segment_bytes);
    return ReplayAll(*trail_, from);
  }
  absl::StatusOr<Lsn> Append(const OwnedBatch& batch) {
    Fill(batch, &batch_);
    const absl::Status room = trail_->EnsureRoom(batch_.disc_bytes());
    if (!room.ok()) return room;
    return trail_->Append(batch_);
  }
  // Appends and keeps what replay must give.
  void AppendAndExpect(const OwnedBatch& batch) {
    const absl::StatusOr<Lsn> lsn = Append(batch);
    ASSERT_TRUE(lsn.ok()) << lsn.status();
    expected_.push_back({.first_lsn = *lsn - batch.size() + 1, .records = batch});
  }

  TestMedium medium_{GetParam()};
  std::unique_ptr<Trail> trail_;
  TrailBatch batch_;
  uint64_t epoch_ = 0;
  std::vector<ReplayedBatch> expected_;
  std::mt19937_64 random_{TestSeed()};
};

TEST_P(TrailTest, R_D2_BatchesOfAllKindsComeBackWholeAndInOrder) {
  Restart();
  for (int i = 0; i < 40; ++i) AppendAndExpect(RandomBatch(random_, 5000));
  const Replayed replayed = Restart();
  EXPECT_EQ(replayed.batches, expected_);
  for (int i = 0; i < 40; ++i) AppendAndExpect(RandomBatch(random_, 5000));
  EXPECT_EQ(Restart().batches, expected_);
}

TEST_P(TrailTest, R_D3_ReplayTwiceGivesTheSame) {
  Restart();
  for (int i = 0; i < 20; ++i) AppendAndExpect(RandomBatch(random_, 5000));
  ReopenAndReplay();
  EXPECT_EQ(ReplayAll(*trail_, 0).batches, expected_) << "in the same object";
  EXPECT_EQ(ReopenAndReplay().batches, expected_) << "in another";
}

TEST_P(TrailTest, R_D17_RotatesOverManySegmentsAndReusesThem) {
  Restart();
  Lsn released = 0;
  for (int i = 0; i < 150; ++i) {
    AppendAndExpect(RandomBatch(random_, 60000));
    if (i % 25 == 24) {
      released = expected_[expected_.size() - 8].first_lsn - 1;
      trail_->Release(released);
      std::erase_if(expected_, [&](const ReplayedBatch& b) { return b.first_lsn <= released; });
    }
  }
  const TrailStatistics statistics = trail_->Statistics();
  EXPECT_EQ(statistics.batches, 150);
  EXPECT_EQ(statistics.syncs, 150);
  EXPECT_GT(statistics.written_bytes, 10 * static_cast<int64_t>(kTestSegmentBytes));
  EXPECT_LT(statistics.segments, 12) << "released segments should have been used again";
  trail_.reset();
  const auto device = medium_.Open();
  ASSERT_TRUE(device.ok());
  EXPECT_LT((*device)->List()->size(), 15u) << "nor may forgotten ones lie about";
  EXPECT_EQ(Restart(released).batches, expected_);
  for (int i = 0; i < 30; ++i) AppendAndExpect(RandomBatch(random_, 60000));
  EXPECT_EQ(Restart(released).batches, expected_);
}

TEST_P(TrailTest, LongestBatchFitsAndLongerIsRefused) {
  Restart();
  const uint64_t longest = trail_->max_batch_bytes();
  EXPECT_EQ(longest, kTestSegmentBytes / 2);
  const uint64_t payload = longest - kBatchHeaderBytes - kTrailRecordHeaderBytes;
  for (int i = 0; i < 5; ++i) {
    AppendAndExpect({{TrailRecordKind::kBlockImage, 1, 2, std::string(payload, 'x')}});
    AppendAndExpect({{TrailRecordKind::kBlockImage, 1, 2, "short"}});
  }
  EXPECT_EQ(
      NumberOf(
          Append({{TrailRecordKind::kBlockImage, 1, 2, std::string(payload + 1, 'x')}}).status()),
      ErrorNumber::kIllegalCount);
  EXPECT_EQ(Restart().batches, expected_);
}

TEST_P(TrailTest, SegmentSizeMayChange) {
  Restart();
  for (int i = 0; i < 10; ++i) AppendAndExpect(RandomBatch(random_, 60000));
  EXPECT_EQ(Restart(0, kTestSegmentBytes / 2).batches, expected_);
  for (int i = 0; i < 30; ++i) AppendAndExpect(RandomBatch(random_, 20000));
  EXPECT_EQ(Restart(0, 2 * kTestSegmentBytes).batches, expected_);
  for (int i = 0; i < 30; ++i) AppendAndExpect(RandomBatch(random_, 60000));
  EXPECT_EQ(Restart().batches, expected_);
  trail_->Release(expected_.back().first_lsn);
}

TEST_P(TrailTest, R_D2_EpochMustRise) {
  Restart();
  AppendAndExpect(RandomBatch(random_, 100));
  const Replayed replayed = ReopenAndReplay();
  EXPECT_EQ(NumberOf(trail_->Start(*replayed.last_lsn, epoch_)), ErrorNumber::kFileBad);
}

TEST_P(TrailTest, R_D3_NewLsnsStartAboveTheGivenOne) {
  Restart();
  AppendAndExpect({{TrailRecordKind::kCommand, 1, 0, "one"}});
  Replayed replayed = ReopenAndReplay(50);
  EXPECT_EQ(*replayed.last_lsn, 50u);
  QUIRE_ASSERT_OK(trail_->Start(50, ++epoch_));
  EXPECT_EQ(*Append({{TrailRecordKind::kCommand, 1, 0, "two"}}), 51u);
  replayed = Restart(50);
  ASSERT_EQ(replayed.batches.size(), 1u);
  EXPECT_EQ(replayed.batches[0].first_lsn, 51u);
}

// R-D2: two torn writes at one place can make up a whole batch that nobody was told of. So no start
// writes into the segments of an earlier one.
TEST_P(TrailTest, R_D2_NewBatchesNeverTouchOldSegments) {
  Restart();
  AppendAndExpect(RandomBatch(random_, 100));
  trail_.reset();
  auto before = medium_.Open();
  ASSERT_TRUE(before.ok());
  const std::vector<uint64_t> numbers = *(*before)->List();
  Restart();
  AppendAndExpect(RandomBatch(random_, 100));
  trail_.reset();
  auto after = medium_.Open();
  ASSERT_TRUE(after.ok());
  AlignedBytes block(kTrailBlockBytes, '\0');
  BatchHeader header;
  int segments_with_batches = 0;
  const std::vector<uint64_t> present = *(*after)->List();
  for (const uint64_t number : present) {
    QUIRE_ASSERT_OK((*after)->Read(number, 0, block.span()));
    if (!PeekBatchHeader(block.span(), &header)) continue;
    ++segments_with_batches;
    const bool is_old = std::count(numbers.begin(), numbers.end(), number) > 0;
    EXPECT_EQ(header.segment, number);
    EXPECT_EQ(header.epoch, is_old ? 1u : 2u) << number;
    QUIRE_ASSERT_OK((*after)->Read(number, header.disc_bytes(), block.span()));
    EXPECT_FALSE(PeekBatchHeader(block.span(), &header)) << number;
  }
  EXPECT_EQ(segments_with_batches, 2);
}

TEST_P(TrailTest, AnotherVolumeIsRefused) {
  Restart();
  AppendAndExpect(RandomBatch(random_, 100));
  trail_.reset();
  auto device = medium_.Open();
  ASSERT_TRUE(device.ok());
  trail_ = OpenTrail(*std::move(device), kTestSegmentBytes, kTestVolumeId + 1);
  EXPECT_EQ(NumberOf(ReplayAll(*trail_, 0).last_lsn.status()), ErrorNumber::kFileBad);
}

TEST_P(TrailTest, SegmentSizeOutOfBoundsIs22) {
  for (const uint64_t bytes : {uint64_t{4096}, kTestSegmentBytes + 1, uint64_t{2} << 30}) {
    auto device = medium_.Open();
    ASSERT_TRUE(device.ok());
    EXPECT_EQ(
        NumberOf(
            Trail::Open(*std::move(device), {.volume_id = 1, .segment_bytes = bytes}).status()),
        ErrorNumber::kBadParameter);
  }
}

// The disc process asks, the committer appends, the control-point writer releases. For the thread
// sanitizer as much as for the result.
TEST_P(TrailTest, R_D4_ThreeRolesAtOnce) {
  Restart();
  constexpr int kBatches = 200;
  std::vector<OwnedBatch> batches;
  for (int i = 0; i < kBatches; ++i) batches.push_back(RandomBatch(random_, 30000));
  std::atomic<Lsn> appended = 0;
  std::atomic<bool> ended = false;
  std::thread asker([&] {
    while (!ended) EXPECT_TRUE(trail_->EnsureRoom(trail_->max_batch_bytes()).ok());
  });
  std::thread releaser([&] {
    while (!ended) {
      trail_->Release(appended);
      EXPECT_GE(trail_->Statistics().segments, 1);
      std::this_thread::yield();
    }
  });
  for (const OwnedBatch& batch : batches) {
    const absl::StatusOr<Lsn> lsn = Append(batch);
    ASSERT_TRUE(lsn.ok()) << lsn.status();
    appended = *lsn;
  }
  ended = true;
  asker.join();
  releaser.join();
  const Lsn before_last = appended - batches.back().size();
  const Replayed replayed = ReopenAndReplay(before_last);
  ASSERT_EQ(replayed.batches.size(), 1u) << replayed.last_lsn.status();
  EXPECT_EQ(replayed.batches[0].records, batches.back());
}

INSTANTIATE_TEST_SUITE_P(Bodies, TrailTest,
                         testing::Values(DeviceKind::kFdatasync, DeviceKind::kDirect,
                                         DeviceKind::kSimulated),
                         DeviceKindName);

class SimulatedTrailTest : public TrailTest {};

TEST_P(SimulatedTrailTest, R_D8_FailedWriteLatches) {
  Restart();
  AppendAndExpect(RandomBatch(random_, 100));
  medium_.simulated().FailAtWrite(1, MakeError(ErrorNumber::kVolumeDown, "as asked"));
  EXPECT_EQ(NumberOf(Append(RandomBatch(random_, 100)).status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(Append(RandomBatch(random_, 100)).status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(medium_.simulated().writes(), 2) << "a failed write is never tried again";
  EXPECT_EQ(Restart().batches, expected_);
}

TEST_P(SimulatedTrailTest, R_D8_PromisedRoomIsThereOnAFullDisc) {
  medium_.simulated().SetCapacity(3 * kTestSegmentBytes);
  Restart();
  for (int round = 0; round < 20; ++round) {
    uint64_t promised = 0;
    while (trail_->EnsureRoom(promised + kTrailBlockBytes).ok()) promised += kTrailBlockBytes;
    ASSERT_GT(promised, 0u);
    while (promised > 0) {
      const OwnedBatch batch = RandomBatch(random_, 40000);
      Fill(batch, &batch_);
      if (batch_.disc_bytes() > promised) break;
      promised -= batch_.disc_bytes();
      const absl::StatusOr<Lsn> lsn = trail_->Append(batch_);
      ASSERT_TRUE(lsn.ok()) << lsn.status();
      expected_.push_back({.first_lsn = *lsn - batch.size() + 1, .records = batch});
    }
    // Full: a restart does not help, a control point does.
    const Lsn from = round == 0 ? 0 : expected_.front().first_lsn - 1;
    EXPECT_EQ(Restart(from).batches, expected_);
    EXPECT_EQ(NumberOf(trail_->EnsureRoom(4 * kTestSegmentBytes)), ErrorNumber::kNoDiscSpace);
    trail_->Release(expected_.back().first_lsn - 1);
    expected_.erase(expected_.begin(), expected_.end() - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, SimulatedTrailTest, testing::Values(DeviceKind::kSimulated),
                         DeviceKindName);

}  // namespace
}  // namespace quire
