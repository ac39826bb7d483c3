// 122: an open that had acknowledged changes of a BUFFERED file which a crash lost is told once
// (R-D9), and the last close of such a file places them.
#include "server/volume/covered_epochs.h"
#include "tests/unit/volume/restart_fixture.h"

namespace quire::test {
namespace {

using K = OperationKind;

class LostChangesTest : public RestartTest {
 protected:
  void SetUp() override {
    OpenQuietly();
    FillFile(1, true);
  }
  // The state the client has after this write.
  static OpenState WriteKey(OpenUser& user, int key) {
    const std::string record = SmallRecord(key);
    const BatchResult result = user.Send(WithRecord(K::kWrite, record));
    EXPECT_TRUE(result.results.at(0).status.ok());
    EXPECT_TRUE(result.state.has_value());
    return result.state.value_or(OpenState());
  }
  // Resumes the open; its client has the results up to this sequence.
  std::unique_ptr<OpenUser> GoOn(uint64_t id, const OpenState& state, uint64_t through) {
    auto user = Resume(id, state, through);
    user->SetNextSequence(through + 1);
    return user;
  }
};

TEST_F(LostChangesTest, RD9ALostChangeIsToldOnce) {
  auto user = User(5);
  WriteKey(*user, 20);
  ASSERT_TRUE(Refresh().ok());
  WriteKey(*user, 30);
  const OpenState state = WriteKey(*user, 40);
  CrashAndReopen(*user);
  auto again = GoOn(5, state, 3);
  ASSERT_TRUE(again->opened().ok()) << again->opened().status();
  EXPECT_FALSE(again->opened()->answers_kept);
  const std::string record = SmallRecord(50);
  const BatchResult told = again->Send(WithRecord(K::kWrite, record));
  EXPECT_EQ(Number(told.results.at(0).status), 122);
  // FillFile made change 1, the first write 2.
  EXPECT_NE(told.results.at(0).status.message().find("number 3 "), absl::string_view::npos)
      << told.results.at(0).status;
  EXPECT_EQ(Number(Read(kFile, SmallKey(50)).status()), 11);  // not executed
  EXPECT_EQ(again->Do(WithRecord(K::kWrite, record)), "0");
  EXPECT_TRUE(Read(kFile, SmallKey(20)).ok());
  EXPECT_EQ(Number(Read(kFile, SmallKey(30)).status()), 11);
}

TEST_F(LostChangesTest, RD9ARepeatedOperationIsToldItAgain) {
  auto user = User(5);
  const OpenState state = WriteKey(*user, 20);
  CrashAndReopen(*user);
  auto again = GoOn(5, state, 1);
  const std::string key = SmallKey(10);
  EXPECT_EQ(again->Do(Keyed(K::kRead, key)), "122");
  EXPECT_EQ(again->Do(Keyed(K::kRead, key)), "0 " + SmallRecord(10));
  // The stream breaks before the client has these: it goes on with what it knew.
  again->session().Drop();
  auto third = GoOn(5, state, 1);
  EXPECT_EQ(third->Do(Keyed(K::kRead, key)), "122");
  EXPECT_EQ(third->Do(Keyed(K::kRead, key)), "0 " + SmallRecord(10));
}

TEST_F(LostChangesTest, RD9AnotherCrashBeforeItIsToldDoesNotHideIt) {
  auto user = User(5);
  const OpenState state = WriteKey(*user, 20);
  CrashAndReopen(*user);
  auto again = GoOn(5, state, 1);
  ASSERT_TRUE(again->opened().ok());
  CrashAndReopen(*again);
  auto third = GoOn(5, again->opened()->state, 1);
  const BatchResult told = third->Send(Keyed(K::kReadNext));
  EXPECT_EQ(Number(told.results.at(0).status), 122);
  CrashAndReopen(*third);
  EXPECT_EQ(GoOn(5, told.state.value(), 2)->ReadNext(), "0 " + SmallRecord(10));
}

TEST_F(LostChangesTest, RD9NothingIsToldWhenNothingIsLost) {
  const auto next_read = [&](uint64_t id, const OpenState& state) {
    return GoOn(id, state, 1)->Do(Keyed(K::kRead, SmallKey(10)));
  };
  const std::string record = "0 " + SmallRecord(10);
  auto covered = User(5);
  auto reader = User(6);
  auto other = User(7);
  const OpenState written = WriteKey(*covered, 20);
  ASSERT_TRUE(Refresh().ok());
  const OpenState read = reader->Send(Keyed(K::kReadNext)).state.value();
  const OpenState lost = WriteKey(*other, 30);
  covered->session().Drop();
  reader->session().Drop();
  other->session().Drop();
  volume_.CrashAndReopen();
  EXPECT_EQ(next_read(5, written), record);
  EXPECT_EQ(next_read(6, read), record);
  EXPECT_EQ(next_read(7, lost), "122");
}

TEST_F(LostChangesTest, RD9AnOrderlyStopLosesNothing) {
  auto user = User(5);
  const OpenState state = WriteKey(*user, 20);
  user->session().Drop();
  volume_.Reopen();
  volume_.CrashAndReopen();
  EXPECT_EQ(GoOn(5, state, 1)->ReadNext(), "0 " + SmallRecord(10));
}

TEST_F(LostChangesTest, RD9ADurableFileIsNeverTold) {
  MustCreate("$DATA01.TEST.SAFE", false);
  OpenRequest request;
  request.file = Ref("$DATA01.TEST.SAFE");
  request.file.open_id = 8;
  OpenUser user(volume_.volume(), request);
  const std::string record = SmallRecord(20);
  EXPECT_EQ(user.Do(WithRecord(K::kWrite, record)), "0");
  const OpenState state = user.opened()->state;
  EXPECT_EQ(state.partitions.at(0).change_sequence, 0U);
  CrashAndReopen(user);
  request.resume = OpenResume{state, 1};
  EXPECT_EQ(OpenUser(volume_.volume(), request).ReadNext(), "0 " + record);
}

TEST_F(LostChangesTest, RD9AlteredToWriteThroughNothingOfBeforeIsLost) {
  auto user = User(5);
  const OpenState state = WriteKey(*user, 20);
  AlterRequest alter;
  alter.file = Ref(kFile);
  alter.buffered = false;
  ASSERT_TRUE(Alter(alter).ok());
  CrashAndReopen(*user);
  EXPECT_EQ(GoOn(5, state, 1)->ReadNext(), "0 " + SmallRecord(10));
}

TEST_F(LostChangesTest, RD9AnOpenThatLostItsLocksTooEndsWith122) {
  auto user = User(5);
  WriteKey(*user, 20);
  const OpenState state = user->Send(Keyed(K::kLockFile)).state.value();
  CrashAndReopen(*user);
  EXPECT_EQ(Number(Resume(5, state, 0)->opened().status()), 122);
}

TEST_F(LostChangesTest, TheLastCloseOfABufferedFilePlacesItsChanges) {
  auto user = User(5);
  auto other = User(6);
  WriteKey(*user, 20);
  EXPECT_TRUE(user->session().Close().ok());  // not the last
  WriteKey(*other, 30);
  EXPECT_TRUE(other->session().Close().ok());
  volume_.CrashAndReopen();
  EXPECT_TRUE(Read(kFile, SmallKey(20)).ok());
  EXPECT_TRUE(Read(kFile, SmallKey(30)).ok());
}

TEST_F(LostChangesTest, AClosedFileWithoutChangesIsNotFlushed) {
  const auto control_points = [&] {
    int64_t value = -1;
    for (const EntityRecord& record : Snapshot().records) {
      if (record.entity != Entity::kDisc) continue;
      for (const CounterValue& counter : record.counters) {
        if (counter.name == "CONTROL-POINTS") value = counter.value;
      }
    }
    return value;
  };
  const int64_t before = control_points();
  ASSERT_GE(before, 0);
  auto user = User(5);
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  EXPECT_TRUE(user->session().Close().ok());
  EXPECT_EQ(control_points(), before);
}

TEST_F(LostChangesTest, ACloseThatCannotPlaceThemSaysWhy) {
  auto user = User(5);
  WriteKey(*user, 20);
  volume_.faults->FailAt(StoreCall::kCommit, 1, MakeError(ErrorNumber::kNoDiscSpace, "full"));
  EXPECT_EQ(Number(user->session().Close()), 43);
}

TEST(CoveredEpochs, RD9TellsTheFirstLost) {
  CoveredEpochs covered;
  covered.Add(3, 100);
  covered.Add(3, 90);  // a recovery that was repeated
  covered.Add(4, 120);
  EXPECT_EQ(covered.FirstLost({3, 0, 100}, 5), std::nullopt);
  EXPECT_EQ(covered.FirstLost({3, 0, 101}, 5), 101U);
  EXPECT_EQ(covered.FirstLost({4, 0, 150}, 5), 121U);
  EXPECT_EQ(covered.FirstLost({5, 0, 150}, 5), std::nullopt);
  EXPECT_EQ(covered.FirstLost({2, 0, 7}, 5), 7U);  // not known any more
  EXPECT_EQ(covered.FirstLost({2, 0, 0}, 5), std::nullopt);
  EXPECT_EQ(covered.FirstLost({6, 0, 7}, 5), 7U);  // of a volume that was restored
}

TEST(CoveredEpochs, KeepsTheLast256) {
  CoveredEpochs covered;
  for (uint64_t epoch = 1; epoch <= 300; ++epoch) covered.Add(epoch, 1000);
  EXPECT_EQ(covered.FirstLost({44, 0, 900}, 301), 900U);
  EXPECT_EQ(covered.FirstLost({45, 0, 900}, 301), std::nullopt);
}

TEST(CoveredEpochs, RoundTripsAndRefusesDamage) {
  CoveredEpochs covered;
  covered.Add(3, 100);
  covered.Add(4, 120);
  const std::string bytes = covered.Encode();
  const absl::StatusOr<CoveredEpochs> decoded = CoveredEpochs::Decode(bytes);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->Encode(), bytes);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(Number(CoveredEpochs::Decode(bytes.substr(0, size)).status()), 59) << size;
  }
  EXPECT_EQ(Number(CoveredEpochs::Decode(bytes + "x").status()), 59);
}

}  // namespace
}  // namespace quire::test
