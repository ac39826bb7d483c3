// An open of several partitions outlives its streams and its router; operations keep their numbers
// (R-S1, R-S2, R-S3). Listings over partitions.
#include <map>

#include "tests/support/test_random.h"
#include "tests/unit/filesystem/router_client.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using PartitionedResumeTest = RouterClientTest;

// ---- Numbers, breaks, other routers -----------------------------------------------------------

TEST_F(PartitionedResumeTest, R_S2_NumbersAreTheClientsAtEveryVolume) {
  Client client(cluster_, timer_);
  const std::string a = Record("A001");
  const std::string c = Record("C001");
  const std::string d = Record("C002");
  client.Run({WithRecord(OperationKind::kWrite, c), WithRecord(OperationKind::kWrite, a),
              WithRecord(OperationKind::kWrite, d)});
  EXPECT_THAT(cluster_.volume(1).executions(), ElementsAre(std::pair(2, 1)));
  EXPECT_THAT(cluster_.volume(3).executions(), ElementsAre(std::pair(1, 1), std::pair(3, 1)));
}

TEST_F(PartitionedResumeTest, R_S1_OpenGoesOnBehindAnotherRouter) {
  Fill({"A001", "A002", "B001", "C001"});
  Client client(cluster_, timer_);
  EXPECT_THAT(client.Run({Next(), Next()}), ElementsAre(Record("A001"), Record("A002")));
  // Executed at both volumes, but held back: the old router never tells.
  cluster_.volume(2).Hold();
  const std::string a = Record("A009");
  const std::string b = Record("B009");
  client.Submit({WithRecord(OperationKind::kWrite, a), WithRecord(OperationKind::kWrite, b)});
  client.Submit({Next()});
  client.RestartRouter();
  cluster_.volume(2).Release();
  timer_->Advance(kSecond);
  ASSERT_TRUE(client.user().opened.ok()) << client.user().opened.status();
  EXPECT_TRUE(client.user().opened->answers_kept);
  EXPECT_THAT(client.Answers(), ElementsAre(Record("A001"), Record("A002"), "0", "0", a));
  EXPECT_THAT(client.ReadOn(), ElementsAre(Record("B001"), b, Record("C001"), "1"));
  EXPECT_EQ(client.next_sequence() - 1, client.Answers().size());
}

TEST_F(PartitionedResumeTest, R_S3_ResumeWithAVolumeDownIs66AndWithAnExpiredLease60) {
  Client client(cluster_, timer_);
  cluster_.volume(3).SetDown(true);
  client.RestartRouter();
  EXPECT_EQ(Number(client.user().opened), 66);
  cluster_.volume(3).SetDown(false);
  client.RestartRouter();
  EXPECT_TRUE(client.user().opened.ok());
  cluster_.volume(2).BreakSessions(MakeError(ErrorNumber::kPathDown, "lost"));
  cluster_.volume(2).ExpireLeases();
  client.RestartRouter();
  EXPECT_EQ(Number(client.user().opened), 60);
}

TEST_F(PartitionedResumeTest, PartitionThatWasNotOpenStaysSoBehindAnotherRouter) {
  cluster_.volume(2).SetDown(true);
  Client client(cluster_, timer_);
  cluster_.volume(2).SetDown(false);
  EXPECT_EQ(client.user().opened->warning, ErrorNumber::kPartitionFailure);
  client.RestartRouter();
  ASSERT_TRUE(client.user().opened.ok()) << client.user().opened.status();
  EXPECT_EQ(client.user().opened->warning, ErrorNumber::kPartitionFailure);
  EXPECT_EQ(client.Write("B001"), "72");
  EXPECT_EQ(client.Write("C001"), "0");
  EXPECT_EQ(client.Run({Kind(OperationKind::kUnlockFile)}).at(0), "0");
  EXPECT_EQ(client.Run({Kind(OperationKind::kLockFile)}).at(0), "72");
}

TEST_F(PartitionedResumeTest, TokenOfAnotherFileIs22) {
  Client client(cluster_, timer_);
  client.user().state.partitions.pop_back();
  client.RestartRouter();
  EXPECT_EQ(Number(client.user().opened), 22);
}

TEST_F(PartitionedResumeTest, DetachLeavesTheOpenToAnotherRouter) {
  Client client(cluster_, timer_);
  client.Write("A001");
  cluster_.volume(2).Hold();
  const std::string record = Record("B001");
  client.Submit({WithRecord(OperationKind::kWrite, record)});
  client.session().Detach();
  cluster_.volume(2).Release();
  ASSERT_EQ(client.user().closed.size(), 1u);
  EXPECT_EQ(Number(client.user().closed[0]), 66);
  EXPECT_EQ(RetryOf(client.user().closed[0]), Retry::kSafe);
  for (uint32_t i = 1; i <= 4; ++i) EXPECT_TRUE(cluster_.volume(i).detached()) << i;
  client.RestartRouter();
  EXPECT_TRUE(client.user().opened.ok());
  EXPECT_EQ(client.Write("B001"), "10");
}

TEST_F(PartitionedResumeTest, CancelOfWhatWaitsIs40AndOfWhatIsUnderWayIsPassedOn) {
  Fill({"A001"});
  Client client(cluster_, timer_);
  cluster_.volume(3).Hold();
  const std::string record = Record("C001");
  const std::string other = Record("A002");
  client.Submit({WithRecord(OperationKind::kWrite, record)});
  client.Submit({Next()});  // waits for the write
  client.Submit({WithRecord(OperationKind::kWrite, other), Kind(OperationKind::kLockFile)});
  client.session().Cancel(2);
  client.session().Cancel(4);
  client.session().Cancel(1);
  EXPECT_THAT(cluster_.volume(3).cancels(), ElementsAre(1));
  cluster_.volume(3).Release();
  EXPECT_THAT(client.Answers(), ElementsAre("0", "40", "0", "40"));
  EXPECT_EQ(client.Run({Next()}).at(0), Record("A001"));
}

