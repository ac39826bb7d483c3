// What each mode promises, group commit, recovery, the latch (R-D1 … D9).

#include <algorithm>
#include <future>
#include <thread>

#include "tests/unit/volume/gated_fixture.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kThrough[] = "$DATA01.TEST.THRU";
constexpr char kBuffered[] = "$DATA01.TEST.BUF";

TEST_F(VolumeTest, WriteThroughLosesNothingAcknowledged) {
  MustCreate(kThrough, false);
  for (int key = 0; key < 500; ++key) ASSERT_TRUE(Write(kThrough, SmallRecord(key)).ok());
  for (int key = 0; key < 500; key += 3) ASSERT_TRUE(Delete(kThrough, SmallKey(key)).ok());
  const FileInfo before = *Info(kThrough);
  volume_.CrashAndReopen();
  const FileInfo after = *Info(kThrough);
  EXPECT_EQ(after.record_count, before.record_count);
  EXPECT_EQ(after.eof_bytes, before.eof_bytes);
  EXPECT_EQ(after.index_levels, before.index_levels);
  for (int key = 0; key < 500; ++key) {
    EXPECT_EQ(Read(kThrough, SmallKey(key)).ok(), key % 3 != 0) << key;
  }
}

TEST_F(VolumeTest, BufferedLosesAtMostWhatNoControlPointCovered) {  // R-D9
  volume_.options().control_point_interval_ms = 3600 * 1000;
  volume_.Reopen();
  MustCreate(kBuffered, true);
  for (int key = 0; key < 300; ++key) ASSERT_TRUE(Write(kBuffered, SmallRecord(key)).ok());
  ASSERT_TRUE(Refresh().ok());
  for (int key = 300; key < 600; ++key) ASSERT_TRUE(Write(kBuffered, SmallRecord(key)).ok());
  volume_.CrashAndReopen();
  EXPECT_EQ(Info(kBuffered)->record_count, 300U);
  EXPECT_EQ(ScanAll(volume_.volume(), ScanRequest{Ref(kBuffered)})->size(), 300U);
}

TEST_F(VolumeTest, RecoveringTwiceChangesNothingButTheEpoch) {  // R-D3
  MustCreate(kThrough, false);
  for (int key = 0; key < 100; ++key) ASSERT_TRUE(Write(kThrough, SmallRecord(key)).ok());
  volume_.CrashAndReopen();
  const FileInfo once = *Info(kThrough);
  const uint64_t epoch = volume_->epoch();
  volume_.CrashAndReopen();
  const FileInfo twice = *Info(kThrough);
  EXPECT_EQ(twice.record_count, once.record_count);
  EXPECT_EQ(twice.eof_bytes, once.eof_bytes);
  EXPECT_EQ(twice.modified_us, once.modified_us);
  EXPECT_EQ(volume_->epoch(), epoch + 1);
}

TEST_F(VolumeTest, OrderlyEndSavesEverything) {
  MustCreate(kBuffered, true);
  for (int key = 0; key < 300; ++key) ASSERT_TRUE(Write(kBuffered, SmallRecord(key)).ok());
  volume_.Reopen();
  EXPECT_EQ(Info(kBuffered)->record_count, 300U);
}

TEST_F(VolumeTest, TrailIsBoundedAndReused) {
  volume_.options().trail_limit_bytes = 2 << 20;
  volume_.Reopen();
  MustCreate(kThrough, false);
  const std::string text(90, 'x');
  for (int key = 0; key < 4000; ++key) ASSERT_TRUE(Write(kThrough, SmallRecord(key, text)).ok());
  const VolumeSnapshot snapshot = Snapshot();
  EXPECT_GT(snapshot.records[0].Value("CONTROL-POINTS"), 2);
  EXPECT_GT(snapshot.records[0].Value("TRAIL-BYTES"), 8 << 20);
  EXPECT_LT(OpenSimulatedDevice(volume_.medium)->List()->size(), 12U);
  volume_.CrashAndReopen();
  EXPECT_EQ(Info(kThrough)->record_count, 4000U);
}

