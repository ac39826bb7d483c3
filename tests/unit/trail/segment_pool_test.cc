#include "server/trail/segment_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

constexpr uint64_t kLongestBytes = kTestSegmentBytes / 2;
constexpr uint64_t kAssuredBytes = kTestSegmentBytes - kLongestBytes + kTrailBlockBytes;

class SegmentPoolTest : public testing::Test {
 protected:
  // Ends the thread, so that the directory is at rest.
  std::vector<uint64_t> ListAtRest() {
    pool_.reset();
    return *device_->List();
  }

  std::shared_ptr<SimulatedMedium> medium_ = std::make_shared<SimulatedMedium>();
  std::unique_ptr<TrailDevice> device_ = OpenSimulatedDevice(medium_);
  std::unique_ptr<SegmentPool> pool_ =
      std::make_unique<SegmentPool>(device_.get(), kTestSegmentBytes, kLongestBytes);
};

TEST_F(SegmentPoolTest, FreshPoolMakesOneSegmentAndRests) {
  EXPECT_EQ(*pool_->Start({}), 1u);
  EXPECT_EQ(pool_->room_bytes(), kTestSegmentBytes);
  EXPECT_EQ(pool_->segment_count(), 0);
  EXPECT_EQ(ListAtRest(), std::vector<uint64_t>{1});
}

TEST_F(SegmentPoolTest, R_D17_NextSegmentIsMadeBeforeItIsNeeded) {
  ASSERT_TRUE(pool_->Start({}).ok());
  pool_->Use(kTestSegmentBytes / 2);
  QUIRE_ASSERT_OK(pool_->AwaitRoom(kTestSegmentBytes / 2 + kAssuredBytes));
  EXPECT_EQ(*pool_->Take(kTrailBlockBytes), 2u);
}

TEST_F(SegmentPoolTest, AwaitRoomMakesAsManyAsItTakes) {
  ASSERT_TRUE(pool_->Start({}).ok());
  QUIRE_ASSERT_OK(pool_->AwaitRoom(5 * kAssuredBytes));
  EXPECT_GE(pool_->segment_count(), 3);
}

TEST_F(SegmentPoolTest, R_D3_OnlyReleasedSegmentsAreReused) {
  medium_->SetCapacity(3 * kTestSegmentBytes);
  for (uint64_t number = 1; number <= 3; ++number) {
    QUIRE_ASSERT_OK(device_->Create(number, kTestSegmentBytes));
  }
  SegmentPool::Found found;
  found.live = {{1, kTestSegmentBytes, 10}, {2, kTestSegmentBytes, 20}};
  found.free = {3};
  found.highest_number = 3;
  EXPECT_EQ(*pool_->Start(std::move(found)), 4u);
  pool_->Use(kTestSegmentBytes - kTrailBlockBytes);
  EXPECT_EQ(NumberOf(pool_->AwaitRoom(kAssuredBytes)), ErrorNumber::kNoDiscSpace);
  pool_->Release(9);
  EXPECT_EQ(NumberOf(pool_->AwaitRoom(kAssuredBytes)), ErrorNumber::kNoDiscSpace);
  pool_->Release(19);
  QUIRE_ASSERT_OK(pool_->AwaitRoom(kAssuredBytes));
  EXPECT_EQ(*pool_->Take(0), 5u);
  EXPECT_EQ(ListAtRest(), (std::vector<uint64_t>{2, 4, 5}));
}

TEST_F(SegmentPoolTest, SparesBeyondAFewAreRemoved) {
  SegmentPool::Found found;
  for (uint64_t number = 1; number <= 2 * kSpareSegments; ++number) {
    QUIRE_ASSERT_OK(device_->Create(number, kTestSegmentBytes));
    found.live.push_back({number, kTestSegmentBytes, number});
  }
  found.highest_number = 2 * kSpareSegments;
  ASSERT_TRUE(pool_->Start(std::move(found)).ok());
  pool_->Release(2 * kSpareSegments);
  while (pool_->segment_count() > static_cast<int64_t>(kSpareSegments)) std::this_thread::yield();
  EXPECT_EQ(ListAtRest().size(), kSpareSegments + 1) << "and the current one";
}

