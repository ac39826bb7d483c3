#include "gmock/gmock.h"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

class AlterTest : public FupFixture {
 protected:
  void SetUp() override {
    FupFixture::SetUp();
    files_->labels[ArticleFile().name] = ArticleFile();
  }
  const FileAttributes& attributes() { return files_->labels.at(ArticleFile().name).attributes; }
};

// The article's slip: the verb is missing, and what is meant is plain.
TEST_F(AlterTest, TheArticlesBufferedChangeWithoutItsVerb) {
  EXPECT_EQ(Run("FUP $DATA01.MEASURE.OUTFILE, BUFFERED"),
            "NO COMMAND GIVEN, TAKEN AS: ALTER $DATA01.MEASURE.OUTFILE, BUFFERED\n");
  EXPECT_TRUE(attributes().buffered);
  EXPECT_THAT(Run("VOLUME $DATA01.MEASURE\nOUTFILE, NO BUFFERED"), HasSubstr("TAKEN AS: ALTER"));
  EXPECT_FALSE(attributes().buffered);
}

TEST_F(AlterTest, ChangesAreSilent) {
  EXPECT_EQ(
      Run("ALTER $DATA01.MEASURE.OUTFILE, BUFFERED, MAXEXTENTS 100, REFRESH, NO AUDITCOMPRESS"),
      "");
  EXPECT_TRUE(attributes().buffered);
  EXPECT_EQ(attributes().max_extents, 100u);
  EXPECT_EQ(Run("ALTER $DATA01.MEASURE.OUTFILE, NO BUFFERED, MAXEXTENTS 3"), "");
  EXPECT_FALSE(attributes().buffered);
  EXPECT_EQ(attributes().max_extents, 16u);  // R-B5
}

// Line 130 of the manual: AUDIT moves BUFFERED, unless BUFFERED is given too.
TEST_F(AlterTest, R_D15_AuditMovesBufferedAlong) {
  EXPECT_EQ(Run("ALTER $DATA01.MEASURE.OUTFILE, AUDIT"), "");
  EXPECT_TRUE(attributes().audit);
  EXPECT_TRUE(attributes().buffered);
  EXPECT_EQ(Run("ALTER $DATA01.MEASURE.OUTFILE, NO AUDIT"), "");
  EXPECT_FALSE(attributes().audit);
  EXPECT_FALSE(attributes().buffered);
  EXPECT_EQ(Run("ALTER $DATA01.MEASURE.OUTFILE, NO AUDIT, BUFFERED"), "");
  EXPECT_FALSE(attributes().audit);
  EXPECT_TRUE(attributes().buffered);
}

TEST_F(AlterTest, LookasideTakesItsThreeWords) {
  EXPECT_EQ(Run("ALTER $DATA01.MEASURE.OUTFILE, LOOKASIDE FREEZE"), "");
  EXPECT_EQ(attributes().lookaside, Lookaside::kFreeze);
  EXPECT_EQ(Run("ALTER $DATA01.MEASURE.OUTFILE, LOOKASIDE nofreeze, MAXEXTENTS 50"), "");
  EXPECT_EQ(attributes().lookaside, Lookaside::kNoFreeze);
  EXPECT_EQ(Run("ALTER $DATA01.MEASURE.OUTFILE, LOOKASIDE OFF"), "");
  EXPECT_EQ(attributes().lookaside, Lookaside::kOff);
  EXPECT_THAT(Run("ALTER $DATA01.MEASURE.OUTFILE, LOOKASIDE"), HasSubstr("value of LOOKASIDE"));
  EXPECT_THAT(Run("ALTER $DATA01.MEASURE.OUTFILE, LOOKASIDE MELT"),
              HasSubstr("Unknown value of LOOKASIDE"));
  EXPECT_THAT(Run("ALTER $DATA01.MEASURE.OUTFILE, NO LOOKASIDE"), HasSubstr("a flag after NO"));
}

TEST_F(AlterTest, OthersAreRefusedAndNothingChanges) {
  const struct {
    const char* options;
    const char* expected;
  } kCases[] = {{"BUFFERED, REC 100", "REC is fixed when a file is created"},
                {"BUFFERED, CODE 10", "CODE: changing it is not built yet"},
                {"BUFFERED, AUDITCOMPRESS", "AUDITCOMPRESS: changing it is not built yet"},
                {"AUDIT, NO BUFFERED", "AUDIT and NO BUFFERED exclude each other"},
                {"NO BUFFERED, AUDIT", "AUDIT and NO BUFFERED exclude each other"},
                {"BUFFERED, NO MAXEXTENTS", "Expected a flag after NO"},
                {"BUFFERED, MAXEXTENTS 0", "out of range"},
                {"BUFERED", "The nearest is BUFFERED"},
                {"BUFFERED MAXEXTENTS 20", "Expected \",\""},
                {"", "Expected the ALTER option"}};
  for (const auto& [options, expected] : kCases) {
    StartSession(/*interactive=*/false);
    EXPECT_THAT(Run(std::string("ALTER $DATA01.MEASURE.OUTFILE, ") + options), HasSubstr(expected));
    EXPECT_FALSE(attributes().buffered) << options;
  }
  EXPECT_THAT(Run("ALTER $DATA01.MEASURE.NOSUCH, BUFFERED"), HasSubstr("ERR 11"));
}

}  // namespace
}  // namespace quire
