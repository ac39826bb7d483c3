#include "client/bench/scale/partitions_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

using testing::HasSubstr;

PartitionsFigures Figures(uint32_t in_flight, double seconds_of_many) {
  PartitionsFigures figures;
  figures.clients = 8;
  figures.in_flight = in_flight;
  figures.partitions = 11;
  figures.one = {
      {.records = 1000, .elapsed_s = 1, .syncs = 250, .sync_us = 100, .server_cpu_s = 0.1}};
  figures.many = {{.records = 1000,
                   .elapsed_s = seconds_of_many,
                   .syncs = 1000,
                   .sync_us = 200,
                   .server_cpu_s = 0.2}};
  return figures;
}

TEST(PartitionsPageTest, GoalsGoByRequestsInFlight) {
  EXPECT_TRUE(PartitionsPage({Figures(1, 2.2), Figures(64, 1.2)}, "").GoalsMet());
  EXPECT_FALSE(PartitionsPage({Figures(1, 2.3)}, "").GoalsMet());
  EXPECT_FALSE(PartitionsPage({Figures(64, 1.3)}, "").GoalsMet());
  EXPECT_TRUE(PartitionsPage({Figures(5, 9)}, "").goals().empty());
}

TEST(PartitionsPageTest, ShowsSyncsAndWhatSeparateDiscsWouldGive) {
  // JSON has its paragraphs whole.
  const std::string text = RenderPageJson(PartitionsPage({Figures(1, 2)}, ""));
  EXPECT_THAT(text, HasSubstr("records per sync"));
  // 4 records a sync on one partition, 1 on eleven; 500 syncs/s of them all.
  EXPECT_THAT(text, HasSubstr("makes 250 syncs/s of 4.00"));
  EXPECT_THAT(text, HasSubstr("make 500 of 1.00"));
  // Eight requests at a time, 100 us each.
  EXPECT_THAT(text, HasSubstr("80,000"));
}

}  // namespace
}  // namespace bench
}  // namespace quire
