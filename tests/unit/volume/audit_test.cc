// The AUDIT attribute: redo records before the reply, buffered blocks, exact replay (R-D1, D7,
// D15).

#include <future>
#include <map>
#include <utility>
#include <vector>

#include "server/volume/redo_record.h"
#include "tests/support/operations.h"
#include "tests/support/test_random.h"
#include "tests/unit/volume/gated_device.h"
#include "tests/unit/volume/stored_state.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kAudited[] = "$DATA01.TEST.AUD";
constexpr char kThrough[] = "$DATA01.TEST.THRU";
constexpr FileId kAuditedId = 1;

class AuditTest : public VolumeTest {
 protected:
  AuditTest() {
    volume_.options().clock = &clock_;
    volume_.options().control_point_interval_ms = 3600 * 1000;
    volume_.Reopen();
    CreateRequest create = SmallFile(kAudited, FileMode::kAudit);
    create.create_id = 7;
    const absl::StatusOr<FileInfo> info = Create(create);
    EXPECT_TRUE(info.ok()) << Describe(info.status());
  }
  ~AuditTest() override { volume_.Close(); }  // before the clock goes

  static OperationBatch WriteBatch(int key, uint64_t sequence) {
    OperationBatch batch;
    const std::string record = SmallRecord(key);
    batch.Add(WithRecord(OperationKind::kWrite, record));
    batch.first_sequence = sequence;
    return batch;
  }
  absl::Status WriteAs(uint64_t client_id, int key, uint64_t sequence) {
    FileReference file = Ref(kAudited);
    file.client_id = client_id;
    const absl::StatusOr<BatchResult> result = Await<BatchResult>([&](Done<BatchResult> done) {
      volume_->Execute(UnaryRequest{file, WriteBatch(key, sequence)}, std::move(done));
    });
    return result.ok() ? result->results.at(0).status : result.status();
  }
  // Counters of the one file that has any.
  int64_t Disc(const std::string& counter) { return Snapshot().records[0].Value(counter); }

  WallClock clock_;
};

TEST_F(AuditTest, R_D1_AuditTurnsBufferedOnAndLosesNothingAcknowledged) {
  const FileInfo made = *Info(kAudited);
  EXPECT_TRUE(made.attributes.audit);
  EXPECT_TRUE(made.attributes.buffered);
  for (int key = 0; key < 500; ++key) ASSERT_TRUE(Write(kAudited, SmallRecord(key)).ok());
  for (int key = 0; key < 500; key += 3) ASSERT_TRUE(Delete(kAudited, SmallKey(key)).ok());
  for (int key = 1; key < 500; key += 3) {
    ASSERT_TRUE(Update(kAudited, SmallRecord(key, "changed")).ok());
  }
  EXPECT_EQ(Disc("CONTROL-POINTS"), 0);  // dirty audited blocks need none
  const FileInfo before = *Info(kAudited);
  volume_.CrashAndReopen();
  const FileInfo after = *Info(kAudited);
  EXPECT_EQ(after.record_count, before.record_count);
  EXPECT_EQ(after.eof_bytes, before.eof_bytes);
  EXPECT_EQ(after.index_levels, before.index_levels);
  EXPECT_EQ(after.modified_us, before.modified_us);
  for (int key = 0; key < 500; ++key) {
    const absl::StatusOr<std::string> record = Read(kAudited, SmallKey(key));
    if (key % 3 == 0) {
      EXPECT_EQ(Number(record.status()), 11) << key;
    } else {
      EXPECT_EQ(record.value_or(""), SmallRecord(key, key % 3 == 1 ? "changed" : "record"));
    }
  }
}

TEST_F(AuditTest, R_D1_TheTrailHoldsRedoRecordsNoImagesAndNoState) {
  MustCreate(kThrough, false);
  for (int key = 0; key < 40; ++key) ASSERT_TRUE(Write(kAudited, SmallRecord(key)).ok());
  EXPECT_EQ(Number(Write(kAudited, SmallRecord(1))), 10);  // refused: nothing to do again
  ASSERT_TRUE(Write(kThrough, SmallRecord(1)).ok());
  volume_.Crash();
  std::map<TrailRecordKind, int> kinds;
  for (const StoredRecord& record : ReadStoredTrail(volume_)) {
    if (record.file != kAuditedId || record.kind == TrailRecordKind::kCommand) continue;
    ++kinds[record.kind];
    EXPECT_EQ(record.payload.size(), kRedoHeaderBytes + SmallRecord(0).size());
  }
  EXPECT_EQ(kinds, (std::map<TrailRecordKind, int>{{TrailRecordKind::kRedo, 40}}));
  volume_.Open();
}

