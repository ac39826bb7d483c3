// Saved answers over a crash of the volume (R-D10).
#include "server/volume/recovered_answers.h"

#include "server/volume/answer_table.h"
#include "tests/unit/volume/restart_fixture.h"

namespace quire::test {
namespace {

using K = OperationKind;
using testing::ElementsAre;

class RecoveredAnswersTest : public RestartTest {
 protected:
  // Five mutations of which two are refused, and what they are answered.
  static std::vector<std::string> Mutate(OpenUser& user) {
    const std::string record = SmallRecord(25);
    const std::string missing = SmallKey(99);
    const std::string first = SmallKey(10);
    return {user.Do(WithRecord(K::kWrite, record)), user.Do(WithRecord(K::kWrite, record)),
            user.Do(Keyed(K::kDelete, missing)), user.Do(Keyed(K::kDelete, first)),
            user.Do(WithRecord(K::kUpdate, record))};
  }
  // An open with these done.
  std::unique_ptr<OpenUser> MutatingUser() {
    auto user = User(5);
    start_ = user->opened()->state;
    EXPECT_THAT(Mutate(*user), ElementsAre("0", "10", "11", "0", "0"));
    return user;
  }
  // They are answered as before though each would be answered otherwise now.
  void ExpectRepeated(OpenUser& user) {
    ASSERT_TRUE(user.opened().ok()) << user.opened().status();
    EXPECT_TRUE(user.opened()->answers_kept);
    ASSERT_TRUE(Delete(kFile, SmallKey(25)).ok());
    ASSERT_TRUE(Write(kFile, SmallRecord(99)).ok());
    EXPECT_THAT(Mutate(user), ElementsAre("0", "10", "11", "0", "0"));
    EXPECT_EQ(Number(Read(kFile, SmallKey(25)).status()), 11);
    EXPECT_TRUE(Read(kFile, SmallKey(99)).ok());
    const std::string other = SmallRecord(26);
    EXPECT_EQ(user.Do(WithRecord(K::kWrite, other)), "0");  // a new one is done
    EXPECT_TRUE(Read(kFile, SmallKey(26)).ok());
  }

