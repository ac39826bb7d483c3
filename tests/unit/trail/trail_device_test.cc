// The contract of TrailDevice, over every body it has.
#include "server/trail/trail_device.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

class TrailDeviceTest : public testing::TestWithParam<DeviceKind> {
 protected:
  void SetUp() override { Reopen(); }
  void Reopen() {
    device_.reset();
    auto device = medium_.Open();
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *std::move(device);
  }
  std::vector<uint64_t> List() {
    const auto numbers = device_->List();
    EXPECT_TRUE(numbers.ok()) << numbers.status();
    return numbers.ok() ? *numbers : std::vector<uint64_t>();
  }
  char ByteAt(uint64_t segment, uint64_t offset) {
    AlignedBytes block(kTrailBlockBytes, '?');
    const uint64_t start = offset / kTrailBlockBytes * kTrailBlockBytes;
    EXPECT_TRUE(device_->Read(segment, start, block.span()).ok());
    return block.span()[offset - start];
  }

  TestMedium medium_{GetParam()};
  std::unique_ptr<TrailDevice> device_;
};

TEST_P(TrailDeviceTest, BeginsEmpty) {
  EXPECT_TRUE(List().empty());
}

TEST_P(TrailDeviceTest, CreatesZerosUnderAscendingNumbers) {
  QUIRE_ASSERT_OK(device_->Create(0x1F, kTestSegmentBytes));
  QUIRE_ASSERT_OK(device_->Create(2, 2 * kTestSegmentBytes));
  EXPECT_EQ(List(), (std::vector<uint64_t>{2, 0x1F}));
  EXPECT_EQ(*device_->Size(2), 2 * kTestSegmentBytes);
  AlignedBytes all(kTestSegmentBytes, 'x');
  QUIRE_ASSERT_OK(device_->Read(0x1F, 0, all.span()));
  for (const char byte : all.span()) ASSERT_EQ(byte, '\0');
}

TEST_P(TrailDeviceTest, WhatIsWrittenIsThereAfterReopening) {
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  AlignedBytes bytes(2 * kTrailBlockBytes, 'q');
  QUIRE_ASSERT_OK(device_->WriteDurably(1, 3 * kTrailBlockBytes, bytes.span()));
  Reopen();
  QUIRE_ASSERT_OK(device_->Sync(1));
  EXPECT_EQ(*device_->Size(1), kTestSegmentBytes);
  EXPECT_EQ(ByteAt(1, 3 * kTrailBlockBytes - 1), '\0');
  EXPECT_EQ(ByteAt(1, 3 * kTrailBlockBytes), 'q');
  EXPECT_EQ(ByteAt(1, 5 * kTrailBlockBytes - 1), 'q');
  EXPECT_EQ(ByteAt(1, 5 * kTrailBlockBytes), '\0');
}

// R-D17: a reused segment keeps its bytes; only its number changes.
TEST_P(TrailDeviceTest, R_D17_RenameKeepsContent) {
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  AlignedBytes bytes(kTrailBlockBytes, 'q');
  QUIRE_ASSERT_OK(device_->WriteDurably(1, 0, bytes.span()));
  QUIRE_ASSERT_OK(device_->Rename(1, 5));
  EXPECT_EQ(List(), std::vector<uint64_t>{5});
  EXPECT_EQ(ByteAt(5, 0), 'q');
  // Under the new number it takes writes, also where one was written under the old number.
  AlignedBytes other(kTrailBlockBytes, 'r');
  QUIRE_ASSERT_OK(device_->WriteDurably(5, 0, other.span()));
  EXPECT_EQ(ByteAt(5, 0), 'r');
  EXPECT_EQ(NumberOf(device_->WriteDurably(1, 0, other.span())), ErrorNumber::kVolumeDown);
}

TEST_P(TrailDeviceTest, RenameNeverReplaces) {
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  QUIRE_ASSERT_OK(device_->Create(2, kTestSegmentBytes));
  EXPECT_EQ(NumberOf(device_->Rename(1, 2)), ErrorNumber::kVolumeDown);
  EXPECT_EQ(List(), (std::vector<uint64_t>{1, 2}));
}

TEST_P(TrailDeviceTest, Removes) {
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  QUIRE_ASSERT_OK(device_->Remove(1));
  EXPECT_TRUE(List().empty());
}

TEST_P(TrailDeviceTest, WhatIsNotThereIs66) {
  AlignedBytes bytes(kTrailBlockBytes, 'q');
  EXPECT_EQ(NumberOf(device_->Size(9).status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(device_->Read(9, 0, bytes.span())), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(device_->WriteDurably(9, 0, bytes.span())), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(device_->Sync(9)), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(device_->Rename(9, 10)), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(device_->Remove(9)), ErrorNumber::kVolumeDown);
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  EXPECT_EQ(NumberOf(device_->Read(1, kTestSegmentBytes, bytes.span())), ErrorNumber::kVolumeDown);
}

TEST_P(TrailDeviceTest, DifferentSegmentsFromDifferentThreads) {
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  QUIRE_ASSERT_OK(device_->Create(2, kTestSegmentBytes));
  const auto write = [&](uint64_t segment, char byte) {
    AlignedBytes bytes(kTrailBlockBytes, byte);
    for (uint64_t i = 0; i < 50; ++i) {
      EXPECT_TRUE(device_->WriteDurably(segment, i * kTrailBlockBytes, bytes.span()).ok());
    }
  };
  std::thread other(write, 2, 'b');
  write(1, 'a');
  for (uint64_t number = 10; number < 15; ++number) {
    QUIRE_ASSERT_OK(device_->Create(number, kTrailBlockBytes));
    QUIRE_ASSERT_OK(device_->Rename(number, number + 100));
  }
  other.join();
  EXPECT_EQ(ByteAt(1, 49 * kTrailBlockBytes), 'a');
  EXPECT_EQ(ByteAt(2, 49 * kTrailBlockBytes), 'b');
}

INSTANTIATE_TEST_SUITE_P(Bodies, TrailDeviceTest,
                         testing::Values(DeviceKind::kFdatasync, DeviceKind::kDirect,
                                         DeviceKind::kSimulated),
                         DeviceKindName);

}  // namespace
}  // namespace quire
