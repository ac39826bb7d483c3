// R-D10: one session's random mutations over many crashes of its volume, each at any device call.
// What has no answer is sent again; every mutation must be done once and be answered as a std::map
// that applies it once says.
//
// QUIRE_TEST_SEED repeats a run.
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/operations.h"
#include "tests/support/test_random.h"
#include "tests/unit/volume/restart_fixture.h"

namespace quire::test {
namespace {

constexpr int kLives = 60;
constexpr int kKeys = 25;
constexpr size_t kUnderWay = 6;

class AnswersCrashTest : public RestartTest {
 protected:
  struct Mutation {
    OperationKind kind = OperationKind::kWrite;
    std::string bytes;  // key or record
    int32_t number = 0;
  };
  struct Sent {
    uint64_t first_sequence = 0;
    std::vector<Mutation> mutations;
  };

  // Small in everything, so that batches are sealed within requests, segments rotate and control
  // points run at any time.
  void OpenSmall() {
    volume_.Close();
    volume_.options().cache_bytes = 512 << 10;
    volume_.options().dirty_limit_bytes = 128 << 10;
    volume_.options().trail_segment_bytes = 64 << 10;
    volume_.options().trail_limit_bytes = 128 << 10;
    volume_.Open();
  }

  Mutation RandomMutation() {
    const int key = static_cast<int>(random_.Below(kKeys));
    const std::string text(random_.Below(80), 'm');
    const auto found = model_.find(SmallKey(key));
    const bool is_there = found != model_.end();
    const std::string record = SmallRecord(key, StrCat(next_sequence_, text));
    switch (random_.Below(3)) {
      case 0:
        if (!is_there) model_.emplace(SmallKey(key), record);
        return {OperationKind::kWrite, record, is_there ? 10 : 0};
      case 1:
        if (is_there) found->second = record;
        return {OperationKind::kUpdate, record, is_there ? 0 : 11};
      default:
        if (is_there) model_.erase(found);
        return {OperationKind::kDelete, SmallKey(key), is_there ? 0 : 11};
    }
  }

  void AddBatch() {
    Sent& sent = pending_.emplace_back();
    sent.first_sequence = next_sequence_;
    const uint64_t count = random_.OneIn(4) ? random_.Between(100, 600) : random_.Between(1, 9);
    for (uint64_t i = 0; i < count; ++i, ++next_sequence_) {
      sent.mutations.push_back(RandomMutation());
    }
  }

  OperationBatch BatchOf(const Sent& sent) const {
    OperationBatch batch;
    for (const Mutation& mutation : sent.mutations) {
      batch.Add(HasRecord(mutation.kind) ? WithRecord(mutation.kind, mutation.bytes)
                                         : Keyed(mutation.kind, mutation.bytes));
    }
    batch.first_sequence = sent.first_sequence;
    batch.acked_through = acked_;
    return batch;
  }

  // False: the volume is down, and the oldest batch has no answer.
  bool TakeAnswer(const BatchResult& result) {
    const Sent& sent = pending_.front();
    for (const OperationResult& one : result.results) {
      if (Number(one.status) == 66) return false;
    }
    if (result.results.size() != sent.mutations.size()) return false;  // the stream ended
    for (size_t i = 0; i < sent.mutations.size(); ++i) {
      EXPECT_EQ(Number(result.results[i].status), sent.mutations[i].number)
          << "mutation " << sent.first_sequence + i << ": " << result.results[i].status;
    }
    acked_ = sent.first_sequence + sent.mutations.size() - 1;
    if (result.state.has_value()) state_ = result.state;
    pending_.pop_front();
    return true;
  }

  // Until the volume goes down, or some time is over.
  void Live() {
    std::unique_ptr<OpenUser> user = state_.has_value() ? Resume(5, *state_, acked_) : User(5);
    const absl::StatusOr<Opened> opened = user->opened();
    if (Number(opened.status()) == 66) return;
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_TRUE(!state_.has_value() || opened->answers_kept);
    state_ = opened->state;
    size_t taken = 0;
    for (int round = 0; round < 20; ++round) {
      while (pending_.size() < kUnderWay) AddBatch();
      const size_t count = pending_.size();
      for (const Sent& sent : pending_) user->session().SubmitNowait(BatchOf(sent));
      const std::vector<BatchResult> results = user->session().WaitForResults(taken + count);
      for (size_t i = 0; i < count; ++i) {
        if (taken + i >= results.size() || !TakeAnswer(results[taken + i])) return;
      }
      taken += count;
      if (random_.OneIn(5) && !Refresh().ok()) return;
      if (::testing::Test::HasFailure()) return;
    }
  }

  void RunLives() {
    for (int life = 0; life < kLives && !HasFailure(); ++life) {
      SCOPED_TRACE(testing::Message() << "life " << life);
      volume_.medium->CutAtCall(static_cast<int>(random_.Between(1, 40)), random_.Below(1 << 30));
      Live();
      volume_.CrashAndReopen();
    }
    while (!pending_.empty() && !HasFailure()) Live();
    std::vector<std::string> expected;
    for (const auto& [key, record] : model_) expected.push_back(record);
    ScanRequest scan;
    scan.file = Ref(kFile);
    const absl::StatusOr<std::vector<std::string>> found = ScanAll(volume_.volume(), scan);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, expected);
  }

  TestRandom random_;
  std::map<std::string, std::string> model_;
  std::deque<Sent> pending_;
  uint64_t next_sequence_ = 1;
  uint64_t acked_ = 0;
  std::optional<OpenState> state_;
};

TEST_F(AnswersCrashTest, RD10EveryMutationOfAWriteThroughFileIsDoneOnce) {
  OpenSmall();
  MustCreate(kFile, false);
  RunLives();
}

TEST_F(AnswersCrashTest, RD10EveryMutationOfAnAuditedFileIsDoneOnce) {
  OpenSmall();
  CreateRequest create = SmallFile(kFile, true);
  create.attributes.audit = true;
  ASSERT_TRUE(Create(create).ok());
  RunLives();
}

}  // namespace
}  // namespace quire::test