TEST_F(AuditTest, R_D10_ARedoRecordNamesWhoMayRepeatIt) {
  OpenRequest request{Ref(kAudited)};
  KeptSession repeats(volume_.volume(), request);
  request.sync_depth = 0;
  KeptSession depth_zero(volume_.volume(), request);
  const uint64_t open_id = repeats.opened()->open_id;
  ASSERT_TRUE(depth_zero.opened().ok());
  ASSERT_TRUE(repeats.Submit(WriteBatch(1, 5)).results.at(0).status.ok());
  ASSERT_TRUE(depth_zero.Submit(WriteBatch(2, 6)).results.at(0).status.ok());
  ASSERT_TRUE(WriteAs(99, 3, 7).ok());
  ASSERT_TRUE(WriteAs(0, 4, 8).ok());
  volume_.Crash();
  using Name = std::pair<OpenKey, uint64_t>;
  std::map<std::string, Name> named;
  for (const StoredRecord& record : ReadStoredTrail(volume_)) {
    if (record.kind != TrailRecordKind::kRedo) continue;
    const absl::StatusOr<RedoRecord> redo = DecodeRedo(record.payload);
    ASSERT_TRUE(redo.ok());
    EXPECT_EQ(redo->time_us, clock_.wall_us);
    named[std::string(redo->operation.record)] = {redo->open, redo->sequence};
  }
  EXPECT_EQ(named.at(SmallRecord(1)), Name(OpenKey{open_id, false}, 5));
  EXPECT_EQ(named.at(SmallRecord(2)), Name(OpenKey{}, 0));
  EXPECT_EQ(named.at(SmallRecord(3)), Name(OpenKey{99, true}, 7));
  EXPECT_EQ(named.at(SmallRecord(4)), Name(OpenKey{}, 0));
  volume_.Open();
}

TEST_F(AuditTest, R_D11_SessionsAndLoadsAreRedone) {
  {
    KeptSession session(volume_.volume(), OpenRequest{Ref(kAudited)});
    ASSERT_TRUE(session.opened().ok());
    OperationBatch batch;
    const std::string record = SmallRecord(1);
    const std::string other = SmallRecord(2);
    const std::string changed = SmallRecord(1, "changed");
    batch.Add(WithRecord(OperationKind::kWrite, record));
    batch.Add(WithRecord(OperationKind::kWrite, other));
    batch.Add(Keyed(OperationKind::kReadNext));
    batch.Add(WithRecord(OperationKind::kWriteUpdate, changed));
    batch.Add(Keyed(OperationKind::kReadNext));
    batch.Add(Keyed(OperationKind::kDeleteCurrent));
    batch.first_sequence = 1;
    for (const OperationResult& result : session.Submit(batch).results) {
      EXPECT_TRUE(result.status.ok()) << Describe(result.status);
    }
  }
  const std::unique_ptr<LoadStream> load = volume_->Load(LoadRequest{Ref(kAudited)});
  RecordChunk chunk;
  for (int key = 10; key < 400; ++key) {
    chunk.data += SmallRecord(key);
    chunk.lengths.push_back(static_cast<uint32_t>(SmallRecord(key).size()));
  }
  const absl::StatusOr<LoadAnswer> loaded = Await<LoadAnswer>(
      [&](Done<LoadAnswer> done) { load->Send(std::move(chunk), std::move(done)); });
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->accepted, 390U);
  volume_.CrashAndReopen();
  EXPECT_EQ(*Read(kAudited, SmallKey(1)), SmallRecord(1, "changed"));
  EXPECT_EQ(Number(Read(kAudited, SmallKey(2)).status()), 11);
  EXPECT_EQ(Info(kAudited)->record_count, 391U);
}

}  // namespace
}  // namespace quire::test
