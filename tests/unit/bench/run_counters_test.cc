#include "client/bench/run_counters.h"

#include <gtest/gtest.h>

#include "quire/error.h"
#include "tests/unit/bench/fake_file_system.h"

namespace quire {
namespace bench {
namespace {

EntityRecord Record(Entity entity, std::vector<std::pair<std::string, int64_t>> counters) {
  EntityRecord record;
  record.entity = entity;
  record.volume = "$DATA01";
  for (const auto& [name, value] : counters) {
    record.counters.push_back({name, CounterKind::kIncrementing, "#", value});
  }
  return record;
}

MeasureSnapshot Snapshot(uint64_t epoch, int64_t factor) {
  EntityRecord open = Record(Entity::kDiscopen, {{"REQUESTS", 1 * factor},
                                                 {"CACHE-HITS", 2 * factor},
                                                 {"CACHE-WRITE-HITS", 3 * factor},
                                                 {"CACHE-WRITE-CLEANS", 4 * factor},
                                                 {"BLOCK-SPLITS", 5 * factor},
                                                 {"DRIVER-INPUT-CALLS", 6 * factor},
                                                 {"DRIVER-OUTPUT-CALLS", 7 * factor},
                                                 {"CACHE-READ-MISSES", 8 * factor},
                                                 {"CACHE-WRITE-MISSES", 9 * factor}});
  open.open_id = 77;
  EntityRecord other = open;
  other.open_id = 78;
  EntityRecord process = Record(Entity::kProcess, {{"CPU-BUSY-TIME", 1000000 * factor},
                                                   {"DISPATCHES", 11 * factor},
                                                   {"READY-TIME", 2000000 * factor}});
  process.opener = "quire-volume 12";
  const EntityRecord disc = Record(Entity::kDisc, {{"TRAIL-BYTES", 100 * factor},
                                                   {"TRAIL-SYNCS", 10 * factor},
                                                   {"TRAIL-SYNC-TIME", 3000000 * factor},
                                                   {"SYNCS", 13 * factor}});
  return {{{.volume = "$DATA01",
            .epoch = epoch,
            .time_us = factor,
            .records = {open, other, process, disc}}}};
}

TEST(RunCountersTest, TakesTheLoadsOpenAndTheWindow) {
  RunResult run;
  run.transport = "grpc";
  ASSERT_TRUE(FillCounters(Snapshot(1, 1), Snapshot(1, 3), 77, &run).ok());
  EXPECT_EQ(run.open.requests, 2);
  EXPECT_EQ(run.open.cache_hits, 4);
  EXPECT_EQ(run.open.cache_write_hits, 6);
  EXPECT_EQ(run.open.cache_write_cleans, 8);
  EXPECT_EQ(run.open.block_splits, 10);
  EXPECT_EQ(run.open.driver_input_calls, 12);
  EXPECT_EQ(run.open.driver_output_calls, 14);
  EXPECT_EQ(run.open.cache_read_misses, 16);
  EXPECT_EQ(run.open.cache_write_misses, 18);
  EXPECT_EQ(run.disc.trail_bytes, 200);
  EXPECT_EQ(run.syncs(), 46);
  EXPECT_DOUBLE_EQ(run.disc.trail_sync_s, 6);
  EXPECT_DOUBLE_EQ(run.server->cpu_busy_s, 2);
  EXPECT_EQ(run.server->dispatches, 22);
  EXPECT_DOUBLE_EQ(run.server->ready_s, 4);
}

TEST(RunCountersTest, ASharedProcessCountsOnceAndAnEmbeddedOneNotAsServer) {
  MeasureSnapshot start = Snapshot(1, 1);
  MeasureSnapshot end = Snapshot(1, 2);
  for (MeasureSnapshot* snapshot : {&start, &end}) {
    VolumeSnapshot second = snapshot->volumes[0];
    second.volume = "$DATA02";
    for (EntityRecord& record : second.records) record.volume = "$DATA02";
    snapshot->volumes.push_back(second);
  }
  RunResult run;
  run.transport = "router";
  ASSERT_TRUE(FillCounters(start, end, 77, &run).ok());
  EXPECT_EQ(run.open.requests, 2);
  EXPECT_DOUBLE_EQ(run.server->cpu_busy_s, 1);
  RunResult embedded;
  embedded.transport = "embedded";
  ASSERT_TRUE(FillCounters(start, end, 77, &embedded).ok());
  EXPECT_FALSE(embedded.server.has_value());
}

TEST(RunCountersTest, RC4ARestartInBetweenIsRefused) {
  RunResult run;
  EXPECT_EQ(NumberOf(FillCounters(Snapshot(1, 1), Snapshot(2, 2), 77, &run)),
            ErrorNumber::kBadParameter);
}

TEST(RunCountersTest, AnUnknownOpenIsAnError) {
  RunResult run;
  EXPECT_EQ(NumberOf(FillCounters(Snapshot(1, 1), Snapshot(1, 2), 5, &run)), ErrorNumber::kNotOpen);
}

TEST(RunCountersTest, SnapshotsOfSeveralVolumesAreJoined) {
  FakeFileSystem file_system;
  const absl::StatusOr<MeasureSnapshot> all = TakeSnapshot(&file_system, {"$DATA01", "$DATA02"});
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->volumes.size(), 2u);
  EXPECT_EQ(all->volumes[1].volume, "$DATA02");
}

}  // namespace
}  // namespace bench
}  // namespace quire