TEST_F(VolumeTest, FailedTrailWriteLatchesTheVolume) {  // R-D8
  MustCreate(kThrough, false);
  ASSERT_TRUE(Write(kThrough, SmallRecord(1)).ok());
  std::promise<void> latched;
  volume_->OnLatched([&](const absl::Status&) { latched.set_value(); });
  volume_.medium->FailAtWrite(1, MakeError(ErrorNumber::kVolumeDown, "no such device"));
  const absl::Status failed = Write(kThrough, SmallRecord(2));
  EXPECT_EQ(Number(failed), 66);
  EXPECT_EQ(RetryOf(failed), Retry::kOutcomeUnknown);
  latched.get_future().wait();
  EXPECT_FALSE(volume_->Health().ok());
  const absl::Status later = Read(kThrough, SmallKey(1)).status();
  EXPECT_EQ(Number(later), 66);
  EXPECT_EQ(RetryOf(later), Retry::kSafe);
  volume_.CrashAndReopen();
  EXPECT_TRUE(Read(kThrough, SmallKey(1)).ok());
}

TEST_F(VolumeTest, FailedControlPointLatchesExceptForWantOfRoom) {  // R-D8
  MustCreate(kBuffered, true);
  ASSERT_TRUE(Write(kBuffered, SmallRecord(1)).ok());
  volume_.faults->FailAt(StoreCall::kCommit, 1,
                         MakeError(ErrorNumber::kNoDiscSpace, "disc full for a moment"));
  EXPECT_EQ(Number(Refresh().status()), 43);
  EXPECT_TRUE(volume_->Health().ok());
  EXPECT_TRUE(Refresh().ok());
  ASSERT_TRUE(Write(kBuffered, SmallRecord(2)).ok());
  volume_.faults->FailAt(StoreCall::kCommit, 1, MakeError(ErrorNumber::kVolumeDown, "bad disc"));
  EXPECT_EQ(Number(Refresh().status()), 66);
  EXPECT_FALSE(volume_->Health().ok());
  EXPECT_EQ(Number(Write(kBuffered, SmallRecord(3))), 66);
  volume_.CrashAndReopen();
  EXPECT_TRUE(Read(kBuffered, SmallKey(1)).ok());
}

// The trail's writes can be held back by the gate.
class GatedVolumeTest : public Gated<VolumeTest> {
 protected:
  GatedVolumeTest() {
    MustCreate(kThrough, false);
    MustCreate(kBuffered, true);
  }
};

TEST_F(GatedVolumeTest, ReadsWaitForWhatTheySawAndOthersDoNot) {  // R-D7
  ASSERT_TRUE(Write(kBuffered, SmallRecord(1)).ok());
  ASSERT_TRUE(Write(kThrough, SmallRecord(7)).ok());
  MustCreate("$DATA01.TEST.OTHER", false);
  ExpectWhoSawAChangeToWait(kThrough, "$DATA01.TEST.OTHER", kBuffered);
}

TEST_F(GatedVolumeTest, GroupsFormWhileAWriteIsInFlight) {
  const int64_t before = Snapshot().records[0].Value("TRAIL-BATCHES");
  gate_->Close();
  KeptSession session(volume_.volume(), OpenRequest{Ref(kThrough)});
  ASSERT_TRUE(session.opened().ok());
  session.SubmitNowait(OneWrite(SmallRecord(1000)));
  gate_->AwaitArrival();
  for (int key = 0; key < 40; ++key) session.SubmitNowait(OneWrite(SmallRecord(key)));
  gate_->Open();
  EXPECT_EQ(session.WaitForResults(41).size(), 41U);
  const int64_t batches = Snapshot().records[0].Value("TRAIL-BATCHES") - before;
  EXPECT_EQ(batches, 2) << "the first alone, the forty together";
  EXPECT_TRUE(session.Close().ok());
}

TEST_F(GatedVolumeTest, ControlPointWaitsForTheTrailAndBlocksNobody) {  // R-D3, R-D4
  ASSERT_TRUE(Write(kBuffered, SmallRecord(1)).ok());
  gate_->Close();
  std::thread writer([&] { EXPECT_TRUE(Write(kThrough, SmallRecord(1)).ok()); });
  gate_->AwaitArrival();
  const int64_t before = Snapshot().records[0].Value("CONTROL-POINTS");
  std::thread refresher([&] { EXPECT_TRUE(Refresh().ok()); });
  for (int key = 10; key < 200; ++key) ASSERT_TRUE(Write(kBuffered, SmallRecord(key)).ok());
  EXPECT_EQ(Snapshot().records[0].Value("CONTROL-POINTS"), before);
  gate_->Open();
  writer.join();
  refresher.join();
  EXPECT_GT(Snapshot().records[0].Value("CONTROL-POINTS"), before);
}

