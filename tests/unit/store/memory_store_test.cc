// What MemoryStore does beside the suite of block_store_test.cc.
#include "server/store/memory_store.h"

#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/unit/store/store_bodies.h"

namespace quire {
namespace {

TEST(MemoryStoreTest, DiscOutlivesAStoreThatIsNeverClosed) {
  auto disc = std::make_shared<MemoryDisc>();
  std::unique_ptr<BlockStore> crashed = OpenMemoryStore(disc, kTestCapacityBytes);
  TestControlPoint point;
  point.Add(1, 1, 496);
  ASSERT_TRUE(crashed->Commit(point.Build()).ok());
  std::unique_ptr<BlockStore> restarted = OpenMemoryStore(disc, kTestCapacityBytes);
  ExpectBlock(*restarted, 1, 1, 496);
}

TEST(MemoryStoreTest, DamageTellsWhetherThereWasSuchAByte) {
  auto disc = std::make_shared<MemoryDisc>();
  std::unique_ptr<BlockStore> store = OpenMemoryStore(disc, kTestCapacityBytes);
  TestControlPoint point;
  point.Add(1, 1, 496);
  ASSERT_TRUE(store->Commit(point.Build()).ok());
  EXPECT_FALSE(disc->Damage(1, 2, 0));
  EXPECT_FALSE(disc->Damage(1, 1, 496));
  EXPECT_TRUE(disc->Damage(1, 1, 495));
}

TEST(MemoryStoreTest, CapacityCountsReplacedImagesOnce) {  // R-D8
  std::unique_ptr<BlockStore> store = OpenMemoryStore(std::make_shared<MemoryDisc>(), 1000);
  TestControlPoint two;
  two.Add(1, 1, 496);
  two.Add(1, 2, 496);
  ASSERT_TRUE(store->Commit(two.Build()).ok());
  ASSERT_TRUE(store->Commit(two.Build()).ok());
  TestControlPoint third;
  third.Add(1, 3, 496);
  EXPECT_EQ(NumberOf(store->Commit(third.Build()).status()), ErrorNumber::kNoDiscSpace);
  EXPECT_EQ(NumberOf(store->EnsureRoom(1, 496)), ErrorNumber::kNoDiscSpace);
}

}  // namespace
}  // namespace quire
