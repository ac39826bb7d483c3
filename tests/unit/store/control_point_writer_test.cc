#include "server/store/control_point_writer.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/test_directory.h"
#include "tests/unit/store/store_bodies.h"

namespace quire {
namespace {

class ControlPointWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    auto environment = LmdbEnvironment::Open(directory_.path(), kTestCapacityBytes);
    ASSERT_TRUE(environment.ok()) << environment.status();
    environment_ = *std::move(environment);
    ASSERT_EQ(transaction_.Begin(environment_->get(), 0), 0);
  }

  TestDirectory directory_;
  std::unique_ptr<LmdbEnvironment> environment_;
  LmdbTransaction transaction_;
};

TEST_F(ControlPointWriterTest, CountsImageBytes) {
  TestControlPoint point;
  point.Add(1, 1, 4080);
  point.Add(1, 2, 496);
  ControlPointWriter writer(*environment_, transaction_.get());
  EXPECT_EQ(writer.Put(point.Build()), 0);
  EXPECT_EQ(writer.block_bytes(), 4576U);
}

TEST_F(ControlPointWriterTest, PurgeSeesTheBlocksOfItsOwnControlPoint) {  // R-D12
  TestControlPoint point;
  for (BlockNumber block = 0; block < 10; ++block) point.Add(4, block, 496);
  point.point().purge_slices = {{4, 9}};
  ControlPointWriter first(*environment_, transaction_.get());
  EXPECT_EQ(first.Put(point.Build()), 0);
  EXPECT_TRUE(first.result().purged_whole.empty());
  ControlPoint rest;
  rest.purge_slices = {{4, 1}};
  ControlPointWriter second(*environment_, transaction_.get());
  EXPECT_EQ(second.Put(rest), 0);
  EXPECT_THAT(second.result().purged_whole, testing::ElementsAre(4));
}

TEST_F(ControlPointWriterTest, NamesWhatFailed) {
  ControlPoint point;
  point.meta[std::string(600, 'k')] = "longer than a key of LMDB";
  ControlPointWriter writer(*environment_, transaction_.get());
  EXPECT_EQ(writer.Put(point), MDB_BAD_VALSIZE);
  EXPECT_EQ(writer.action(), "write meta values");
}

TEST_F(ControlPointWriterTest, BlockThatComesTwiceStopsTheProcess) {
  TestControlPoint point;
  point.Add(1, 1, 496);
  point.Add(1, 1, 496);
  ControlPointWriter writer(*environment_, transaction_.get());
  const ControlPoint& twice = point.Build();
  EXPECT_DEATH(writer.Put(twice), "invariant broken");
}

}  // namespace
}  // namespace quire
