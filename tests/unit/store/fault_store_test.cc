#include "server/store/fault_store.h"

#include "gtest/gtest.h"
#include "quire/error.h"
#include "server/store/memory_store.h"
#include "tests/unit/store/store_bodies.h"

namespace quire {
namespace {

class FaultStoreTest : public testing::Test {
 protected:
  absl::Status Write(BlockNumber block) {
    TestControlPoint point;
    point.Add(1, block, 496);
    return store_->Commit(point.Build()).status();
  }

  std::shared_ptr<FaultPlan> plan_ = std::make_shared<FaultPlan>();
  std::unique_ptr<BlockStore> store_ =
      WrapWithFaults(OpenMemoryStore(std::make_shared<MemoryDisc>(), 1 << 20), plan_);
  const absl::Status fault_ = MakeError(ErrorNumber::kVolumeDown, "planned");
};

TEST_F(FaultStoreTest, FailsTheKthCallOnceAndChangesNothing) {
  ASSERT_TRUE(Write(1).ok());
  plan_->FailAt(StoreCall::kCommit, 2, fault_);  // counted from now
  EXPECT_TRUE(Write(2).ok());
  EXPECT_EQ(Write(3), fault_);
  EXPECT_TRUE(Write(4).ok());
  ASSERT_TRUE(store_->RenewSnapshot().ok());
  ExpectBlock(*store_, 1, 2, 496);
  EXPECT_EQ(ReadError(*store_, 1, 3, 496), 59);
  EXPECT_EQ(plan_->Calls(StoreCall::kCommit), 4);
}

TEST_F(FaultStoreTest, EveryKindCanFail) {
  ASSERT_TRUE(Write(1).ok());
  ASSERT_TRUE(store_->RenewSnapshot().ok());
  plan_->FailAt(StoreCall::kReadBlock, 1, fault_);
  plan_->FailAt(StoreCall::kEnsureRoom, 1, fault_);
  plan_->FailAt(StoreCall::kRenewSnapshot, 1, fault_);
  EXPECT_EQ(ReadError(*store_, 1, 1, 496), 66);
  EXPECT_EQ(store_->EnsureRoom(1, 496), fault_);
  EXPECT_EQ(store_->RenewSnapshot(), fault_);
  EXPECT_EQ(ReadError(*store_, 1, 1, 496), 0);
  EXPECT_TRUE(store_->EnsureRoom(1, 496).ok());
  EXPECT_TRUE(store_->RenewSnapshot().ok());
  EXPECT_EQ(plan_->Calls(StoreCall::kReadBlock), 2);
}

TEST_F(FaultStoreTest, SeveralFaultsOfOneKindFallInOrder) {
  plan_->FailAt(StoreCall::kCommit, 1, fault_);
  plan_->FailAt(StoreCall::kCommit, 3, MakeError(ErrorNumber::kNoDiscSpace, "planned"));
  EXPECT_EQ(NumberOf(Write(1)), ErrorNumber::kVolumeDown);
  EXPECT_TRUE(Write(1).ok());
  EXPECT_EQ(NumberOf(Write(1)), ErrorNumber::kNoDiscSpace);
}

}  // namespace
}  // namespace quire
