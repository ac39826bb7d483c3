// Changes that come faster than a control point is written: they go on at the rate of the disc,
// single ones before bulk ones, and nobody waits for the end of the control point.

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <string>
#include <thread>

#include "server/base/clock.h"
#include "server/volume/request.h"
#include "tests/support/operations.h"
#include "tests/unit/volume/gated_fixture.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kThrough[] = "$DATA01.TEST.THRU";
constexpr char kBuffered[] = "$DATA01.TEST.BUF";
constexpr int kSecondMicros = 1000000;

class StoppedClock : public Clock {
 public:
  int64_t WallMicros() const override { return Clock::Real()->WallMicros(); }
  int64_t MonotonicMicros() const override { return now_us; }
  std::atomic<int64_t> now_us{kSecondMicros};
};

// A control point is under way for as long as the gate of the trail is closed, and time stands.
class OutrunTest : public Gated<VolumeTest> {
 protected:
  OutrunTest() {
    VolumeOptions& options = volume_.options();
    options.clock = &clock_;
    options.dirty_limit_bytes = uint64_t{256} << 10;
    options.control_point_interval_ms = 3600 * 1000;
    volume_.Reopen();
    MustCreate(kThrough, false);
    MustCreate(kBuffered, true);
    gate_->Close();
    writer_ = std::thread([this] { EXPECT_TRUE(Write(kThrough, SmallRecord(1)).ok()); });
    gate_->AwaitArrival();
  }
  ~OutrunTest() override {
    gate_->Open();
    writer_.join();
    while (answered_ < sent_) std::this_thread::yield();
    volume_.Close();  // it uses clock_
  }

  int64_t Waits() { return Snapshot().records[0].Value("DIRTY-LIMIT-WAITS"); }
  void Add(OperationBatch& batch) {
    const std::string record = SmallRecord(next_key_++, std::string(90, 'x'));
    batch.Add(WithRecord(OperationKind::kWrite, record));
  }
  // A single write, answered some time.
  void Send() {
    UnaryRequest request;
    request.file = Ref(kBuffered);
    Add(request.operation);
    uint64_t& sequence = sequences_.emplace_back(0);
    ++sent_;
    volume_->Execute(std::move(request), [this, &sequence](absl::StatusOr<BatchResult> result) {
      EXPECT_TRUE(result.ok()) << Describe(result.status());
      if (result.ok()) sequence = result->change_sequence;
      ++answered_;
    });
  }

  // How many batches.
  size_t SendBulkUntilOneWaits(KeptSession& session) {
    size_t batches = 0;
    for (; Waits() == 0; ++batches) {
      OperationBatch batch;
      while (batch.size() < kLeastBulkOperations) Add(batch);
      session.SubmitNowait(std::move(batch));
    }
    return batches;
  }

  StoppedClock clock_;
  std::thread writer_;
  int next_key_ = 0;
  int sent_ = 0;
  std::deque<uint64_t> sequences_;  // of the changes sent, each written before answered_
  std::atomic<int> answered_{0};
};

TEST_F(OutrunTest, TheyGoOnBeforeTheControlPointIsComplete) {
  while (Waits() == 0) Send();
  EXPECT_EQ(answered_, sent_ - 1);
  clock_.now_us += kSecondMicros;
  while (answered_ < sent_) std::this_thread::yield();
  EXPECT_EQ(Snapshot().records[0].Value("CONTROL-POINTS"), 0);
}

// Room comes with time: whoever comes when there is some again stays behind those who wait.
TEST_F(OutrunTest, ChangesAreMadeInTheOrderTheyCameIn) {
  while (Waits() < 20) Send();
  clock_.now_us += 500;  // there is room again, and nobody has been tried again yet
  for (int i = 0; i < 20; ++i) Send();
  clock_.now_us += kSecondMicros;
  while (answered_ < sent_) std::this_thread::yield();
  EXPECT_TRUE(std::is_sorted(sequences_.begin(), sequences_.end()));
}

TEST_F(OutrunTest, TheDirtyLimitHoldsHoweverLateTheControlPointIs) {
  while (Waits() == 0) Send();
  clock_.now_us += 3600 * int64_t{kSecondMicros};
  while (Waits() < 50) Send();
  EXPECT_LT(answered_, sent_);
  EXPECT_EQ(Snapshot().records[0].Value("CONTROL-POINTS"), 0);
}

TEST_F(OutrunTest, ALoadDoesNotHoldUpSingleChanges) {
  KeptSession session(volume_.volume(), OpenRequest{Ref(kBuffered)});
  ASSERT_TRUE(session.opened().ok());
  const size_t batches = SendBulkUntilOneWaits(session);
  EXPECT_TRUE(Write(kBuffered, SmallRecord(9999)).ok());
  EXPECT_EQ(Snapshot().records[0].Value("CONTROL-POINTS"), 0);
  gate_->Open();
  EXPECT_EQ(session.WaitForResults(batches).size(), batches);
  EXPECT_TRUE(session.Close().ok());
}

// Bulk changes that wait were asked for in the old mode and are made in it.
TEST_F(OutrunTest, R_D6_AlterOfTheModeStaysBehindALoadThatWaits) {
  KeptSession session(volume_.volume(), OpenRequest{Ref(kBuffered)});
  ASSERT_TRUE(session.opened().ok());
  const size_t batches = SendBulkUntilOneWaits(session);
  std::promise<bool> altered;
  volume_->Alter(AlterRequest{Ref(kBuffered), /*buffered=*/false, {}, {}},
                 [&](absl::Status status) { altered.set_value(status.ok()); });
  EXPECT_EQ(Waits(), 2) << "the batch and ALTER";
  gate_->Open();
  EXPECT_TRUE(altered.get_future().get());
  EXPECT_EQ(session.WaitForResults(batches).size(), batches);
  EXPECT_TRUE(session.Close().ok());
}

}  // namespace
}  // namespace quire::test
