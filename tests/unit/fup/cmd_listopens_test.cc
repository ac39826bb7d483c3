#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "quire/error.h"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;
using testing::Not;

class ListOpensTest : public FupFixture {
 protected:
  void SetUp() override {
    FupFixture::SetUp();
    Run("VOLUME $DATA01.STOCK; SET KEYLEN 8; CREATE A; CREATE B; CREATE IDLE\n"
        "CREATE P, PART (1,$DATA02,1,1,\"M\")");
    AddOpen("A", "quire-bench", AccessMode::kReadWrite, Exclusion::kShared);
    AddOpen("A", "a-program-with-a-long-name", AccessMode::kRead, Exclusion::kProtected);
    AddOpen("P", "loadr", AccessMode::kWrite, Exclusion::kExclusive);
  }
  void AddOpen(const std::string& file, const std::string& client, AccessMode access,
               Exclusion exclusion) {
    OpenInfo open;
    open.file = FileName{"", "$DATA01", "STOCK", file};
    open.open_id = 4711;
    open.client_name = client;
    open.access = access;
    open.exclusion = exclusion;
    open.owner_group = 20;
    open.owner_user = 7;
    files_->opens[open.file].push_back(open);
  }
};

TEST_F(ListOpensTest, Golden) {
  ExpectGolden("fup_listopens.txt", Run("LISTOPENS *"));
}

TEST_F(ListOpensTest, FilesOfAListAndAbbreviations) {
  EXPECT_THAT(Run("LISTO (B, P)"), HasSubstr("$DATA01.STOCK.P\n"));
  EXPECT_THAT(Run("LISTOPENS P"), Not(HasSubstr("STOCK.A")));
  EXPECT_EQ(Run("LISTOPENS IDLE"), "");
  // A secondary partition is not a file of its own here.
  EXPECT_THAT(Run("LISTOPENS $DATA02.STOCK.*"), HasSubstr("ERR 11"));
}

TEST_F(ListOpensTest, AnErrorOfOneFileLeavesTheOthers) {
  const std::string listing = Run("ALLOW ALL; LISTOPENS (NOFILE, A)");
  EXPECT_THAT(listing, HasSubstr("ERROR - $DATA01.STOCK.NOFILE: FILE SYSTEM ERROR: ERR 11"));
  EXPECT_THAT(listing, HasSubstr("quire-bench  R/W-S"));
}

TEST_F(ListOpensTest, BadSyntax) {
  EXPECT_THAT(Run("LISTOPENS"), HasSubstr("Expected a file name"));
  EXPECT_THAT(Run("LISTOPENS A B"), HasSubstr("ERROR - "));
  EXPECT_THAT(Run("LISTOPENS A, SHORT"), HasSubstr("LISTOPENS option"));
  EXPECT_THAT(Run("LISTOPENS A, PARTONLY"), HasSubstr("not built"));
}

// A client may give itself any name; none may reach the terminal as a command to it.
TEST_F(ListOpensTest, NamesAreShownHarmlessly) {
  AddOpen("B", "\x1B[2Jbad\n", AccessMode::kRead, Exclusion::kShared);
  EXPECT_THAT(Run("LISTOPENS B"), HasSubstr("?[2Jbad?     R-S    020,007  01"));
}

TEST_F(ListOpensTest, Json) {
  StartSession(/*interactive=*/false, /*json=*/true);
  const nlohmann::json listing = nlohmann::json::parse(Run("LISTOPENS $DATA01.STOCK.*"));
  ASSERT_EQ(listing["opens"].size(), 3u);
  EXPECT_EQ(listing["opens"][0]["client_name"], "quire-bench");
  EXPECT_EQ(listing["opens"][0]["mode"], "R/W-S");
  EXPECT_EQ(listing["opens"][0]["open_id"], 4711);
}

}  // namespace
}  // namespace quire
