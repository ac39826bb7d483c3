#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CreateTest : public FupFixture {
 protected:
  // Runs the commands in a session of their own.
  std::string Fresh(const std::string& lines) {
    StartSession(/*interactive=*/false);
    return Run(lines);
  }
};

// The article's dialogue for eleven volumes, verbatim down to its prompt.
TEST_F(CreateTest, TheDialogueOfTheArticle) {
  std::string dialogue =
      "- SET TYPE K\n- SET FORMAT 2\n- SET EXT ( 2 PAGES, 2 PAGES )\n- SET REC 1676\n"
      "- SET BLOCK 4096\n- SET KEYLEN 9\n- SET KEYOFF 2\n";
  const std::vector<std::string> keys = {"00", "10", "20", "30", "40",
                                         "50", "60", "70", "80", "90"};
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string volume =
        i + 2 < 10 ? "$DATA0" + std::to_string(i + 2) : "$DATA" + std::to_string(i + 2);
    files_->volumes.insert(volume);
    dialogue += "- SET PART ( " + std::to_string(i + 1) + ", " + volume +
                ", 150000 PAGES, 150000 PAGES, \"" + keys[i] + "\" )\n";
  }
  dialogue += "- SET MAXEXTENTS 40\n- SET BUFFERED\n- CREATE $DATA01.MEASURE.OUTFILE2\n";
  EXPECT_EQ(Run(dialogue), "CREATED - $DATA01.MEASURE.OUTFILE2\n");

  const FileAttributes& made =
      files_->labels.at(FileName{"", "$DATA01", "MEASURE", "OUTFILE2"}).attributes;
  EXPECT_EQ(made.format, 2u);
  EXPECT_EQ(made.extents, (ExtentSizes{2, 2}));
  EXPECT_EQ(made.record_bytes, 1676u);
  EXPECT_EQ(made.key_length, 9u);
  EXPECT_EQ(made.key_offset, 2u);
  EXPECT_EQ(made.max_extents, 40u);
  EXPECT_TRUE(made.buffered);
  ASSERT_EQ(made.partitions.size(), 10u);
  EXPECT_EQ(made.partitions[9], (PartitionSpec{"$DATA11", {150000, 150000}, "90"}));
}

TEST_F(CreateTest, ParametersAreForThisFileOnly) {
  EXPECT_EQ(Run("VOLUME $DATA02.STOCK\nSET REC 100\nCREATE parts, KEYLEN 8, REC 200, NO BUFFERED\n"
                "SHOW REC, KEYLEN"),
            "CREATED - $DATA02.STOCK.PARTS\n     REC 100\n     KEYLEN 0\n");
}

TEST_F(CreateTest, R_D15_AuditedFiles) {
  EXPECT_EQ(Run("SET KEYLEN 8; SET AUDIT; CREATE $DATA01.X.Y; CREATE $DATA01.X.Z, NO AUDIT"),
            "CREATED - $DATA01.X.Y\nCREATED - $DATA01.X.Z\n");
  const FileAttributes& audited = files_->labels.at(FileName{"", "$DATA01", "X", "Y"}).attributes;
  EXPECT_TRUE(audited.audit);
  EXPECT_TRUE(audited.buffered);
  const FileAttributes& other = files_->labels.at(FileName{"", "$DATA01", "X", "Z"}).attributes;
  EXPECT_FALSE(other.audit);
  EXPECT_FALSE(other.buffered);
  EXPECT_THAT(Run("CREATE $DATA01.X.W, NO BUFFERED"), HasSubstr("exclude each other"));
}