TEST_F(PartitionedResumeTest, CancelOfALockFileTakesItBack) {
  Client client(cluster_, timer_);
  cluster_.volume(2).Hold();
  client.Submit({Kind(OperationKind::kLockFile)});
  client.session().Cancel(1);
  EXPECT_THAT(cluster_.volume(2).cancels(), ElementsAre(1));
  EXPECT_THAT(cluster_.volume(1).cancels(), IsEmpty());
  cluster_.volume(2).Release();
}

// Streams break, volumes are cut off, and the router is thrown away, all at random.
TEST_F(PartitionedResumeTest, R_S2_RandomBreaksAndRoutersNoDuplicateNoneMissing) {
  TestRandom random;
  for (uint32_t i = 1; i <= 4; ++i) {
    cluster_.volume(i).on_batch = [&random] {
      const uint64_t draw = random.Below(10);
      return draw == 0 ? Cut::kLost : draw == 1 ? Cut::kAnswerLost : Cut::kNone;
    };
  }
  for (uint32_t i = 1; i <= 4; ++i) cluster_.volume(i).credits = 64;
  Client client(cluster_, timer_);
  std::map<std::string, std::string> model;
  std::vector<std::string> expected;
  std::string position;
  for (int step = 0; step < 600; ++step) {
    const std::string key =
        StrCat(std::string(1, static_cast<char>('A' + random.Below(4))), 100 + random.Below(30));
    const std::string record = Record(key, StrCat("#", step));
    switch (random.Below(4)) {
      case 0:
        client.Submit({WithRecord(OperationKind::kWrite, record)});
        expected.push_back(model.emplace(key, record).second ? "0" : "10");
        break;
      case 1:
        client.Submit({ByKey(OperationKind::kDelete, key)});
        expected.push_back(model.erase(key) > 0 ? "0" : "11");
        break;
      case 2:
        client.Submit({SetTo(key)});
        position = key;
        expected.push_back("0");
        // The first at the position, then the one behind it.
        client.Submit({Next()});
        expected.push_back("1");
        if (const auto found = model.lower_bound(position); found != model.end()) {
          expected.back() = found->second;
        }
        break;
      default:
        client.Submit(
            {WithRecord(OperationKind::kUpdate, record), ByKey(OperationKind::kRead, key)});
        if (model.contains(key)) {
          model[key] = record;
          expected.insert(expected.end(), {"0", record});
        } else {
          expected.insert(expected.end(), {"11", "11"});
        }
    }
    if (random.OneIn(25)) client.RestartRouter();
    if (step % 16 == 15 || random.OneIn(3)) {
      timer_->Advance(10 * kSecond);
      client.Ack();
    }
    ASSERT_TRUE(client.user().opened.ok()) << client.user().opened.status();
  }
  timer_->Advance(10 * kSecond);
  EXPECT_EQ(client.Answers(), expected);
  for (uint32_t i = 1; i <= 4; ++i) {
    for (const auto& [sequence, times] : cluster_.volume(i).executions()) {
      EXPECT_EQ(times, 1) << sequence;
    }
  }
}

// ---- Listings ---------------------------------------------------------------------------------

TEST_F(PartitionedResumeTest, LocksOfAllPartitionsInOrderPageByPage) {
  Client client(cluster_, timer_);
  for (const char* key : {"D002", "B002", "D001", "B001", "B003"}) {
    client.Run({ByKey(OperationKind::kLockRecord, key)});
  }
  std::vector<std::string> keys;
  size_t pages = 0;
  ListLocksRequest request;
  request.file.name = PartsName();
  request.page_size = 2;
  do {
    const auto page = Await<absl::StatusOr<ListLocksPage>>(
        [&](auto done) { client.router()->ListLocks(request, std::move(done)); });
    ASSERT_TRUE(page.ok()) << page.status();
    for (const LockInfo& lock : page->locks) keys.push_back(lock.key);
    request.page_token = page->next_page_token;
  } while (!request.page_token.empty() && ++pages < 20);
  EXPECT_THAT(keys, ElementsAre("B001", "B002", "B003", "D001", "D002"));
  cluster_.volume(3).SetDown(true);
  EXPECT_EQ(Number(cluster_.files().ListLocks(PartsName(), false)), 66);
}

TEST_F(PartitionedResumeTest, OpensAreThoseOfThePrimary) {
  Client client(cluster_, timer_);
  const auto opens = cluster_.files().ListOpens(PartsName());
  ASSERT_TRUE(opens.ok()) << opens.status();
  ASSERT_EQ(opens->size(), 1u);
  EXPECT_EQ(opens->at(0).open_id, client.user().opened->open_id);
  EXPECT_EQ(Number(cluster_.files().ListOpens(PartsName().OnVolume("$NONE"))), 14);
  cluster_.volume(1).SetDown(true);
  EXPECT_EQ(Number(cluster_.files().ListOpens(PartsName())), 66);
}

TEST_F(PartitionedResumeTest, ListingsOfUnknownPagesAre22) {
  Client client(cluster_, timer_);
  for (const char* token : {"nonsense", "x:", "4:", "-1:a"}) {
    ListLocksRequest request;
    request.file.name = PartsName();
    request.page_token = token;
    const auto page = Await<absl::StatusOr<ListLocksPage>>(
        [&](auto done) { client.router()->ListLocks(request, std::move(done)); });
    EXPECT_EQ(Number(page), 22) << token;
  }
}

}  // namespace
}  // namespace quire::testing
