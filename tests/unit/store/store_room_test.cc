#include "server/store/store_room.h"

#include <vector>

#include "gtest/gtest.h"

namespace quire {
namespace {

StoreShape Shape(uint64_t map_pages, uint64_t used_pages) {
  StoreShape shape;
  shape.map_pages = map_pages;
  shape.used_pages = used_pages;
  return shape;
}

TEST(FreePagesTest, CountsPagesAndRuns) {
  FreePages free;
  // LMDB's order: descending. Runs of 9, 1, 17.
  std::vector<uint64_t> numbers;
  for (uint64_t page = 108; page >= 100; --page) numbers.push_back(page);
  numbers.push_back(50);
  for (uint64_t page = 40; page >= 24; --page) numbers.push_back(page);
  free.Add(numbers);
  EXPECT_EQ(free.pages, 27U);
  EXPECT_EQ(free.large_runs, 3U);
  EXPECT_EQ(free.longest_run, 17U);
  free.Add({});
  free.Add({7});
  EXPECT_EQ(free.pages, 28U);
}

TEST(StoreRoomTest, NeedCoversEveryImage) {  // R-D8
  const StoreShape empty = Shape(1 << 20, 10);
  EXPECT_GE(PagesOfControlPoint(empty, 1000, 1000 * 4080).pages, 1000U);
  EXPECT_GE(PagesOfControlPoint(empty, 1000, 1000 * uint64_t{32752}).pages, 8000U);
  EXPECT_GE(PagesOfControlPoint(empty, 1000, 1000 * 2032).pages, 1000U);
  // One large image among many small ones.
  EXPECT_GE(PagesOfControlPoint(empty, 1001, 1000 * 496 + 32752).pages, 1008U);
}

TEST(StoreRoomTest, NeedGrowsWithBlocksBytesAndTree) {  // R-D8
  StoreShape shape = Shape(1 << 20, 10);
  uint64_t before = 0;
  for (uint64_t blocks = 0; blocks < 5000; blocks += 100) {
    const uint64_t pages = PagesOfControlPoint(shape, blocks, blocks * 4080).pages;
    EXPECT_GT(pages, before);
    before = pages;
  }
  const uint64_t small_tree = PagesOfControlPoint(shape, 1000, 1000 * 4080).pages;
  shape.leaf_pages = 5000;
  shape.branch_pages = 50;
  EXPECT_GT(PagesOfControlPoint(shape, 1000, 1000 * 4080).pages, small_tree);
}

TEST(StoreRoomTest, ReserveIsAnEighthOfASmallMap) {  // R-D8
  EXPECT_EQ(ReservePages(Shape(800, 0)), 100U);
  EXPECT_EQ(ReservePages(Shape(1 << 20, 0)), 1024U);
}

TEST(StoreRoomTest, FreedPagesHelpOnlyWhereTheyFit) {  // R-D8
  StoreShape shape = Shape(10000, 9000);
  PageNeed need;
  need.pages = 500;
  need.free_list = 5;
  EXPECT_FALSE(Fits(shape, need));  // the reserve is 1024
  shape.free.pages = 600;
  shape.free.longest_run = 1;
  EXPECT_TRUE(Fits(shape, need));
  need.large_runs = 10;  // single pages are no help to large images
  EXPECT_FALSE(Fits(shape, need));
  shape.free.large_runs = 600;
  EXPECT_TRUE(Fits(shape, need));
  shape.used_pages = 9999;
  need.large_runs = 0;
  shape.free.pages = 2000;
  EXPECT_FALSE(Fits(shape, need));  // no five pages side by side
  shape.free.longest_run = 10;
  EXPECT_TRUE(Fits(shape, need));
  shape.used_pages = 20000;  // reopened with a smaller capacity
  EXPECT_TRUE(Fits(shape, need));
}

}  // namespace
}  // namespace quire
