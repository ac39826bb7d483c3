// LISTOPENS and LISTLOCKS at a volume.
#include "server/volume/list_opens.h"

#include "tests/unit/volume/access_fixture.h"

namespace quire::test {
namespace {

using K = OperationKind;
using testing::ElementsAre;

class ListOpensTest : public AccessTest {
 protected:
  absl::StatusOr<ListOpensPage> Opens(uint32_t size = 0, const std::string& token = "") {
    ListOpensRequest request;
    request.file = Ref(kFile);
    request.page_size = size;
    request.page_token = token;
    return Await<ListOpensPage>(
        [&](Done<ListOpensPage> done) { volume_->ListOpens(request, std::move(done)); });
  }
  absl::StatusOr<ListLocksPage> LocksPage(uint32_t size, const std::string& token) {
    ListLocksRequest request;
    request.file = Ref(kFile);
    request.page_size = size;
    request.page_token = token;
    return Await<ListLocksPage>(
        [&](Done<ListLocksPage> done) { volume_->ListLocks(request, std::move(done)); });
  }
};

TEST_F(ListOpensTest, ShowsWhoHasTheFileOpenAndHow) {
  Fill(1);
  OpenRequest request;
  request.access = AccessMode::kRead;
  request.exclusion = Exclusion::kProtected;
  request.sync_depth = 3;
  request.lock_mode = 6;
  auto reader = User(5, request);
  OpenRequest reading;
  reading.access = AccessMode::kRead;
  auto gone = User(7, reading);
  gone->session().Drop();
  const absl::StatusOr<ListOpensPage> page = Opens();
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->opens.size(), 3U);  // and the implicit one of Fill
  const OpenInfo& open = page->opens[0];
  EXPECT_EQ(open.open_id, 5U);
  EXPECT_EQ(open.client_name, "test");
  EXPECT_EQ(open.access, AccessMode::kRead);
  EXPECT_EQ(open.exclusion, Exclusion::kProtected);
  EXPECT_EQ(open.sync_depth, 3U);
  EXPECT_EQ(open.lock_mode, 6U);
  EXPECT_EQ(open.owner_group, 10U);
  EXPECT_GT(open.opened_us, 0);
  EXPECT_FALSE(open.detached);
  EXPECT_TRUE(page->opens[1].detached);
  EXPECT_TRUE(page->opens[2].implicit);
  // A file that somebody may come back to is in use.
  EXPECT_TRUE(reader->session().Close().ok());
  EXPECT_EQ(Number(Purge(kFile)), 12);
}

TEST_F(ListOpensTest, PagesHoldEverythingOnce) {
  Fill(5);
  std::vector<std::unique_ptr<OpenUser>> users;
  for (uint64_t id = 1; id <= 5; ++id) users.push_back(User(id));
  std::vector<uint64_t> ids;
  std::string token;
  do {
    const absl::StatusOr<ListOpensPage> page = Opens(2, token);
    ASSERT_TRUE(page.ok());
    for (const OpenInfo& open : page->opens) {
      if (!open.implicit) ids.push_back(open.open_id);
    }
    token = page->next_page_token;
  } while (!token.empty());
  EXPECT_THAT(ids, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(Number(Opens(2, "x").status()), 22);

  for (int i = 1; i <= 5; ++i) ASSERT_EQ(users[0]->Lock(SmallKey(i * 10)), "0");
  const std::string key = SmallKey(20);
  users[1]->Start(Keyed(K::kLockRecord, key));
  AwaitWaiters(1);
  std::vector<std::string> lines;
  do {
    const absl::StatusOr<ListLocksPage> page = LocksPage(2, token);
    ASSERT_TRUE(page.ok());
    for (const LockInfo& lock : page->locks) {
      lines.push_back(StrCat(lock.key, lock.granted ? "" : " waits"));
      EXPECT_EQ(lock.client_name, "test");
    }
    token = page->next_page_token;
  } while (!token.empty());
  EXPECT_THAT(lines, ElementsAre("0010", "0020", "0020 waits", "0030", "0040", "0050"));
  EXPECT_EQ(Number(LocksPage(2, "Rzz").status()), 22);
  EXPECT_EQ(Number(LocksPage(2, "?").status()), 22);
}

}  // namespace
}  // namespace quire::test