// R-B6 and the list of bad input: each with its number, and nothing made.
TEST_F(CreateTest, R_B6_BadInputHasItsNumber) {
  const struct {
    std::string commands;
    std::string expected;
  } kCases[] = {
      {"CREATE $DATA01.X.Y", "ERR 21"},  // no KEYLEN
      {"CREATE $DATA01.X.Y, KEYLEN 0", "ERR 21"},
      {"CREATE $DATA01.X.Y, KEYLEN 8, KEYOFF 73", "ERR 21"},  // beyond REC 80
      {"CREATE $DATA01.X.Y, KEYLEN 8, REC 4041", "ERR 21"},   // BLOCK 4096
      {"CREATE $DATA01.X.Y, KEYLEN 8, BLOCK 5000", "ERR 2\n"},
      {"CREATE $DATA01.X.Y, KEYLEN 8, MAXEXTENTS 979", "ERR 21"},
      {"CREATE $DATA01.X.Y, KEYLEN 8, EXT 99999999999999999999", "Expected a number"},
      {"CREATE $DATA01.X.Y, KEYLEN 8, EXT 18446744073709551615", "ERR 21"},
      {"CREATE $DATA01.X.Y, KEYLEN 8, PART (1,$DATA02,1,1,\"123456789\")", "ERR 21"},
      {"CREATE $DATA01.X.Y, KEYLEN 8, PART (1,$DATA02,1,1)", "ERR 21"},  // no partial key
      {"CREATE $DATA01.X.Y, KEYLEN 8, PART (1,$DATA02,1,1,\"B\"), PART (2,$DATA03,1,1,\"A\")",
       "ERR 46"},
      {"CREATE $DATA01.X.Y, KEYLEN 8, PART (1,$NOWHERE,1,1,\"B\")", "ERR 14"},
      {"CREATE $NOWHERE.X.Y, KEYLEN 8", "ERR 14"},
      {"CREATE $DATA01.X.TOOLONGNAME, KEYLEN 8", "ERR 13"},
      {"CREATE Y, KEYLEN 8", "ERR 13"},            // no default volume
      {"CREATE .X.Y, KEYLEN 8", "single quotes"},  // R-A6
      {"CREATE $DATA01.X.Y, KEYLEN 8, PART (2,$DATA02,1,1,\"B\")", "PART 1 is missing"},
      {"CREATE $DATA01.X.Y, KEYLEN 8, FORMAT 3", "ERR 22"},
      {"CREATE $DATA01.X.Y KEYLEN 8", "Expected \",\""},
      {"CREATE", "Expected the name of the file to create"},
  };
  for (const auto& [commands, expected] : kCases) {
    const std::string printed = Fresh(commands);
    EXPECT_THAT(printed, StartsWith("ERROR - ")) << commands;
    EXPECT_THAT(printed, HasSubstr(expected)) << commands;
    EXPECT_TRUE(files_->labels.empty()) << commands;
  }
}

// R-B5: a 17th partition where the format forbids it is error 2; format 2 takes it.
TEST_F(CreateTest, R_B5_SeventeenthPartitionNeedsFormat2) {
  std::string parts;
  for (int i = 1; i <= 16; ++i) {
    const std::string volume = "$P" + std::to_string(i);
    files_->volumes.insert(volume);
    parts += "SET PART (" + std::to_string(i) + ", " + volume + ", 1, 1, \"" +
             std::string(1, static_cast<char>('A' + i)) + "\")\n";
  }
  EXPECT_THAT(Fresh(parts + "CREATE $DATA01.X.Y, KEYLEN 8, FORMAT 1"), HasSubstr("ERR 2\n"));
  EXPECT_EQ(Fresh(parts + "CREATE $DATA01.X.Y, KEYLEN 8"), "CREATED - $DATA01.X.Y\n");
}

TEST_F(CreateTest, ErrorsGolden) {
  session().allowance.errors = Allowance::kAll;
  ExpectGolden("fup_errors.txt", Run("CREATE $DATA01.X.Y, KEYLEN 8; CREATE $DATA01.X.Y, KEYLEN 8\n"
                                     "PURGE $DATA01.X.NOSUCH !\n"
                                     "INFO $DATA09.X.Y\n"
                                     "CREATE $DATA01.X.Z, KEYLEN 8, REC 5000\n"
                                     "CREATE .MEASURE.OUTFILE\n"
                                     "SET AUDIT, NO BUFFERED\n"
                                     "SET KEYLENGTH 8\n"
                                     "CRAETE X\n"
                                     "ALTER $DATA01.X.Y, REC 100\n"
                                     "LOAD A, B\n"
                                     "SET REC \"AB\n"
                                     "SET PART (1, $NOWHERE)\n"
                                     "PURGE $DATA01.X.Y\n"));
}

TEST_F(CreateTest, WithoutAServerTheReasonIsSaid) {
  connect_status_ = MakeError(ErrorNumber::kPathDown, "Nobody answers at 127.0.0.1:7000.");
  EXPECT_EQ(Run("CREATE $DATA01.X.Y, KEYLEN 8"), "ERROR - Nobody answers at 127.0.0.1:7000.\n");
  EXPECT_EQ(session().trouble().severe_errors, 1u);
}

}  // namespace
}  // namespace quire
