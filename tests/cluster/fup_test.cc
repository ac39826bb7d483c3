// FUP at a router over real volumes: the published session, and what bad input gets.
#include <signal.h>

#include <string>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class FupClusterTest : public ClusterTest {};

// The session of the published tuning story, as it was typed.
std::string PublishedCreate() {
  std::string script =
      "SET TYPE K\nSET FORMAT 2\nSET EXT (2 PAGES, 2 PAGES)\nSET REC 1676\nSET BLOCK 4096\n"
      "SET KEYLEN 9\nSET KEYOFF 2\nSET MAXEXTENTS 40\nSET BUFFERED\n";
  for (int part = 1; part <= 10; ++part) {
    script += absl::StrFormat("SET PART (%d, $DATA%02d, 150000, 150000, \"%d0\")\n", part, part + 1,
                              part - 1);
  }
  return script + "CREATE $DATA01.MEASURE.OUTFILE2\n";
}

TEST_F(FupClusterTest, PublishedSessionOverElevenVolumes) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(11));
  const CommandResult created = FupScript(PublishedCreate());
  EXPECT_EQ(created.exit_code, 0) << created.output;
  EXPECT_THAT(created.output, HasSubstr("CREATED - $DATA01.MEASURE.OUTFILE2"));

  const CommandResult detail = Fup("INFO $DATA01.MEASURE.OUTFILE2, DETAIL");
  EXPECT_EQ(detail.exit_code, 0);
  for (const char* line :
       {"    TYPE K\n", "    FORMAT 2\n", "    EXT ( 2 PAGES, 2 PAGES )\n", "    REC 1676\n",
        "    BLOCK 4096\n", "    KEYLEN 9\n", "    KEYOFF 2\n", "    MAXEXTENTS 40\n    BUFFERED\n",
        "    PART ( 1, $DATA02, 150000 PAGES, 150000 PAGES, MAXEXTENTS 40, \"00\" )\n",
        "    PART ( 10, $DATA11, 150000 PAGES, 150000 PAGES, MAXEXTENTS 40, \"90\" )\n",
        "    OWNER 10,1\n", "    SECURITY (RWEP): GOGO\n"}) {
    EXPECT_THAT(detail.output, HasSubstr(line));
  }
  const CommandResult purged = Fup("PURGE $DATA01.MEASURE.OUTFILE2 !");
  EXPECT_EQ(purged.exit_code, 0) << purged.output;
  EXPECT_EQ(Fup("INFO $DATA01.MEASURE.OUTFILE2").exit_code, 1);
  EXPECT_THAT(Fup("FILES $*.MEASURE, PENDING").output, Not(HasSubstr("OUTFILE2")));
}

TEST_F(FupClusterTest, AlterBufferedWithAndWithoutTheVerb) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(1));
  ASSERT_EQ(FupScript("SET TYPE K\nSET FORMAT 2\nSET EXT (150000, 150000)\nSET REC 1676\n"
                      "SET KEYLEN 11\nSET MAXEXTENTS 40\nCREATE $DATA01.MEASURE.OUTFILE\n")
                .exit_code,
            0);
  const std::string before = Fup("INFO $DATA01.MEASURE.OUTFILE, DETAIL").output;
  EXPECT_THAT(before, AllOf(HasSubstr("    MAXEXTENTS 40\n    OWNER 10,1\n"),
                            HasSubstr("FILE LABEL: "), HasSubstr("INDEX LEVELS: ")));
  // As the story shows it: without ALTER.
  const CommandResult short_form = Fup("$DATA01.MEASURE.OUTFILE, BUFFERED");
  EXPECT_EQ(short_form.exit_code, 0) << short_form.output;
  EXPECT_THAT(Fup("INFO $DATA01.MEASURE.OUTFILE, DETAIL").output,
              HasSubstr("    MAXEXTENTS 40\n    BUFFERED\n    OWNER 10,1\n"));
  const CommandResult back = Fup("ALTER $DATA01.MEASURE.OUTFILE, NO BUFFERED");
  EXPECT_EQ(back.exit_code, 0) << back.output;
  EXPECT_THAT(Fup("INFO $DATA01.MEASURE.OUTFILE, DETAIL").output, Not(HasSubstr("BUFFERED")));
  // The change is on disc before the reply: a killed volume comes back with it.
  ASSERT_EQ(Fup("ALTER $DATA01.MEASURE.OUTFILE, BUFFERED").exit_code, 0);
  volume(1).Kill();
  ASSERT_NO_FATAL_FAILURE(StartVolume(1));
  EXPECT_THAT(Fup("INFO $DATA01.MEASURE.OUTFILE, DETAIL").output, HasSubstr("    BUFFERED\n"));
}

struct BadCreate {
  const char* name;
  const char* settings;
  const char* file;
  int error;
  const char* sentence;  // a regular expression
};

