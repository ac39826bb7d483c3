// Counters of a volume: what opens and calls move, by how much (R-C3, R-C4, H27).

#include "quire/limits.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";

EntityRecord OpenOf(const VolumeSnapshot& snapshot, uint64_t open_id) {
  for (const EntityRecord& record : snapshot.records) {
    if (record.entity == Entity::kDiscopen && record.open_id == open_id) return record;
  }
  return {};
}

TEST_F(VolumeTest, AnOpenCountsThreeRequestsBesideItsCalls) {  // R-C3
  MustCreate(kFile, false);
  OpenRequest open{Ref(kFile)};
  open.file.open_id = 7;
  KeptSession session(volume_.volume(), open);
  for (int key = 0; key < 10; ++key) session.Submit(OneWrite(SmallRecord(key)));
  EXPECT_EQ(OpenOf(Snapshot(), 7).Value("REQUESTS"), 12);
  ScanRequest scan{Ref(kFile)};
  scan.file.open_id = 7;
  ASSERT_TRUE(ScanAll(volume_.volume(), scan).ok());
  EXPECT_EQ(OpenOf(Snapshot(), 7).Value("REQUESTS"), 13) << "one per chunk";
  EXPECT_TRUE(session.Close().ok());
  const EntityRecord closed = OpenOf(Snapshot(), 7);  // R-C4: closed opens stay
  EXPECT_EQ(closed.Value("REQUESTS"), 14);
  EXPECT_GT(closed.closed_us, 0);
  EXPECT_EQ(closed.opener, "test");
}

TEST_F(VolumeTest, SumsOfOpensAreTheFileAndIdentitiesHold) {
  MustCreate(kFile, true);
  for (int key = 0; key < 200; ++key) ASSERT_TRUE(Write(kFile, SmallRecord(key)).ok());
  for (int key = 0; key < 200; key += 2) ASSERT_TRUE(Delete(kFile, SmallKey(key)).ok());
  ASSERT_TRUE(ScanAll(volume_.volume(), ScanRequest{Ref(kFile)}).ok());
  const VolumeSnapshot snapshot = Snapshot();
  int64_t requests = 0;
  for (const EntityRecord& record : snapshot.records) {
    if (record.entity == Entity::kProcess) continue;
    const char* hits = record.entity == Entity::kDiskfile ? "CACHE-READ-HITS" : "CACHE-HITS";
    EXPECT_EQ(record.Value("DRIVER-INPUT-CALLS"),
              record.Value(hits) + record.Value("CACHE-READ-MISSES"));
    EXPECT_EQ(record.Value("DRIVER-OUTPUT-CALLS"), record.Value("CACHE-WRITE-HITS") +
                                                       record.Value("CACHE-WRITE-CLEANS") +
                                                       record.Value("CACHE-WRITE-MISSES"));
    if (record.entity == Entity::kDiscopen) requests += record.Value("REQUESTS");
    if (record.entity == Entity::kDiskfile) requests -= record.Value("REQUESTS");
  }
  EXPECT_EQ(requests, 0);
}

TEST_F(VolumeTest, WindowOverARestartIsRefused) {  // R-C4
  const MeasureSnapshot before{{Snapshot()}};
  volume_.Reopen();
  const absl::StatusOr<MeasureSnapshot> window = Difference(before, MeasureSnapshot{{Snapshot()}});
  EXPECT_EQ(Number(window.status()), 22);
}

TEST_F(VolumeTest, OnlyTheLastClosedOpensAreKept) {  // R-C4
  MustCreate(kFile, false);
  for (uint32_t i = 0; i < kClosedOpensKept + 5; ++i) {
    KeptSession session(volume_.volume(), OpenRequest{Ref(kFile)});
    ASSERT_TRUE(session.Close().ok());
  }
  int kept = 0;
  for (const EntityRecord& record : Snapshot().records) {
    kept += record.entity == Entity::kDiscopen ? 1 : 0;
  }
  EXPECT_EQ(kept, static_cast<int>(kClosedOpensKept));
}

TEST_F(VolumeTest, ProcessFiguresComeFromTheKernel) {
  const VolumeSnapshot snapshot = Snapshot();
  const EntityRecord& process = snapshot.records.at(1);
  ASSERT_EQ(process.entity, Entity::kProcess);
  EXPECT_GT(process.Value("CPU-BUSY-TIME"), 0);
  EXPECT_GT(process.Value("DISPATCHES"), 0);
  EXPECT_GE(process.Value("READY-TIME"), process.Value("CPU-BUSY-TIME"));
}

}  // namespace
}  // namespace quire::test
