// Opens that outlive their stream, and operations that are repeated (R-S1, R-S2, R-S3).
#include "tests/unit/volume/access_fixture.h"

namespace quire::test {
namespace {

using K = OperationKind;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(AccessTest, RS1ABrokenOpenIsResumedWithPositionAndLocks) {
  Fill(4);
  auto user = User(5);
  EXPECT_EQ(user->ReadNextLock(), "0 " + SmallRecord(10));
  const BatchResult last = user->Send(Keyed(K::kReadNext));
  ASSERT_TRUE(last.state.has_value());
  EXPECT_EQ(last.state->partitions.at(0).locks, 1U);
  user->session().Drop();
  auto again = Resume(5, *last.state, 2);
  ASSERT_TRUE(again->opened().ok()) << again->opened().status();
  EXPECT_TRUE(again->opened()->answers_kept);
  EXPECT_EQ(again->ReadNext(), "0 " + SmallRecord(30));
  EXPECT_THAT(Locks(), ElementsAre("R G 0010"));
}

TEST_F(AccessTest, RS2ARepeatedMutationIsDoneOnceAndAnsweredAsBefore) {
  Fill(1);
  auto user = User(5);
  const std::string record = SmallRecord(20);
  const std::string missing = SmallKey(99);
  EXPECT_EQ(user->Do(WithRecord(K::kWrite, record)), "0");    // 1
  EXPECT_EQ(user->Do(WithRecord(K::kWrite, record)), "10");   // 2
  EXPECT_EQ(user->Do(Keyed(K::kDelete, missing)), "11");      // 3
  EXPECT_EQ(user->Do(Keyed(K::kDelete, SmallKey(10))), "0");  // 4
  user->session().Drop();
  auto again = Resume(5, user->opened()->state, 0);
  EXPECT_EQ(again->Do(WithRecord(K::kWrite, record)), "0");
  EXPECT_EQ(again->Do(WithRecord(K::kWrite, record)), "10");
  ASSERT_TRUE(Write(kFile, SmallRecord(99)).ok());
  EXPECT_EQ(again->Do(Keyed(K::kDelete, missing)), "11");
  EXPECT_EQ(again->Do(Keyed(K::kDelete, SmallKey(10))), "0");
  EXPECT_EQ(again->Do(Keyed(K::kDelete, missing)), "0");  // 5 is new
  EXPECT_EQ(Number(Read(kFile, SmallKey(99)).status()), 11);
}

TEST_F(AccessTest, RS2ReadsAndDeletesOfOneBatchAreRepeatedTogether) {
  // A consumer takes records off: READ and delete in one batch. The answers were lost; what it took
  // must come again, not the records behind.
  Fill(6);
  auto user = User(5);
  const OpenState start = user->opened()->state;
  const auto take_two = [] {
    OperationBatch batch;
    for (int i = 0; i < 2; ++i) {
      batch.Add(Keyed(K::kReadNext));
      batch.Add(Keyed(K::kDeleteCurrent));
    }
    return batch;
  };
  const auto texts = [](OpenUser& from, size_t place) {
    const BatchResult result = from.session().WaitForResults(place + 1).at(place);
    std::vector<std::string> all;
    for (size_t i = 0; i < result.results.size(); ++i) all.push_back(Text(result, i));
    return all;
  };
  const auto expected = ElementsAre("0 " + SmallRecord(10), "0", "0 " + SmallRecord(20), "0");
  EXPECT_THAT(texts(*user, user->Start(take_two())), expected);
  user->session().Drop();
  auto again = Resume(5, start, 0);
  EXPECT_THAT(texts(*again, again->Start(take_two())), expected);
  EXPECT_EQ(again->ReadNext(), "0 " + SmallRecord(30));
}

TEST_F(AccessTest, RS2AcknowledgedNumbersAreRefused) {
  Fill(1);
  auto user = User(5);
  const std::string record = SmallRecord(20);
  EXPECT_EQ(user->Do(WithRecord(K::kWrite, record)), "0");
  OperationBatch batch = OneWrite(SmallRecord(30));
  batch.acked_through = 1;
  EXPECT_EQ(user->Answer(user->Start(std::move(batch))), "0");
  OperationBatch old = OneWrite(SmallRecord(20));
  old.first_sequence = 1;
  user->session().SubmitNowait(std::move(old));
  EXPECT_EQ(user->Answer(2), "22");
}

TEST_F(AccessTest, RS2WithoutSyncDepthNothingIsKept) {
  Fill(1);
  OpenRequest request;
  request.sync_depth = 0;
  auto user = User(5, request);
  const std::string record = SmallRecord(20);
  EXPECT_EQ(user->Do(WithRecord(K::kWrite, record)), "0");
  user->session().Drop();
  auto again = Resume(5, user->opened()->state, 0);
  EXPECT_EQ(again->Do(WithRecord(K::kWrite, record)), "10");
}

TEST_F(AccessTest, RS2SingleCallsWithClientIdAndSequenceAreDoneOnce) {
  Fill(1);
  const auto write = [&](uint64_t client, uint64_t sequence) {
    UnaryRequest request;
    request.file = Ref(kFile);
    request.file.client_id = client;
    request.operation = OneWrite(SmallRecord(20));
    request.operation.first_sequence = sequence;
    const absl::StatusOr<BatchResult> result = Await<BatchResult>(
        [&](Done<BatchResult> done) { volume_->Execute(std::move(request), std::move(done)); });
    return Number(result.ok() ? result->results.at(0).status : result.status());
  };
  EXPECT_EQ(write(9, 1), 0);
  EXPECT_EQ(write(9, 1), 0);
  EXPECT_EQ(write(9, 2), 10);
  EXPECT_EQ(write(8, 1), 10);
  EXPECT_EQ(write(0, 1), 10);
}

TEST_F(AccessTest, TheStreamThatIsReplacedEndsWith60AndDoesNothingMore) {
  Fill(2);
  auto holder = User(1);
  ASSERT_EQ(holder->Lock(SmallKey(10)), "0");
  auto old = User(5);
  const std::string key = SmallKey(10);
  const size_t waiting = old->Start(Keyed(K::kLockRecord, key));
  const std::string record = SmallRecord(30);
  const size_t behind = old->Start(WithRecord(K::kWrite, record));
  AwaitWaiters(1);
  auto fresh = Resume(5, old->opened()->state, 0);
  ASSERT_TRUE(fresh->opened().ok());
  EXPECT_EQ(old->Answer(waiting), "60");
  EXPECT_EQ(old->Answer(behind), "60");
  EXPECT_EQ(Number(old->session().WaitClosed()), 60);
  EXPECT_EQ(Number(Read(kFile, SmallKey(30)).status()), 11);
  old.reset();
  EXPECT_EQ(fresh->Do(Keyed(K::kRead, SmallKey(20))), "0 " + SmallRecord(20));
}

TEST_F(AccessTest, RS1AfterTheLeaseTheLocksGoAndTheNumberIsRefused) {
  volume_.Close();
  volume_.options().lease_ms = 1;
  volume_.options().control_point_interval_ms = 20;  // and with it the tick that ends leases
  volume_.Open();
  Fill(1);
  auto user = User(5);
  const OpenState state = user->Send(Keyed(K::kLockFile)).state.value();
  auto waiter = User(6);
  const size_t place = waiter->Start(Keyed(K::kReadNext));
  AwaitWaiters(1);
  user->session().Drop();
  EXPECT_EQ(waiter->Answer(place), "0 " + SmallRecord(10));
  EXPECT_THAT(Locks(), IsEmpty());
  EXPECT_EQ(Number(Resume(5, state, 0)->opened().status()), 60);
  FileReference reference = Ref(kFile);
  reference.open_id = 5;
  EXPECT_EQ(Number(RunOne(volume_.volume(), reference, Keyed(K::kRead, SmallKey(10))).status()),
            60);
}

TEST_F(AccessTest, RS3AfterARestartAnOpenWithoutLocksGoesOnAndOneWithLocksGets60) {
  Fill(3);
  auto user = User(5);
  auto locker = User(6);
  const OpenState read = user->Send(Keyed(K::kReadNext)).state.value();
  const OpenState locked = locker->Send(Keyed(K::kLockRecord, SmallKey(10))).state.value();
  user->session().Drop();
  locker->session().Drop();
  volume_.Reopen();
  auto again = Resume(5, read, 1);
  ASSERT_TRUE(again->opened().ok());
  EXPECT_FALSE(again->opened()->answers_kept);
  EXPECT_EQ(again->ReadNext(), "0 " + SmallRecord(20));
  EXPECT_EQ(Number(Resume(6, locked, 1)->opened().status()), 60);
}

TEST_F(AccessTest, AClosedOpenIsNotResumed) {
  Fill(1);
  auto user = User(5);
  const OpenState state = user->opened()->state;
  EXPECT_TRUE(user->session().Close().ok());
  EXPECT_EQ(Number(Resume(5, state, 0)->opened().status()), 16);
  EXPECT_EQ(Number(Resume(99, OpenState(), 0)->opened().status()), 16);
}

TEST_F(AccessTest, DetachLeavesTheOpenForItsLease) {
  Fill(2);
  auto user = User(5);
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  OperationBatch batch;
  batch.Add(Keyed(K::kReadNext));
  const size_t place = user->Start(std::move(batch));
  user->session().Detach();
  EXPECT_EQ(user->Answer(place), "0 " + SmallRecord(20));
  EXPECT_EQ(Number(user->session().WaitClosed()), 66);
  auto again = Resume(5, user->opened()->state, 2);
  EXPECT_TRUE(again->opened()->answers_kept);
}

TEST_F(AccessTest, RS2AReadAndADeleteOfTwoBatchesAreRepeatedTogether) {
  Fill(3);
  auto user = User(5);
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  EXPECT_EQ(user->Do(Keyed(K::kDeleteCurrent)), "0");
  const OpenState start = user->opened()->state;
  user->session().Drop();
  auto again = Resume(5, start, 0);
  EXPECT_EQ(again->ReadNext(), "0 " + SmallRecord(10));
  EXPECT_EQ(again->Do(Keyed(K::kDeleteCurrent)), "0");
  EXPECT_EQ(again->ReadNext(), "0 " + SmallRecord(20));
}

TEST_F(AccessTest, RS5ARepeatedReadFindsWhatItFoundBeforeTheChangesBehindIt) {
  Fill(1);
  auto user = User(5);
  const std::string key = SmallKey(10);
  const std::string missing = SmallKey(20);
  const std::string record = SmallRecord(20);
  const auto run = [&](OpenUser& from) {
    std::vector<std::string> texts;
    texts.push_back(from.Do(Keyed(K::kRead, key)));
    texts.push_back(from.Do(Keyed(K::kRead, missing)));
    // Alone and in one batch with changes.
    OperationBatch batch;
    batch.Add(Keyed(K::kDelete, key));
    batch.Add(Keyed(K::kRead, missing));
    batch.Add(Keyed(K::kRead, key));
    batch.Add(WithRecord(K::kWrite, record));
    const size_t place = from.Start(std::move(batch));
    const BatchResult result = from.session().WaitForResults(place + 1).at(place);
    for (size_t i = 0; i < result.results.size(); ++i) texts.push_back(Text(result, i));
    return texts;
  };
  const auto expected = ElementsAre("0 " + SmallRecord(10), "11", "0", "11", "11", "0");
  EXPECT_THAT(run(*user), expected);
  const OpenState start = user->opened()->state;
  user->session().Drop();
  auto again = Resume(5, start, 0);
  EXPECT_THAT(run(*again), expected);
}

TEST_F(AccessTest, RS5AReadTooLargeToBeKeptIsNotRepeatedBehindAChange) {
  Fill(1);
  ASSERT_TRUE(Update(kFile, SmallRecord(10, std::string(90, 'x'))).ok());
  auto user = User(5);
  const std::string key = SmallKey(10);
  const std::string record = SmallRecord(20);
  OperationBatch reads;
  for (int i = 0; i < 4000; ++i) reads.Add(Keyed(K::kRead, key));
  constexpr size_t kBatches = 12;  // 4,000 records of 94 bytes each: more than is kept
  for (size_t i = 0; i < kBatches; ++i) user->Start(reads);
  EXPECT_EQ(user->Do(WithRecord(K::kWrite, record)), "0");
  const OpenState start = user->opened()->state;
  user->session().Drop();
  auto again = Resume(5, start, 0);
  for (size_t i = 0; i < kBatches; ++i) again->Start(reads);
  EXPECT_EQ(again->Do(WithRecord(K::kWrite, record)), "0");
  const std::vector<BatchResult> results = again->session().WaitForResults(kBatches);
  EXPECT_EQ(Text(results.front(), 0).substr(0, 1), "0");
  EXPECT_EQ(Text(results.at(kBatches - 1), 3999), "31");
}

TEST_F(AccessTest, RecordsKeptForRepeatingAreBounded) {
  Fill(1);
  ASSERT_TRUE(Update(kFile, SmallRecord(10, std::string(90, 'x'))).ok());
  auto user = User(5);
  EXPECT_EQ(user->ReadNext().substr(0, 1), "0");
  OperationBatch reads;
  for (int i = 0; i < 4000; ++i) reads.Add(Keyed(K::kReadUpdate));
  constexpr int kBatches = 12;  // 4,000 records of 94 bytes each: more than is kept
  for (int i = 0; i < kBatches; ++i) {
    const size_t place = user->Start(reads);
    const BatchResult result = user->session().WaitForResults(place + 1).at(place);
    EXPECT_EQ(Text(result, 3999).substr(0, 1), "0");  // reading goes on
  }
  EXPECT_EQ(user->Do(Keyed(K::kDeleteCurrent)), "31");
  OperationBatch erase;
  erase.Add(Keyed(K::kDeleteCurrent));
  erase.acked_through = user->next_sequence() - 1;
  EXPECT_EQ(user->Answer(user->Start(std::move(erase))), "0");
}

}  // namespace
}  // namespace quire::test
