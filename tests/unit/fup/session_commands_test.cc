// The commands about the session itself: VOLUME, SYSTEM, OBEY, ALLOW, HELP, HISTORY, !, ?, EXIT,
// REFRESH; and the rules of scripts.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

class SessionCommandsTest : public FupFixture {
 protected:
  SessionCommandsTest() : folder_(testing::TempDir() + "fup_obey_" + std::to_string(getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~SessionCommandsTest() override { std::filesystem::remove_all(folder_); }

  std::string Script(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  const std::string folder_;
};

TEST_F(SessionCommandsTest, VolumeAndSystemSetAndComeBack) {
  Run("VOLUME $data02.stock; SYSTEM \\kyoto");
  EXPECT_EQ(session().ResolveName("X")->ToString(), "\\KYOTO.$DATA02.STOCK.X");
  Run("VOLUME OLD");
  EXPECT_EQ(session().ResolveName("X")->ToString(), "\\KYOTO.$DATA02.OLD.X");
  Run("VOLUME; SYSTEM");
  EXPECT_EQ(NumberOf(session().ResolveName("X").status()), ErrorNumber::kIllegalName);
  EXPECT_THAT(Run("VOLUME $DATA02.A.B"), HasSubstr("ERR 13"));
  EXPECT_THAT(Run("SYSTEM KYOTO"), HasSubstr("Expected a node"));
  EXPECT_THAT(Run("SYSTEM \\12345678"), HasSubstr("ERR 13"));
}

TEST_F(SessionCommandsTest, AScriptStopsAtItsFirstError) {
  EXPECT_EQ(Run("BOGUS\nSHOW REC"),
            "ERROR - Unknown command \"BOGUS\". HELP lists what there is.\n");
  EXPECT_TRUE(session().stopped);
}

TEST_F(SessionCommandsTest, AllowLetsErrorsPass) {
  EXPECT_THAT(Run("ALLOW 1 ERRORS; BOGUS; SHOW REC; BOGUS; SHOW CODE, KEYLEN"),
              testing::AllOf(HasSubstr("     REC 80\n"), testing::Not(HasSubstr("KEYLEN"))));
  StartSession(/*interactive=*/false);
  EXPECT_THAT(Run("ALLOW ALL\nBOGUS\nBOGUS\nSHOW REC"), HasSubstr("REC 80"));
  StartSession(/*interactive=*/false);
  EXPECT_THAT(Run("ALLOW NO WARNINGS\nSET PART (1,$NOWHERE)\nSHOW REC"),
              testing::Not(HasSubstr("REC 80")));
  StartSession(/*interactive=*/false);
  EXPECT_THAT(Run("ALLOW SOME"), HasSubstr("Expected NO, ALL or a number"));
}

TEST_F(SessionCommandsTest, WithoutAServerASevereErrorStopsInSpiteOfAllow) {
  connect_status_ = MakeError(ErrorNumber::kPathDown, "Nobody answers.");
  EXPECT_EQ(Run("ALLOW ALL ERRORS\nINFO $DATA01.X.Y\nSHOW REC"), "ERROR - Nobody answers.\n");
  StartSession(/*interactive=*/false);
  EXPECT_THAT(Run("ALLOW ALL ERRORS\nALLOW ALL SEVERE ERRORS\nINFO $DATA01.X.Y\nSHOW REC"),
              HasSubstr("REC 80"));
}

TEST_F(SessionCommandsTest, AtTheKeyboardAnErrorEndsOnlyItsCommand) {
  StartSession(/*interactive=*/true);
  EXPECT_THAT(Run("BOGUS\nSHOW REC"), HasSubstr("REC 80"));
}

TEST_F(SessionCommandsTest, ObeyEchoesAndKeepsItsChanges) {
  const std::string path = Script("set up.fup", "SET REC 100 -- longest\r\nEXIT\nSET REC 200\n");
  EXPECT_EQ(Run("OBEY " + path + "\nSHOW REC"), "-SET REC 100\n-EXIT\n     REC 100\n");
  EXPECT_EQ(Run("OBEY \"" + path + "\"; SHOW REC"), "-SET REC 100\n-EXIT\n     REC 100\n");
}

TEST_F(SessionCommandsTest, ObeyNestsFourDeep) {
  const std::string itself = Script("self.fup", "OBEY " + folder_ + "/self.fup\n");
  const std::string printed = Run("OBEY " + itself);
  EXPECT_THAT(printed, HasSubstr("OBEY files may be nested 4 deep"));
  EXPECT_TRUE(session().stopped);
  EXPECT_EQ(session().obey_depth, 0);
}

TEST_F(SessionCommandsTest, AnErrorEndsAnObeyFileButNotTheKeyboardSession) {
  StartSession(/*interactive=*/true);
  const std::string path = Script("bad.fup", "BOGUS\nSET REC 100\n");
  const std::string printed = Run("OBEY " + path + "\nSHOW REC");
  EXPECT_THAT(printed, HasSubstr("FUP STOPPED"));
  EXPECT_THAT(printed, HasSubstr("     REC 80\n"));
}

TEST_F(SessionCommandsTest, ObeyOfWhatCannotBeRead) {
  StartSession(/*interactive=*/true);
  EXPECT_THAT(Run("OBEY " + folder_ + "/none.fup"), HasSubstr("Cannot read"));
  EXPECT_THAT(Run("OBEY " + folder_), HasSubstr("Cannot read"));
  EXPECT_THAT(Run("OBEY"), HasSubstr("Expected the path"));
  EXPECT_EQ(Run("OBEY " + Script("empty.fup", "")), "");
}

TEST_F(SessionCommandsTest, HistoryAndAgain) {
  StartSession(/*interactive=*/true);
  EXPECT_EQ(Run("SET REC 100\nSHOW REC\n? SET\n! -1\nHISTORY 2"),
            "     REC 100\nSET REC 100\nSHOW REC\n     REC 100\n   3> SHOW REC\n   4> HISTORY 2\n");
  EXPECT_EQ(Run("!\"REC 1\""), "SET REC 100\n");
  EXPECT_THAT(Run("! PURGE"), HasSubstr("No earlier command matches PURGE"));
}

TEST_F(SessionCommandsTest, HelpGolden) {
  ExpectGolden("fup_help.txt", Run("HELP; HELP ALL"));
}

TEST_F(SessionCommandsTest, HelpNeedsNoServer) {
  EXPECT_THAT(Run("HELP CREATE"), HasSubstr("CREATE file"));
  EXPECT_THAT(Run("HELP copy"), HasSubstr("not built yet"));
  EXPECT_EQ(connects_, 0);
  EXPECT_THAT(Run("HELP CRAETE"), HasSubstr("The nearest is CREATE"));
}

TEST_F(SessionCommandsTest, RefreshOneOrAllVolumes) {
  EXPECT_EQ(Run("REFRESH $data02"), "$DATA02 REFRESHED: 7 BLOCKS WRITTEN\n");
  files_->down.insert("$DATA02");
  EXPECT_EQ(Run("REFRESH"),
            "$DATA01 REFRESHED: 7 BLOCKS WRITTEN\n"
            "ERROR - $DATA02: FILE SYSTEM ERROR: ERR 66\n"
            "    $DATA02 does not answer; start it.\n"
            "$DATA03 REFRESHED: 7 BLOCKS WRITTEN\n");
  StartSession(/*interactive=*/false);
  EXPECT_THAT(Run("REFRESH $NOWHERE"), HasSubstr("ERR 14"));
}

TEST_F(SessionCommandsTest, BackupNamesVolumeAndDirectory) {
  EXPECT_THAT(Run("BACKUP $data02, TO \"monday-1\""),
              testing::AllOf(HasSubstr("$DATA02 BACKED UP TO monday-1: 8192 BYTES, LSN 42, 20"),
                             HasSubstr(".123456")));
  EXPECT_THAT(files_->refreshed, testing::ElementsAre("$DATA02 monday-1"));
  EXPECT_THAT(Run("BACKUP $data02, TO MONDAY"), HasSubstr("TO MONDAY"));
  EXPECT_THAT(Run("BACKUP $data02"), HasSubstr("ERR"));
  EXPECT_THAT(Run("BACKUP $nowhere, TO x"), HasSubstr("ERR 14"));
}

TEST_F(SessionCommandsTest, ExitEndsTheInput) {
  EXPECT_EQ(Run("SHOW REC; EXIT; SHOW REC\nSHOW REC"), "     REC 80\n");
}

TEST_F(SessionCommandsTest, TheInputMayEndInAContinuation) {
  EXPECT_EQ(Run("SHOW &"), Run("SHOW"));
}

}  // namespace
}  // namespace quire
