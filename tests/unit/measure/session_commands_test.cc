// The commands as a session runs them: cmd_*.cc, interpreter, live_snapshot and session.
#include "client/measure/interpreter.h"
#include "client/measure/snapshot_file.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "quire/error.h"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {
namespace {

using testing::HasSubstr;
using testing::Not;

class MeasureCommandsTest : public MeasureFixture {
 protected:
  // A snapshot of the start of run A on disc.
  std::string StartFile() {
    const std::string path = Path("start.json");
    EXPECT_TRUE(WriteSnapshotFile(ArticleStart(), path).ok());
    return path;
  }
};

TEST_F(MeasureCommandsTest, ListSinceTheVolumesStart) {
  const std::string text = Run("LIST DISC $DATA01\n");
  EXPECT_THAT(text, HasSubstr("Disc $DATA01\nLocal System \\QUIRE From Start Of Volume To"));
  EXPECT_THAT(text, HasSubstr("Requests                      135,170 #"));
  EXPECT_THAT(source_->asked, testing::ElementsAre("$DATA01"));
  EXPECT_EQ(session().error_count(), 0u);
}

TEST_F(MeasureCommandsTest, ListOverAWindow) {
  const std::string start = StartFile();
  const std::string windowed = "Requests                      135,070 #";
  EXPECT_THAT(Run("LIST DISC *, FROM FILE " + start + "\n"), HasSubstr(windowed));
  EXPECT_THAT(Run("ADD MEASUREMENT " + start + "\nLIST DISC *\n"), HasSubstr(windowed));
  EXPECT_THAT(Run("DELETE MEASUREMENT\nLIST DISC *\n"), Not(HasSubstr(windowed)));
  ReportOptions report;
  report.from_file = start;
  StartSession(OutputFormat::kText, report);  // --from
  EXPECT_THAT(Run("LIST DISC *\n"), HasSubstr(windowed));
}

TEST_F(MeasureCommandsTest, TwoSnapshotsNeedNoServer) {
  const std::string start = StartFile();
  EXPECT_EQ(Run("SNAPSHOT " + Path("end.json") + "\n"), "");
  source_->connect_status = MakeError(ErrorNumber::kPathDown, "Nobody is there.");
  StartSession(OutputFormat::kText);
  EXPECT_THAT(Run("LIST DISCOPEN *, FROM FILE " + start + ", TO FILE " + Path("end.json") + "\n"),
              HasSubstr("Cache-Write-Cleans          474,712 #"));
  EXPECT_THAT(Run("LIST DISCOPEN *\n"), HasSubstr("ERROR - error 201"));
}

TEST_F(MeasureCommandsTest, RestartInTheWindowIsRefused_R_C4) {
  const std::string start = StartFile();
  source_->now.volumes[0].epoch = 4;
  const std::string text = Run("LIST DISC *, FROM FILE " + start + "\n");
  EXPECT_THAT(text, HasSubstr("ERROR - error 22"));
  EXPECT_THAT(text, HasSubstr("was restarted inside the window"));
  EXPECT_EQ(session().error_count(), 1u);
}

TEST_F(MeasureCommandsTest, AVolumeThatDoesNotAnswerIsNamed) {
  source_->volumes = {"$DATA01", "$DATA02"};
  EXPECT_THAT(Run("LIST DISC *\n"), HasSubstr("WARNING - error 66"));
  EXPECT_THAT(Run("LIST DISCOPEN $DATA01.MEASURE.*\n"), Not(HasSubstr("WARNING")));
  EXPECT_THAT(Run("SNAPSHOT " + Path("x") + "\n"), HasSubstr("$DATA02"));
  EXPECT_EQ(session().error_count(), 0u);
}

TEST_F(MeasureCommandsTest, DefaultsCompleteNames) {
  EXPECT_THAT(Run("LIST DISKFILE OUTFILE\n"), HasSubstr("ERROR - error 13"));
  EXPECT_THAT(Run("VOLUME $data01.measure\nLIST DISKFILE OUTFILE\n"),
              HasSubstr("Diskfile $DATA01.MEASURE.OUTFILE\n"));
  EXPECT_THAT(Run("VOLUME\nLIST DISKFILE OUTFILE\n"), HasSubstr("ERROR - error 13"));
  EXPECT_THAT(Run("VOLUME $D.TOOLONGNAME\n"), HasSubstr("ERROR - error 13"));
  EXPECT_THAT(Run("VOLUME \\KYOTO.$DATA01\nLIST DISC *\n"), HasSubstr("Local System \\KYOTO From"));
}

TEST_F(MeasureCommandsTest, ReportOptionsStayUntilReset) {
  EXPECT_THAT(Run("SET REPORT TOTALS ONLY\nLIST DISCOPEN *\n"),
              HasSubstr("Discopen Totals  1 record\n"));
  EXPECT_THAT(Run("LIST DISCOPEN *, TOTALS SUPPRESS\n"), Not(HasSubstr("Totals")));
  EXPECT_THAT(Run("RESET REPORT\nLIST DISCOPEN *\n"), Not(HasSubstr("Totals")));
}

TEST_F(MeasureCommandsTest, NothingFoundIsSaid) {
  EXPECT_EQ(Run("LIST DISCOPEN $DATA01.MEASURE.OTHER\n"),
            "No records of DISCOPEN $DATA01.MEASURE.OTHER in the window.\n");
}

TEST_F(MeasureCommandsTest, FormatsForPrograms) {
  StartSession(OutputFormat::kCsv);
  EXPECT_THAT(Run("LIST DISCOPEN *\n"),
              HasSubstr("\nDISCOPEN,record,$DATA01,$DATA01.MEASURE.OUTFILE,41,quire-bench,"));
  StartSession(OutputFormat::kJson);
  const auto json = nlohmann::json::parse(Run("LIST DISCOPEN *\n"), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json[0]["counters"]["REQUESTS"], 135070);
  EXPECT_EQ(Run("LIST DISCOPEN $DATA01.A.B\n"), "[]\n");
}

TEST_F(MeasureCommandsTest, ScriptsGoOnAfterAnErrorAndEndAtExit) {
  const std::string text =
      Run("FROB -- a comment\nLIST DISCOPEN &\n *; LIST DISC *\nEXIT\nLIST PROCESS *\n");
  EXPECT_THAT(text, HasSubstr("ERROR - error 22"));
  EXPECT_THAT(text, HasSubstr("Discopen $DATA01.MEASURE.OUTFILE\n"));
  EXPECT_THAT(text, HasSubstr("Disc $DATA01\n"));
  EXPECT_THAT(text, Not(HasSubstr("Process")));
  EXPECT_EQ(session().error_count(), 1u);
}

TEST_F(MeasureCommandsTest, HelpShowsEveryCommand) {
  EXPECT_THAT(Run("HELP\n"), HasSubstr("  LIST       report counters\n"));
  EXPECT_THAT(Run("HELP LIST\n"), HasSubstr("ZERO-REPORTS INCLUDE|SUPPRESS"));
  EXPECT_THAT(Run("HELP SNAP\n"), HasSubstr("SNAPSHOT path\n"));
}

TEST_F(MeasureCommandsTest, BadMeasurementsAreToldAtOnce) {
  EXPECT_THAT(Run("ADD MEASUREMENT " + Path("none") + "\n"), HasSubstr("ERROR - error 11"));
  EXPECT_THAT(Run("LIST DISC *\n"), HasSubstr("From Start Of Volume"));
  EXPECT_THAT(Run("SNAPSHOT " + Path("no/x") + "\n"), HasSubstr("ERROR - error 43"));
}

TEST_F(MeasureCommandsTest, PromptCountsLines) {
  class Prompts : public LineSource {
   public:
    std::optional<std::string> Next(const std::string& prompt) override {
      seen += prompt;
      return ++lines > 2 ? std::nullopt : std::optional<std::string>("HELP EXIT");
    }
    std::string seen;
    int lines = 0;
  } prompts;
  ExecuteLines(session(), prompts);
  EXPECT_EQ(prompts.seen, "1+ 2+ 3+ ");
}

}  // namespace
}  // namespace measure
}  // namespace quire