// R-B6, R-S3, R-A1: every refusal has its number and says what is allowed.
TEST_F(FupClusterTest, BadCreatesGetTheirNumberAndCreateNothing) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(3));
  std::string seventeen = "SET REC 80\nSET KEYLEN 8\nSET FORMAT 1\n";
  for (int part = 1; part <= 16; ++part) {
    seventeen +=
        absl::StrFormat("SET PART (%d, $DATA%02d, 10, 10, \"%02d\")\n", part, part + 1, part);
  }
  const BadCreate cases[] = {
      {"REC over the block", "SET REC 5000\nSET KEYLEN 8", "X", 21, "REC 5000.*4040"},
      {"KEYLEN 0", "SET REC 80\nSET KEYLEN 0", "X", 21, "KEYLEN"},
      {"key beyond REC", "SET REC 20\nSET KEYLEN 10\nSET KEYOFF 15", "X", 21, "KEYOFF"},
      {"BLOCK", "SET REC 80\nSET KEYLEN 8\nSET BLOCK 5000", "X", 2, "BLOCK 5000"},
      {"partial keys",
       "SET REC 80\nSET KEYLEN 8\nSET PART (1,$DATA02,10,10,\"M\")\nSET PART "
       "(2,$DATA03,10,10,\"D\")",
       "X", 46, "ris|above|order"},
      {"partial key length", "SET REC 80\nSET KEYLEN 2\nSET PART (1,$DATA02,10,10,\"ABC\")", "X",
       21, "partial key|KEYLEN"},
      {"unknown volume of PART", "SET REC 80\nSET KEYLEN 8\nSET PART (1,$NOVOL,10,10,\"M\")", "X",
       14, "NOVOL"},
      {"17th partition", seventeen.c_str(), "X", 2, "16|FORMAT 2"},
      {"malformed name", "SET REC 80\nSET KEYLEN 8", "TOOLONGNAME", 13, "8"},
      {"unknown volume", "SET REC 80\nSET KEYLEN 8", "$NOVOL.S.X", 14, "NOVOL"},
  };
  for (const BadCreate& bad : cases) {
    SCOPED_TRACE(bad.name);
    const CommandResult result = FupScript(
        StrCat("ALLOW ALL ERRORS\nVOLUME $DATA01.S\n", bad.settings, "\nCREATE ", bad.file, "\n"));
    EXPECT_EQ(result.exit_code, 1) << result.output;
    EXPECT_THAT(result.output, HasSubstr(absl::StrFormat("ERR %d\n", bad.error)));
    EXPECT_THAT(result.output, ContainsRegex(bad.sentence));
    EXPECT_THAT(result.output, Not(HasSubstr("CREATED")));
  }
  const std::string files = Fup("FILES $*.S").output + Fup("FILES $*.S, PENDING").output;
  EXPECT_THAT(files, Not(HasSubstr(" X "))) << files;
  auto filesystem = ConnectToRouter();
  ASSERT_NE(filesystem, nullptr);
  for (const bool pending : {false, true}) {
    auto all =
        filesystem->List({.node = "", .volume = "$*", .subvolume = "*", .file = "*"}, pending);
    ASSERT_TRUE(all.ok()) << Describe(all.status());
    EXPECT_TRUE(all->empty());
  }
}

TEST_F(FupClusterTest, WrongCommandsNamesAndRepeats) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(1));
  EXPECT_THAT(Fup("CRAETE $DATA01.S.X").output, HasSubstr("nearest is CREATE"));
  EXPECT_THAT(Fup("INFO $DATA01.S.MISSING").output, HasSubstr("ERR 11"));
  EXPECT_THAT(Fup("PURGE $DATA01.S.MISSING !").output, HasSubstr("ERR 11"));
  EXPECT_THAT(Fup("INFO .S.X").output, AllOf(HasSubstr("ERR 13"), HasSubstr("single quotes")));
  ASSERT_EQ(FupScript("SET KEYLEN 8\nCREATE $DATA01.S.X\n").exit_code, 0);
  const CommandResult again = FupScript("SET KEYLEN 8\nCREATE $DATA01.S.X\n");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.output, HasSubstr("ERR 10"));
}

TEST_F(FupClusterTest, NothingListensAtTheRoutersAddress) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(1));
  router().Signal(SIGTERM);
  EXPECT_EQ(router().WaitForExit(), 0);
  const CommandResult result = Fup("INFO $DATA01.S.X");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("Cannot connect to the router"), HasSubstr(router_address())));
}

// Refused records leave what is stored as it was (10, 21), and a missing one is 11.
TEST_F(FupClusterTest, BadRecordsTouchNothingStored) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(2));
  ASSERT_EQ(FupScript("SET REC 20\nSET KEYLEN 8\nSET PART (1,$DATA02,10,10,\"M\")\n"
                      "CREATE $DATA01.S.X\n")
                .exit_code,
            0);
  auto filesystem = ConnectToRouter();
  ASSERT_NE(filesystem, nullptr);
  auto file = filesystem->Open("$DATA01.S.X");
  ASSERT_TRUE(file.ok()) << Describe(file.status());
  for (const std::string key : {"AAAAAAAA", "ZZZZZZZZ"}) {
    SCOPED_TRACE(key);
    ASSERT_TRUE((*file)->Write(key + "first").ok());
    EXPECT_EQ(NumberOf((*file)->Write(key + "second")), ErrorNumber::kAlreadyExists);
    EXPECT_EQ(NumberOf((*file)->Write(key + std::string(13, 'x'))), ErrorNumber::kIllegalCount);
    EXPECT_EQ(NumberOf((*file)->Write(key.substr(1))), ErrorNumber::kIllegalCount);
    EXPECT_EQ(NumberOf((*file)->Update(key + std::string(13, 'x'))), ErrorNumber::kIllegalCount);
    const absl::StatusOr<std::string> found = (*file)->Read(key);
    ASSERT_TRUE(found.ok()) << Describe(found.status());
    EXPECT_EQ(*found, key + "first");
  }
  EXPECT_EQ(NumberOf((*file)->Read("MISSING!").status()), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf((*file)->Delete("MISSING!")), ErrorNumber::kNotFound);
  EXPECT_TRUE((*file)->Close().ok());
}

}  // namespace
}  // namespace quire
