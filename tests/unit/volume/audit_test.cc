// The AUDIT attribute: redo records before the reply, buffered blocks, exact replay (R-D1, D7,
// D15).

#include <atomic>
#include <functional>
#include <map>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "server/volume/redo_record.h"
#include "tests/support/operations.h"
#include "tests/support/test_random.h"
#include "tests/unit/volume/gated_fixture.h"
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
    MakeAudited();
  }
  ~AuditTest() override { volume_.Close(); }  // before the clock goes

  void MakeAudited() {
    CreateRequest create = SmallFile(kAudited, FileMode::kAudit);
    create.create_id = 7;  // the same wherever a test makes it
    const absl::StatusOr<FileInfo> info = Create(create);
    EXPECT_TRUE(info.ok()) << Describe(info.status());
  }
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

// ---- Exact replay ----

// The same calls at the same times, whatever happens to the volume in between.
class ExactTest : public AuditTest {
 protected:
  // `between` runs after every tenth operation.
  void RunHistory(const std::string& name, uint64_t seed, const std::function<void(int)>& between) {
    std::mt19937_64 engine(seed);
    const auto below = [&engine](uint64_t limit) { return engine() % limit; };
    for (int i = 0; i < 3000; ++i) {
      ++clock_.wall_us;
      // Phases that grow and shrink the tree, so that blocks become free and are used again.
      const bool shrinks = i / 500 % 2 == 1;
      const int key = static_cast<int>(below(150));
      const std::string record = SmallRecord(key, std::string(1 + below(90), 'x'));
      const uint64_t dice = below(10);
      if (dice < 2) {
        Update(name, record).IgnoreError();
      } else if ((dice < 8) == shrinks) {
        Delete(name, SmallKey(key)).IgnoreError();
      } else {
        Write(name, record).IgnoreError();
      }
      if (i % 10 == 9) between(i);
    }
  }
};

TEST_F(ExactTest, R_D11_ReplayGivesTheSameBytesAsTheHistoryItself) {
  const uint64_t seed = TestRandom().seed();
  RunHistory(kAudited, seed, [](int) {});
  const FileInfo info = *Info(kAudited);
  EXPECT_GT(info.free_blocks, 0U) << "the history should free blocks";
  volume_.Close();
  const StoredFiles calm = ReadStoredFiles(volume_.disc);

  // The same on a new volume that crashes on the way, with control points here and there.
  volume_.disc = std::make_shared<MemoryDisc>();
  volume_.medium = std::make_shared<SimulatedMedium>();
  clock_.wall_us = WallClock().wall_us;
  volume_.Open();
  MakeAudited();
  uint64_t redone = 0;
  RunHistory(kAudited, seed, [&](int i) {
    EXPECT_TRUE(i % 700 != 9 || Refresh().ok());
    if (i % 410 != 9) return;
    volume_.CrashAndReopen();
    redone += volume_->Recovered().replayed.redone;
  });
  EXPECT_GT(redone, 500U);
  volume_.CrashAndReopen();
  volume_.Close();
  EXPECT_EQ(DifferenceOf(ReadStoredFiles(volume_.disc), calm), "");
  volume_.Open();
}

TEST_F(ExactTest, R_D3_RecoveringTwiceGivesTheSameBytes) {
  RunHistory(kAudited, TestRandom().seed(), [](int) {});
  volume_.Crash();
  volume_.Open();
  EXPECT_GT(volume_->Recovered().replayed.redone, 100U);
  volume_.Crash();
  const StoredFiles once = ReadStoredFiles(volume_.disc);
  volume_.Open();
  EXPECT_EQ(volume_->Recovered().replayed.records, 0U);
  volume_.Crash();
  EXPECT_EQ(DifferenceOf(ReadStoredFiles(volume_.disc), once), "");
  EXPECT_FALSE(once.blocks.empty());
  volume_.Open();
}

TEST_F(ExactTest, R_D5_RecoveryFindsRoomInASmallCache) {
  volume_.options().cache_bytes = 128 << 10;
  volume_.Reopen();
  int control_points = 0;
  RunHistory(kAudited, TestRandom().seed(), [&](int i) {
    if (i % 500 != 9) return;
    volume_.CrashAndReopen();
    control_points += static_cast<int>(volume_->Recovered().control_points);
    EXPECT_TRUE(volume_->Recovered().replayed.bad_files.empty());
  });
  EXPECT_GE(control_points, 6);
}

