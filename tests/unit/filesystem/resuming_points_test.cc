// Streams that break at every point of a history: no mutation twice, none missing, every answer
// once (R-S2).
#include <algorithm>
#include <atomic>

#include "client/filesystem/credit_gate.h"
#include "tests/support/test_random.h"
#include "tests/unit/filesystem/resuming_fixture.h"

namespace quire::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// Mixed operations in batches of 1 to 3; `step` decides which.
class History {
 public:
  explicit History(uint32_t step) {
    const std::string key = StrCat("A", 100 + step % 7);
    record_ = Record(key, StrCat("#", step));
    key_ = key;
    switch (step % 8) {
      case 0:
      case 1:
        operations = {WithRecord(OperationKind::kWrite, record_)};
        break;
      case 2:
        operations = {SetTo(key_), ByKey(OperationKind::kReadNext, "")};
        break;
      case 3:
        operations = {ByKey(OperationKind::kReadNext, "")};
        break;
      case 4:
        operations = {WithRecord(OperationKind::kUpdate, record_),
                      ByKey(OperationKind::kRead, key_)};
        break;
      case 5:
        operations = {ByKey(OperationKind::kDelete, key_),
                      WithRecord(OperationKind::kWrite, record_),
                      ByKey(OperationKind::kRead, key_)};
        break;
      case 6:
        operations = {ByKey(OperationKind::kReadNext, ""), ByKey(OperationKind::kReadUpdate, "")};
        break;
      default:
        operations = {ByKey(OperationKind::kDeleteCurrent, "")};
        break;
    }
  }

  std::vector<Operation> operations;

 private:
  std::string key_;
  std::string record_;
};

class EveryPointTest : public ResumingSessionTest, public ::testing::WithParamInterface<Cut> {
 protected:
  static constexpr uint32_t kSteps = 40;

  // Runs the history with a cut at every `every`-th batch that arrives; 0: none. Several batches
  // are under way at a time.
  std::vector<std::string> Run(int every) {
    int arrivals = 0;
    volume_->keeps_reads = false;
    volume_->on_batch = [&, every] {
      return every > 0 && ++arrivals % every == 0 ? GetParam() : Cut::kNone;
    };
    Open();
    for (uint32_t step = 0; step < kSteps; ++step) {
      if (step % 5 == 0) {
        timer_->Advance(30 * kSecond);
        acked_through_ = next_sequence_ - 1;
      }
      SubmitAll(History(step).operations);
    }
    timer_->Advance(30 * kSecond);
    session_->Close();
    timer_->Advance(30 * kSecond);
    EXPECT_EQ(user_->openings, 1);
    EXPECT_THAT(user_->closed, ElementsAre(absl::OkStatus()));
    EXPECT_EQ(user_->results.size(), size_t{kSteps});
    return user_->Answers();
  }
};

TEST_P(EveryPointTest, R_S2_NoDuplicateNoneMissingEachAnswerOnce) {
  const std::vector<std::string> uncut = Run(0);
  const std::vector<std::string> keys = volume_->Keys(kFile);
  for (int every = 2; every <= 20; ++every) {
    SCOPED_TRACE(every);
    StartAnew();
    EXPECT_EQ(Run(every), uncut);
    EXPECT_EQ(volume_->Keys(kFile), keys);
    EXPECT_GT(volume_->opens().size(), 1u);
    for (const auto& [sequence, times] : volume_->executions()) EXPECT_EQ(times, 1) << sequence;
  }
}

INSTANTIATE_TEST_SUITE_P(Cuts, EveryPointTest, ::testing::Values(Cut::kLost, Cut::kAnswerLost));

TEST_F(ResumingSessionTest, R_S2_RandomCutsAndRestarts) {
  TestRandom random;
  volume_->on_batch = [&] {
    switch (random.Below(12)) {
      case 0:
        return Cut::kLost;
      case 1:
        return Cut::kAnswerLost;
      case 2:
        return Cut::kRestart;
      default:
        return Cut::kNone;
    }
  };
  Open();
  constexpr uint32_t kWrites = 2000;
  for (uint32_t i = 0; i < kWrites; ++i) {
    Write(StrCat("K", 1000 + i).substr(1));
    if (random.Below(4) == 0) timer_->Advance(30 * kSecond);
    if (next_sequence_ - 1 - user_->results.size() >= 8) timer_->Advance(30 * kSecond);
  }
  timer_->Advance(30 * kSecond);
  ASSERT_EQ(user_->results.size(), size_t{kWrites});
  const auto executed = volume_->executions();
  const std::vector<std::string> keys = volume_->Keys(kFile);
  for (uint32_t i = 0; i < kWrites; ++i) {
    const BatchResult& result = user_->results[i];
    ASSERT_EQ(result.first_sequence, i + 1);
    const int number = Number(result.results.at(0).status);
    const int times = executed.contains(i + 1) ? executed.at(i + 1) : 0;
    if (number == 201) {
      EXPECT_LE(times, 1);
    } else {
      EXPECT_EQ(number, 0);
      EXPECT_EQ(times, 1);
    }
  }
}

// With real threads: a volume that answers on a thread of its own, breaks all the time, and the
// timer's thread. The history is what the sanitizers look at.
TEST_F(ResumingSessionTest, R_S2_BreaksOnOtherThreads) {
  volume_->UseThread();
  TestRandom random;
  std::atomic<int> cuts{0};
  volume_->on_batch = [&] {  // the volume's thread alone
    const uint64_t draw = random.Below(9);
    cuts += draw < 2 ? 1 : 0;
    return draw == 0 ? Cut::kLost : draw == 1 ? Cut::kAnswerLost : Cut::kNone;
  };
  class CountingUser : public SessionUser {
   public:
    void OnResults(BatchResult result) override {
      SessionUser::OnResults(std::move(result));
      credits.Give();
    }
    void OnClosed(absl::Status status) override {
      SessionUser::OnClosed(std::move(status));
      ended.Notify();
    }
    CreditGate credits;
    Notification ended;
  };
  auto user = std::make_shared<CountingUser>();
  user->credits.SetLimit(8);
  user_ = user;
  OpenRequest request;
  request.file.name = PartsName();
  session_ =
      OpenResuming(volume_, request, user_, ResumePolicy{absl::Seconds(30), MakeThreadTimer()});
  for (int i = 0; i < 300; ++i) {
    user->credits.Take();
    Write(StrCat(1000 + i));
  }
  session_->Close();
  user->ended.Wait();
  EXPECT_THAT(user_->closed, ElementsAre(absl::OkStatus()));
  EXPECT_EQ(user_->results.size(), 300u);
  EXPECT_THAT(user_->Answers(), Each("0"));
  EXPECT_GT(cuts, 0);
  for (const auto& [sequence, times] : volume_->executions()) EXPECT_EQ(times, 1) << sequence;
  session_.reset();
}

}  // namespace
}  // namespace quire::testing
