#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

class PurgeTest : public FupFixture {
 protected:
  void SetUp() override {
    StartSession(/*interactive=*/true);
    Run("VOLUME $DATA01.STOCK; SET KEYLEN 8; CREATE A; CREATE B; CREATE C\n"
        "CREATE P, PART (1,$DATA02,1,1,\"M\")");
  }
  bool Exists(const std::string& file) {
    return files_->labels.contains(FileName{"", "$DATA01", "STOCK", file});
  }
};

TEST_F(PurgeTest, AsksFileByFile) {
  answers_ = {"y", "n", " YES "};
  EXPECT_EQ(Run("PURGE (A, B, C)"),
            "$DATA01.STOCK.A PURGED.\n$DATA01.STOCK.C PURGED.\n2 FILES PURGED\n");
  EXPECT_EQ(asked_, "$DATA01.STOCK.A PURGE? $DATA01.STOCK.B PURGE? $DATA01.STOCK.C PURGE? ");
  EXPECT_TRUE(Exists("B"));
}

TEST_F(PurgeTest, AnEndedInputIsNoConsent) {
  EXPECT_EQ(Run("PURGE *"), "0 FILES PURGED\n");
  EXPECT_TRUE(Exists("A"));
}

TEST_F(PurgeTest, ExclamationMarkBeforeOrBehind) {
  EXPECT_EQ(Run("PURGE ! A, B"),
            "$DATA01.STOCK.A PURGED.\n$DATA01.STOCK.B PURGED.\n2 FILES PURGED\n");
  EXPECT_EQ(Run("PURGE (C), NO LISTALL !"), "1 FILES PURGED\n");
  EXPECT_EQ(asked_, "");
}

TEST_F(PurgeTest, AWildCardTakesFilesNotSecondaries) {
  EXPECT_EQ(Run("PURGE $*.STOCK.P!"), "$DATA01.STOCK.P PURGED.\n1 FILES PURGED\n");
  EXPECT_FALSE(files_->labels.contains(FileName{"", "$DATA02", "STOCK", "P"}));
}

TEST_F(PurgeTest, BatchNeedsTheExclamationMark) {
  StartSession(/*interactive=*/false);
  EXPECT_THAT(Run("PURGE $DATA01.STOCK.A"), HasSubstr("Write ! after the file names"));
  EXPECT_TRUE(Exists("A"));
  StartSession(/*interactive=*/false);
  EXPECT_EQ(Run("PURGE $DATA01.STOCK.A !"), "1 FILES PURGED\n");  // no LISTALL in batch
  EXPECT_EQ(Run("PURGE ($DATA01.STOCK.B), LISTALL !"), "$DATA01.STOCK.B PURGED.\n1 FILES PURGED\n");
}

TEST_F(PurgeTest, AFilesErrorLeavesTheOthers) {
  files_->on_purge[FileName{"", "$DATA01", "STOCK", "B"}] =
      MakeError(ErrorNumber::kFileInUse, "Somebody has it open; close it first.");
  EXPECT_EQ(Run("PURGE (A, B, NOSUCH, C), NO LISTALL !"),
            "ERROR - $DATA01.STOCK.B: FILE SYSTEM ERROR: ERR 12\n"
            "    Somebody has it open; close it first.\n"
            "ERROR - $DATA01.STOCK.NOSUCH: FILE SYSTEM ERROR: ERR 11\n"
            "    The file does not exist.\n"
            "2 FILES PURGED\n");
  EXPECT_TRUE(Exists("B"));
}

// R-D13: the file is gone once its primary label is; what is left on other volumes is a warning.
TEST_F(PurgeTest, R_D13_LeftoversAreAWarning) {
  files_->on_purge[FileName{"", "$DATA01", "STOCK", "P"}] =
      MakeError(ErrorNumber::kPartitionFailure, "A partition on $DATA02 remains.");
  EXPECT_EQ(Run("PURGE (P), NO LISTALL !"),
            "WARNING - $DATA01.STOCK.P: FILE SYSTEM ERROR: ERR 3\n"
            "    A partition on $DATA02 remains.\n"
            "1 FILES PURGED\n");
  EXPECT_EQ(session().trouble().errors, 0u);
}

TEST_F(PurgeTest, AWrongNamePurgesNothing) {
  EXPECT_THAT(Run("PURGE (A, B.C.D.E) !"), HasSubstr("ERR 13"));
  EXPECT_THAT(Run("PURGE (A, Z*) !"), HasSubstr("ERR 11"));
  EXPECT_THAT(Run("PURGE (A), PARTONLY !"), HasSubstr("PARTONLY"));
  EXPECT_TRUE(Exists("A"));
}

}  // namespace
}  // namespace quire
