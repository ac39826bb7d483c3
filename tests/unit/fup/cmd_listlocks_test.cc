#include "client/fup/lexer.h"
#include "client/fup/open_listing.h"
#include "client/fup/token_cursor.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "quire/error.h"
#include "tests/support/test_random.h"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;
using testing::Not;

class ListLocksTest : public FupFixture {
 protected:
  void SetUp() override {
    FupFixture::SetUp();
    Run("VOLUME $DATA01.STOCK; SET KEYLEN 8; CREATE A; CREATE IDLE\n"
        "CREATE P, PART (1,$DATA02,1,1,\"M\")");
    AddLock("A", "$DATA01", LockKind::kFile, true, "loadr", "");
    AddLock("A", "$DATA01", LockKind::kRecord, true, "serv1", "P0004711");
    AddLock("A", "$DATA01", LockKind::kRecord, false, "a-program-with-a-very-long-name-indeed",
            "P0004711");
    AddLock("A", "$DATA01", LockKind::kGeneric, true, "serv2", "Q0");
    AddLock("P", "$DATA01", LockKind::kRecord, true, "serv1", std::string("A\0\"B\xFF", 5));
    AddLock("P", "$DATA02", LockKind::kRecord, true, "serv1", std::string(80, 'Z'));
  }
  void AddLock(const std::string& file, const std::string& volume, LockKind kind, bool granted,
               const std::string& client, const std::string& key) {
    LockInfo lock;
    lock.file = FileName{"", volume, "STOCK", file};
    lock.kind = kind;
    lock.granted = granted;
    lock.open_id = 4711;
    lock.client_name = client;
    lock.key = key;
    files_->locks[lock.file.OnVolume("$DATA01")].push_back(lock);
  }
};

TEST_F(ListLocksTest, Golden) {
  ExpectGolden("fup_listlocks.txt", Run("LISTLOCKS *"));
}

TEST_F(ListLocksTest, DetailGolden) {
  ExpectGolden("fup_listlocks_detail.txt", Run("LISTLOCKS (A, P), GRANTED, DETAIL"));
}

TEST_F(ListLocksTest, GrantedLeavesTheWaitingOut) {
  EXPECT_THAT(Run("LISTL A"), HasSubstr("R     W      a-program-with-a-very-long-  8    "));
  EXPECT_THAT(Run("LISTL A, GR"), Not(HasSubstr("     W  ")));
  EXPECT_EQ(Run("LISTLOCKS IDLE"), "");
}

TEST_F(ListLocksTest, BadSyntax) {
  EXPECT_THAT(Run("LISTLOCKS"), HasSubstr("Expected a file name"));
  EXPECT_THAT(Run("LISTLOCKS A, WAITING"), HasSubstr("LISTLOCKS option"));
  EXPECT_THAT(Run("LISTLOCKS A, PARTONLY"), HasSubstr("not built"));
  EXPECT_THAT(Run("LISTLOCKS NOFILE"), HasSubstr("ERR 11"));
}

TEST_F(ListLocksTest, Json) {
  StartSession(/*interactive=*/false, /*json=*/true);
  const nlohmann::json listing = nlohmann::json::parse(Run("LISTLOCKS $DATA01.STOCK.P"));
  ASSERT_EQ(listing["locks"].size(), 2u);
  EXPECT_EQ(listing["locks"][0]["key_hex"], "41002242ff");
  EXPECT_FALSE(listing["locks"][0].contains("key"));
  EXPECT_EQ(listing["locks"][1]["file"], "$DATA02.STOCK.P");
  EXPECT_EQ(listing["locks"][1]["type"], "R");
}

// What is shown of a key is a value that FUP reads back.
TEST(LockKeyTextTest, IsReadBack) {
  EXPECT_EQ(LockKeyText("P0004711"), "\"P0004711\"");
  EXPECT_EQ(LockKeyText("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(LockKeyText(std::string("\0AB\xFF", 4)), "[%H00,\"AB\",%HFF]");
  TestRandom random;
  for (int round = 0; round < 1000; ++round) {
    const std::string key =
        random.Text(random.Between(1, 12), std::string("AB\"%,[] \0\x1F\x7F\xFF", 12));
    const std::string text = LockKeyText(key);
    absl::StatusOr<std::vector<Token>> tokens = Tokenize(text);
    ASSERT_TRUE(tokens.ok()) << text;
    TokenCursor cursor(*std::move(tokens), text);
    const absl::StatusOr<std::string> read = cursor.TakeBytes("a key");
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_EQ(*read, key) << text;
  }
}

}  // namespace
}  // namespace quire
