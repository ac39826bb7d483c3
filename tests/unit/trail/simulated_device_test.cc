#include "server/trail/simulated_device.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

constexpr uint64_t kSectorBytes = 512;

class SimulatedDeviceTest : public testing::Test {
 protected:
  std::shared_ptr<SimulatedMedium> medium_ = std::make_shared<SimulatedMedium>();
  std::unique_ptr<TrailDevice> device_ = OpenSimulatedDevice(medium_);
};

TEST_F(SimulatedDeviceTest, R_D16_CutTearsAtSectorsAndKills) {
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  AlignedBytes bytes(8 * kTrailBlockBytes, 'x');
  std::set<uint64_t> shares;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const uint64_t offset = seed * bytes.span().size();
    device_ = OpenSimulatedDevice(medium_);
    medium_->CutAtWrite(2, seed);
    QUIRE_ASSERT_OK(device_->WriteDurably(1, kTestSegmentBytes - kTrailBlockBytes,
                                          bytes.span().first(kTrailBlockBytes)));
    EXPECT_EQ(NumberOf(device_->WriteDurably(1, offset, bytes.span())), ErrorNumber::kVolumeDown);
    EXPECT_EQ(NumberOf(device_->WriteDurably(1, offset, bytes.span())), ErrorNumber::kVolumeDown);
    EXPECT_EQ(NumberOf(device_->List().status()), ErrorNumber::kVolumeDown);
    medium_->Heal();
    EXPECT_EQ(NumberOf(device_->List().status()), ErrorNumber::kVolumeDown) << "opened before";
    device_ = OpenSimulatedDevice(medium_);
    AlignedBytes read(bytes.span().size(), '?');
    QUIRE_ASSERT_OK(device_->Read(1, offset, read.span()));
    uint64_t written = 0;
    for (uint64_t at = 0; at < read.span().size(); at += kSectorBytes) {
      const char first = read.span()[at];
      for (uint64_t i = 0; i < kSectorBytes; ++i) ASSERT_EQ(read.span()[at + i], first);
      written += first == 'x' ? 1 : 0;
    }
    shares.insert(written);
  }
  EXPECT_GT(shares.size(), 5u) << "the share that reaches the disc should differ";
}

TEST_F(SimulatedDeviceTest, FailsOnceAndWritesNothing) {
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  AlignedBytes bytes(kTrailBlockBytes, 'x');
  medium_->FailAtWrite(1, MakeError(ErrorNumber::kVolumeDown, "as asked"));
  EXPECT_EQ(NumberOf(device_->WriteDurably(1, 0, bytes.span())), ErrorNumber::kVolumeDown);
  AlignedBytes read(kTrailBlockBytes, '?');
  QUIRE_ASSERT_OK(device_->Read(1, 0, read.span()));
  EXPECT_EQ(read.span()[0], '\0');
  QUIRE_ASSERT_OK(device_->WriteDurably(1, 0, bytes.span()));
  EXPECT_EQ(medium_->writes(), 2);
}

TEST_F(SimulatedDeviceTest, CutAtCallMayLeaveAnyStateOfCreateAndRename) {
  std::set<std::vector<uint64_t>> after_create;
  std::set<std::vector<uint64_t>> after_rename;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    medium_ = std::make_shared<SimulatedMedium>();
    device_ = OpenSimulatedDevice(medium_);
    medium_->CutAtCall(1, seed);
    EXPECT_EQ(NumberOf(device_->Create(1, kTestSegmentBytes)), ErrorNumber::kVolumeDown);
    medium_->Heal();
    device_ = OpenSimulatedDevice(medium_);
    after_create.insert(*device_->List());
    QUIRE_ASSERT_OK(device_->Create(5, kTestSegmentBytes));
    medium_->CutAtCall(1, seed);
    EXPECT_EQ(NumberOf(device_->Rename(5, 6)), ErrorNumber::kVolumeDown);
    medium_->Heal();
    device_ = OpenSimulatedDevice(medium_);
    std::vector<uint64_t> numbers = *device_->List();
    std::erase(numbers, 1);
    after_rename.insert(numbers);
  }
  EXPECT_EQ(after_create, (std::set<std::vector<uint64_t>>{{}, {1}}));
  EXPECT_EQ(after_rename, (std::set<std::vector<uint64_t>>{{5}, {6}}));
}

TEST_F(SimulatedDeviceTest, CapacityIs43) {
  medium_->SetCapacity(2 * kTestSegmentBytes);
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  QUIRE_ASSERT_OK(device_->Create(2, kTestSegmentBytes));
  EXPECT_EQ(NumberOf(device_->Create(3, kTestSegmentBytes)), ErrorNumber::kNoDiscSpace);
  QUIRE_ASSERT_OK(device_->Remove(1));
  QUIRE_ASSERT_OK(device_->Create(3, kTestSegmentBytes));
}

TEST_F(SimulatedDeviceTest, DamageFlipsABit) {
  QUIRE_ASSERT_OK(device_->Create(1, kTestSegmentBytes));
  EXPECT_TRUE(medium_->Damage(1, 77));
  EXPECT_FALSE(medium_->Damage(1, kTestSegmentBytes));
  EXPECT_FALSE(medium_->Damage(2, 0));
  AlignedBytes read(kTrailBlockBytes, '?');
  QUIRE_ASSERT_OK(device_->Read(1, 0, read.span()));
  EXPECT_EQ(read.span()[77], '\1');
}

}  // namespace
}  // namespace quire