// Back-pressure: what is executed and not durable is bounded, however much is sent, and nothing is
// refused for it. Who waits is counted, and changes are made in the order they came in.
TEST_F(GatedVolumeTest, RequestsWaitWhileTheTrailsDeviceLags) {
  constexpr int kSent = 4000;
  volume_.options().trail_segment_bytes = uint64_t{64} << 10;  // batches of 32 KiB at most
  volume_.Reopen();
  const auto executed = [&] {
    int64_t requests = 0;
    for (const EntityRecord& record : Snapshot().records) {
      if (record.entity == Entity::kDiskfile) requests += record.Value("REQUESTS");
    }
    return requests;
  };
  ASSERT_TRUE(Write(kThrough, SmallRecord(kSent)).ok());  // makes the open of the single calls
  const int64_t before = executed();
  gate_->Close();
  std::atomic<int> answered = 0;
  std::atomic<int> refused = 0;
  std::vector<uint64_t> changes(kSent, 0);  // change sequence of each, written before `answered`
  const auto send = [&](int key) {
    UnaryRequest request;
    request.file = Ref(kThrough);
    request.operation = OneWrite(SmallRecord(key, std::string(90, 'x')));
    volume_->Execute(std::move(request), [&, key](absl::StatusOr<BatchResult> result) {
      if (!result.ok() || !result->results[0].status.ok()) ++refused;
      if (result.ok()) changes[static_cast<size_t>(key)] = result->change_sequence;
      ++answered;
    });
  };
  std::thread first([&] { send(0); });
  gate_->AwaitArrival();
  for (int key = 1; key < kSent; ++key) send(key);
  EXPECT_EQ(answered, 0);
  EXPECT_LT(executed() - before, kSent / 2)
      << "three batches wait for the device and one is being filled";
  EXPECT_EQ(executed() - before + Snapshot().records[0].Value("TRAIL-WAITS"), kSent);
  EXPECT_TRUE(Write(kBuffered, SmallRecord(1)).ok()) << "files that need no trail are served";
  gate_->Open();
  first.join();
  while (answered < kSent) std::this_thread::yield();
  EXPECT_EQ(refused, 0);
  EXPECT_TRUE(std::is_sorted(changes.begin(), changes.end()));
  EXPECT_GT(Snapshot().records[0].Value("TRAIL-WAIT-TIME"), 0);
  EXPECT_TRUE(Read(kThrough, SmallKey(kSent - 1)).ok());
}

// A change that waits was asked for in the old mode and is made in it.
TEST_F(GatedVolumeTest, R_D6_AlterOfTheModeComesAfterTheChangesThatWait) {
  constexpr int kSent = 4000;
  volume_.options().trail_segment_bytes = uint64_t{64} << 10;
  volume_.Reopen();
  gate_->Close();
  std::atomic<int> answered = 0;
  const auto send = [&](int key) {
    UnaryRequest request;
    request.file = Ref(kThrough);
    request.operation = OneWrite(SmallRecord(key, std::string(90, 'x')));
    volume_->Execute(std::move(request), [&](absl::StatusOr<BatchResult> result) {
      EXPECT_TRUE(result.ok());
      ++answered;
    });
  };
  std::thread first([&] { send(0); });
  gate_->AwaitArrival();
  for (int key = 1; key < kSent; ++key) send(key);
  ASSERT_GT(Snapshot().records[0].Value("TRAIL-WAITS"), 0);
  std::promise<int> answered_before;
  volume_->Alter(AlterRequest{Ref(kThrough), /*buffered=*/true, {}, {}}, [&](absl::Status status) {
    EXPECT_TRUE(status.ok());
    answered_before.set_value(answered);
  });
  gate_->Open();
  first.join();
  EXPECT_EQ(answered_before.get_future().get(), kSent);
}

}  // namespace
}  // namespace quire::test
