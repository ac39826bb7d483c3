// SET, SHOW, RESET.
#include "gmock/gmock.h"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

class SetTest : public FupFixture {};

// The dialogue of the published tuning story, configuration C, as it stands there.
constexpr char kArticleDialogue[] =
    "- SET TYPE K\n"
    "- SET FORMAT 2\n"
    "- SET EXT ( 2 PAGES, 2 PAGES )\n"
    "- SET REC 1676\n"
    "- SET BLOCK 4096\n"
    "- SET KEYLEN 9\n"
    "- SET KEYOFF 2\n"
    "- SET PART ( 1, $DATA02, 150000 PAGES, 150000 PAGES, \"00\" )\n"
    "- SET PART ( 2, $DATA03, 150000 PAGES, 150000 PAGES, \"10\" )\n"
    "- SET MAXEXTENTS 40\n"
    "- SET BUFFERED\n";

TEST_F(SetTest, ShowGolden) {
  EXPECT_EQ(Run(kArticleDialogue), "");
  ExpectGolden("fup_show.txt", Run("SHOW"));
  EXPECT_EQ(Run("SHOW KEYLEN"), "     KEYLEN 9\n");
  EXPECT_EQ(Run("RESET; SHOW BUFFERED"), "     NO BUFFERED\n");
}

TEST_F(SetTest, R_D15_AuditIsShownAndTurnsBufferedOn) {
  EXPECT_EQ(Run("SHOW AUDIT"), "     NO AUDIT\n");
  EXPECT_EQ(Run("SET AUDIT\nSHOW AUDIT, BUFFERED"), "     AUDIT\n     BUFFERED\n");
  EXPECT_EQ(Run("RESET AUDIT\nSHOW AUDIT, BUFFERED"), "     NO AUDIT\n     NO BUFFERED\n");
  EXPECT_THAT(Run("SET AUDIT, NO BUFFERED"), HasSubstr("exclude each other"));
}

TEST_F(SetTest, LookasideIsShownUnlessOff) {
  EXPECT_EQ(Run("SHOW LOOKASIDE"), "     LOOKASIDE OFF\n");
  EXPECT_EQ(Run("SET LOOKASIDE FREEZE\nSHOW LOOKASIDE"), "     LOOKASIDE FREEZE\n");
  EXPECT_EQ(Run("SET LOOKASIDE NOF\nSHOW LOOKASIDE"), "     LOOKASIDE NOFREEZE\n");
  EXPECT_THAT(Run("SHOW"), HasSubstr("\n     LOOKASIDE NOFREEZE\n"));
  EXPECT_EQ(Run("RESET LOOKASIDE\nSHOW LOOKASIDE"), "     LOOKASIDE OFF\n");
  EXPECT_THAT(Run("SHOW"), testing::Not(HasSubstr("LOOKASIDE")));
}

// R-B6: SET only warns, and goes on.
TEST_F(SetTest, R_B6_PartOnAnUnknownVolumeWarns) {
  EXPECT_EQ(Run("SET PART (1, $NOWHERE, 1, 1, \"A\")\nSHOW PART"),
            "WARNING - A PARTITION/ALTFILE NAME POINTS TO A NONEXISTENT VOLUME\n"
            "     PART ( 1, $NOWHERE, 1 PAGES, 1 PAGES, \"A\" )\n");
  EXPECT_EQ(session().trouble().warnings, 1u);
  EXPECT_EQ(session().trouble().errors, 0u);
}

TEST_F(SetTest, WithoutAServerSetStaysQuietAndAsksOnce) {
  connect_status_ = absl::UnavailableError("nobody there");
  EXPECT_EQ(Run("SET PART (1, $A, 1, 1, \"A\")\nSET PART (2, $B, 1, 1, \"B\")"), "");
  EXPECT_EQ(connects_, 1);
}

TEST_F(SetTest, AllOfACommandOrNothing) {
  EXPECT_THAT(Run("SET REC 100, LIKE $DATA01.NO.FILE"), HasSubstr("ERR 11"));
  EXPECT_EQ(Run("SHOW REC"), "     REC 80\n");
}

TEST_F(SetTest, LikeTakesEverythingFromAFile) {
  files_->labels[ArticleFile().name] = ArticleFile();
  EXPECT_EQ(Run("SET LIKE $DATA01.MEASURE.OUTFILE, REC 1000\nSHOW KEYLEN, MAXEXTENTS, REC"),
            "     REC 1000\n     KEYLEN 11\n     MAXEXTENTS 40\n");
}

TEST_F(SetTest, ResetTakesBack) {
  Run(kArticleDialogue);
  EXPECT_EQ(Run("RESET PART, EXT\nSHOW PART, EXT, KEYLEN"),
            "     EXT ( 1 PAGES, 1 PAGES )\n     KEYLEN 9\n");
}

}  // namespace
}  // namespace quire