  OpenState start_;  // of that open, when it was made
};

TEST_F(RecoveredAnswersTest, RD10TheTrailTellsThem) {
  OpenQuietly();
  FillFile(2, false);
  auto user = MutatingUser();
  CrashAndReopen(*user);
  ExpectRepeated(*Resume(5, start_, 0));
}

TEST_F(RecoveredAnswersTest, RD10AControlPointKeepsThem) {
  OpenQuietly();
  FillFile(2, false);
  auto user = MutatingUser();
  ASSERT_TRUE(Refresh().ok());
  CrashAndReopen(*user);
  ExpectRepeated(*Resume(5, start_, 0));
}

TEST_F(RecoveredAnswersTest, RD10TheyLastOverRestartsBeforeTheOpenComesBack) {
  OpenQuietly();
  FillFile(2, false);
  auto user = MutatingUser();
  CrashAndReopen(*user);
  volume_.CrashAndReopen();
  ASSERT_TRUE(Refresh().ok());
  volume_.Reopen();
  ExpectRepeated(*Resume(5, start_, 0));
}

TEST_F(RecoveredAnswersTest, RD10AndOverACrashAfterItCameBack) {
  OpenQuietly();
  FillFile(2, false);
  auto user = MutatingUser();
  CrashAndReopen(*user);
  auto again = Resume(5, start_, 0);
  ASSERT_TRUE(again->opened().ok());
  CrashAndReopen(*again);
  ExpectRepeated(*Resume(5, again->opened()->state, 0));
}

TEST_F(RecoveredAnswersTest, RD10AnOrderlyStopKeepsThem) {
  FillFile(2, false);
  auto user = MutatingUser();
  user->session().Drop();
  volume_.Reopen();
  ExpectRepeated(*Resume(5, start_, 0));
}

TEST_F(RecoveredAnswersTest, RD10WhatWasNotDoneIsDoneWhenItIsRepeated) {
  OpenQuietly();
  FillFile(2, false);
  auto user = User(5);
  CrashAndReopen(*user);
  auto again = Resume(5, user->opened()->state, 0);
  EXPECT_TRUE(again->opened()->answers_kept);
  EXPECT_THAT(Mutate(*again), ElementsAre("0", "10", "11", "0", "0"));
}

TEST_F(RecoveredAnswersTest, RD10AcknowledgedOnesAreNotKept) {
  OpenQuietly();
  FillFile(1, false);
  auto user = User(5);
  const std::string record = SmallRecord(20);
  EXPECT_EQ(user->Do(WithRecord(K::kWrite, record)), "0");
  OperationBatch batch = OneWrite(SmallRecord(30));
  batch.acked_through = 1;
  EXPECT_EQ(user->Answer(user->Start(std::move(batch))), "0");
  CrashAndReopen(*user);
  auto again = Resume(5, user->opened()->state, 0);
  EXPECT_EQ(again->Do(WithRecord(K::kWrite, record)), "22");
}

TEST_F(RecoveredAnswersTest, RD10ABufferedFileKeepsNone) {
  OpenQuietly();
  FillFile(2, true);
  auto user = User(5);
  CrashAndReopen(*user);
  auto again = Resume(5, user->opened()->state, 0);
  ASSERT_TRUE(again->opened().ok());
  EXPECT_FALSE(again->opened()->answers_kept);
}

TEST_F(RecoveredAnswersTest, RD10AFileAlteredToWriteThroughKeepsThemFromThereOn) {
  OpenQuietly();
  FillFile(2, true);
  auto user = MutatingUser();
  AlterRequest alter;
  alter.file = Ref(kFile);
  alter.buffered = false;
  ASSERT_TRUE(Alter(alter).ok());
  CrashAndReopen(*user);
  ExpectRepeated(*Resume(5, start_, 0));
}

TEST_F(RecoveredAnswersTest, RD10SingleCallsAreDoneOnceOverACrash) {
  OpenQuietly();
  FillFile(1, false);
  EXPECT_EQ(WriteAs(9, 1, 20), ErrorNumber::kOk);
  EXPECT_EQ(WriteAs(9, 2, 20), ErrorNumber::kAlreadyExists);
  EXPECT_EQ(WriteAs(9, 3, 30), ErrorNumber::kOk);
  volume_.CrashAndReopen();
  ASSERT_TRUE(Delete(kFile, SmallKey(20)).ok());
  EXPECT_EQ(WriteAs(9, 1, 20), ErrorNumber::kOk);
  EXPECT_EQ(WriteAs(9, 2, 20), ErrorNumber::kAlreadyExists);
  EXPECT_EQ(Number(Read(kFile, SmallKey(20)).status()), 11);
  EXPECT_EQ(WriteAs(8, 3, 30), ErrorNumber::kAlreadyExists);
  EXPECT_EQ(WriteAs(9, 4, 20), ErrorNumber::kOk);
}

// A single call has nobody to be told of lost changes. Repeated, it is done when its change was
// lost, and only then.
TEST_F(RecoveredAnswersTest, RD10SingleCallsOnABufferedFileAreDoneOnce) {
  OpenQuietly();
  FillFile(1, true);
  EXPECT_EQ(WriteAs(9, 1, 20), ErrorNumber::kOk);
  ASSERT_TRUE(Refresh().ok());
  EXPECT_EQ(WriteAs(9, 2, 30), ErrorNumber::kOk);
  volume_.CrashAndReopen();
  EXPECT_EQ(WriteAs(9, 1, 20), ErrorNumber::kOk);
  EXPECT_EQ(WriteAs(9, 2, 30), ErrorNumber::kOk);
  EXPECT_EQ(WriteAs(9, 3, 30), ErrorNumber::kAlreadyExists);
}

TEST_F(RecoveredAnswersTest, AfterTheLeaseTheyAreForgottenAndTheOpenIsToldSo) {
  MovedClock clock;
  volume_.Close();
  volume_.options().clock = &clock;
  volume_.options().control_point_interval_ms = 20;  // and with it the tick that ends leases
  volume_.Open();
  FillFile(2, false);
  auto user = MutatingUser();
  CrashAndReopen(*user);
  ASSERT_TRUE(Read(kFile, SmallKey(20)).ok());
  ASSERT_EQ(ImplicitOpens(), 1U);
  clock.ahead_us += int64_t{volume_.options().lease_ms} * 1000;
  while (ImplicitOpens() > 0) std::this_thread::yield();  // the tick ends it, and those before
  EXPECT_FALSE(Resume(5, start_, 0)->opened()->answers_kept);
  volume_.Close();
  volume_.options().clock = Clock::Real();
  volume_.Open();
  EXPECT_FALSE(Resume(5, start_, 0)->opened()->answers_kept);
}

TEST_F(RecoveredAnswersTest, AnOpenThatRanOutOfItsLeaseDoesNotPassForOneWithoutAnswers) {
  MovedClock clock;
  volume_.Close();
  volume_.options().clock = &clock;
  volume_.options().control_point_interval_ms = 20;
  volume_.Open();
  FillFile(2, false);
  auto user = MutatingUser();
  user->session().Drop();
  clock.ahead_us += int64_t{volume_.options().lease_ms} * 1000;
  while (Number(Resume(5, start_, 0)->opened().status()) != 60) {
    clock.ahead_us += int64_t{volume_.options().lease_ms} * 1000;
  }
  volume_.Close();
  volume_.options().clock = Clock::Real();
  volume_.Open();
  EXPECT_FALSE(Resume(5, start_, 0)->opened()->answers_kept);
}

// The answers of reads are not in the trail: what a read found before a change of its open cannot
// be told again, and nothing is changed by a position that is not sure.
TEST_F(RecoveredAnswersTest, RD10ReadsBeforeChangesThatAreDoneAreRefused) {
  OpenQuietly();
  FillFile(4, false);
  auto user = User(5);
  const OpenState start = user->opened()->state;
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  EXPECT_EQ(user->Do(Keyed(K::kDeleteCurrent)), "0");
  CrashAndReopen(*user);
  auto again = Resume(5, start, 0);
  EXPECT_EQ(again->ReadNext(), "31");
  EXPECT_EQ(again->Do(Keyed(K::kDeleteCurrent)), "0");
  EXPECT_EQ(again->ReadNext(), "0 " + SmallRecord(20));
  EXPECT_EQ(again->Do(Keyed(K::kDeleteCurrent)), "31");
}

TEST(RecoveredAnswers, PurgeForgetsThoseOfTheFile) {
  RecoveredAnswers recovered;
  recovered.AddDone(1, {7, false}, 3);
  recovered.AddDone(2, {7, false}, 3);
  recovered.AddDone(2, {7, true}, 0);   // not numbered
  recovered.AddDone(2, {0, false}, 3);  // nobody's
  recovered.DropFile(1);
  EXPECT_EQ(recovered.entries().size(), 1U);
  EXPECT_FALSE(recovered.Take(1, {7, false}).has_value());
  EXPECT_TRUE(recovered.Take(2, {7, false})->answers.Find(3).has_value());
  EXPECT_TRUE(recovered.empty());
}

TEST(AnswerTable, RoundTripsAndRefusesEveryTruncation) {
  RecoveredAnswers recovered;
  recovered.RaiseFloor(6);
  AnswerRecord record{.open = {7, false}, .acked_through = 2, .runs = {{3, 9}}, .others = {}};
  record.others.push_back({11, MakeError(ErrorNumber::kAlreadyExists, "the key exists")});
  recovered.Add(4, record, 3);
  recovered.AddDone(5, {8, true}, 1);
  const std::string bytes = EncodeAnswerTable(OpenTable(), recovered);
  RecoveredAnswers decoded;
  ASSERT_TRUE(DecodeAnswerTable(bytes, &decoded).ok());
  EXPECT_EQ(decoded.floor(), 6U);
  EXPECT_EQ(EncodeAnswerTable(OpenTable(), decoded), bytes);
  const RecoveredAnswers::Entry entry = *decoded.Take(4, {7, false});
  EXPECT_EQ(entry.since, 3U);
  const SavedAnswers& answers = entry.answers;
  EXPECT_EQ(answers.acked_through(), 2U);
  EXPECT_EQ(answers.last_change(), 11U);
  EXPECT_TRUE(answers.Find(9)->status.ok());
  EXPECT_FALSE(answers.Find(10).has_value());
  EXPECT_EQ(NumberOf(answers.Find(11)->status), ErrorNumber::kAlreadyExists);
  for (size_t size = 0; size < bytes.size(); ++size) {
    RecoveredAnswers none;
    EXPECT_EQ(Number(DecodeAnswerTable(bytes.substr(0, size), &none)), 59) << size;
  }
}

}  // namespace
}  // namespace quire::test