TEST_F(SegmentPoolTest, SegmentsOfAnotherSizeAreRemoved) {
  for (uint64_t number = 1; number <= 2; ++number) {
    QUIRE_ASSERT_OK(device_->Create(number, 2 * kTestSegmentBytes));
  }
  SegmentPool::Found found;
  found.live = {{1, 2 * kTestSegmentBytes, 10}};
  found.useless = {2};
  found.highest_number = 2;
  EXPECT_EQ(*pool_->Start(std::move(found)), 3u);
  pool_->Release(10);
  while (pool_->segment_count() > 0) std::this_thread::yield();
  EXPECT_EQ(ListAtRest(), std::vector<uint64_t>{3});
}

TEST_F(SegmentPoolTest, FullDiscIs43UntilThereIsRoom) {
  medium_->SetCapacity(kTestSegmentBytes);
  ASSERT_TRUE(pool_->Start({}).ok());
  EXPECT_EQ(NumberOf(pool_->AwaitRoom(2 * kTestSegmentBytes)), ErrorNumber::kNoDiscSpace);
  EXPECT_EQ(NumberOf(pool_->Take(0).status()), ErrorNumber::kNoDiscSpace);
  QUIRE_ASSERT_OK(pool_->AwaitRoom(kTestSegmentBytes));
  medium_->SetCapacity(4 * kTestSegmentBytes);
  QUIRE_ASSERT_OK(pool_->AwaitRoom(kTestSegmentBytes + kAssuredBytes));
}

TEST_F(SegmentPoolTest, FailedFileOperationLatches) {
  medium_->CutAtCall(1, 0);
  EXPECT_EQ(NumberOf(pool_->Start({}).status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(pool_->AwaitRoom(1)), ErrorNumber::kVolumeDown);
  medium_->Heal();
  EXPECT_EQ(NumberOf(pool_->AwaitRoom(1)), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(pool_->Take(0).status()), ErrorNumber::kVolumeDown);
}

// What AwaitRoom has promised stays there while batches of any length move through the segments.
TEST_F(SegmentPoolTest, R_D8_RoomIsNeverLessThanPromised) {
  std::mt19937_64 random(TestSeed());
  ASSERT_TRUE(pool_->Start({}).ok());
  uint64_t left = kTestSegmentBytes;
  for (int round = 0; round < 200; ++round) {
    uint64_t promised = (1 + random() % 600) * kTrailBlockBytes;
    QUIRE_ASSERT_OK(pool_->AwaitRoom(promised));
    medium_->SetCapacity(0);
    while (promised > 0) {
      const uint64_t longest = std::min(promised, kLongestBytes) / kTrailBlockBytes;
      const uint64_t bytes = (1 + random() % longest) * kTrailBlockBytes;
      if (bytes > left) {
        ASSERT_TRUE(pool_->Take(left).ok()) << "round " << round;
        left = kTestSegmentBytes;
      }
      left -= bytes;
      promised -= bytes;
      pool_->Use(bytes);
    }
    medium_->SetCapacity(~uint64_t{0});
  }
}

TEST_F(SegmentPoolTest, ManyWaitersAllGetAnAnswer) {
  medium_->SetCapacity(6 * kTestSegmentBytes);
  ASSERT_TRUE(pool_->Start({}).ok());
  std::atomic<int> answered = 0;
  std::vector<std::thread> waiters;
  for (uint64_t i = 1; i <= 8; ++i) {
    waiters.emplace_back([&, i] {
      const absl::Status status = pool_->AwaitRoom(2 * i * kAssuredBytes);
      EXPECT_EQ(status.ok(), i <= 3) << i << " " << status;
      ++answered;
    });
  }
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(answered, 8);
}

}  // namespace
}  // namespace quire