// A batch that changes nearly as many blocks as the cache holds finds them clean at recovery.
TEST_F(AuditTest, R_D5_RecoveryFindsRoomForALargeBatch) {
  volume_.options().cache_bytes = 128 << 10;
  volume_.Reopen();
  const std::string text(90, 'x');
  for (int key = 0; key < 2000; key += 2) {
    ASSERT_TRUE(Write(kAudited, SmallRecord(key, text)).ok());
  }
  uint64_t accepted = 1000;
  for (int round = 0; round < 5; ++round) {
    const std::unique_ptr<LoadStream> load =
        volume_->Load(LoadRequest{Ref(kAudited), /*continue_on_error=*/true});
    RecordChunk chunk;
    for (int key = 2 * round + 1; key < 2000; key += 20) {
      const std::string record = SmallRecord(key, text);
      chunk.data += record;
      chunk.lengths.push_back(static_cast<uint32_t>(record.size()));
    }
    const absl::StatusOr<LoadAnswer> loaded = Await<LoadAnswer>(
        [&](Done<LoadAnswer> done) { load->Send(std::move(chunk), std::move(done)); });
    ASSERT_TRUE(loaded.ok());
    accepted += loaded->accepted;
  }
  volume_.CrashAndReopen();
  EXPECT_EQ(Info(kAudited)->record_count, accepted);
  EXPECT_GT(accepted, 1200U);
  EXPECT_TRUE(volume_->Recovered().replayed.bad_files.empty());
}

// ---- Counters ----

// DISKFILE of the file: name and value of every counter.
std::map<std::string, int64_t> FileCounters(const VolumeSnapshot& snapshot,
                                            const std::string& name) {
  std::map<std::string, int64_t> values;
  for (const EntityRecord& record : snapshot.records) {
    if (record.entity != Entity::kDiskfile || record.file.ToString() != name) continue;
    for (const CounterValue& counter : record.counters) {
      values[std::string(counter.name)] = counter.value;
    }
  }
  return values;
}

TEST_F(ExactTest, R_C1_AnAuditedFileCountsAsABufferedOne) {
  constexpr char kBuffered[] = "$DATA01.TEST.BUF";
  MustCreate(kBuffered, true);
  const uint64_t seed = TestRandom().seed();
  const auto control_points = [&](int i) { EXPECT_TRUE(i % 1000 != 9 || Refresh().ok()); };
  RunHistory(kAudited, seed, control_points);
  RunHistory(kBuffered, seed, control_points);
  const VolumeSnapshot snapshot = Snapshot();
  const std::map<std::string, int64_t> audited = FileCounters(snapshot, kAudited);
  EXPECT_FALSE(audited.empty());
  EXPECT_EQ(audited, FileCounters(snapshot, kBuffered));
}

// ---- Waiting ----

using GatedAuditTest = Gated<AuditTest>;

TEST_F(GatedAuditTest, R_D7_ReadsOfAnAuditedFileWaitForWhatTheySaw) {
  constexpr char kUnchanged[] = "$DATA01.TEST.OTHER";
  constexpr char kBuffered[] = "$DATA01.TEST.BUF";
  ASSERT_TRUE(Create(SmallFile(kUnchanged, FileMode::kAudit)).ok());
  MustCreate(kBuffered, true);
  ExpectWhoSawAChangeToWait(kAudited, kUnchanged, kBuffered);
}

// ---- Size of batches ----

// A batch of many long records goes into as many trail batches as the segments allow.
TEST_F(AuditTest, R_D2_BatchesStayWithinTheLongestTheTrailTakes) {
  volume_.options().trail_segment_bytes = 64 << 10;
  volume_.Reopen();
  CreateRequest create = SmallFile("$DATA01.TEST.LONG", FileMode::kAudit);
  create.attributes.block_bytes = 32768;
  create.attributes.record_bytes = 27000;
  ASSERT_TRUE(Create(create).ok());
  KeptSession session(volume_.volume(), OpenRequest{Ref("$DATA01.TEST.LONG")});
  ASSERT_TRUE(session.opened().ok());
  OperationBatch batch;
  for (int key = 0; key < 8; ++key) {
    const std::string record = SmallRecord(key, std::string(26000, 'x'));
    batch.Add(WithRecord(OperationKind::kWrite, record));
    const std::string small = SmallRecord(100 + key);
    batch.Add(WithRecord(OperationKind::kWrite, small));
  }
  batch.first_sequence = 1;
  for (const OperationResult& result : session.Submit(batch).results) {
    EXPECT_TRUE(result.status.ok()) << Describe(result.status);
  }
  EXPECT_TRUE(volume_->Health().ok()) << Describe(volume_->Health());
  EXPECT_TRUE(session.Close().ok());
  volume_.CrashAndReopen();
  EXPECT_EQ(Info("$DATA01.TEST.LONG")->record_count, 16U);
}

}  // namespace
}  // namespace quire::test
