#include "client/measure/parse_command.h"

#include "client/measure/command_table.h"
#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/support/test_random.h"

namespace quire {
namespace measure {
namespace {

TEST(MeasureParseCommandTest, CommandsOfTheManualAreUnderstood) {
  for (const char* text :
       {"LIST DISCOPEN $DATA01.MEASURE.OUTFILE", "list discopen *, totals include, rate off",
        "LIST DISC $DATA01, FROM FILE /tmp/a", "LIST PROCESS *", "LIST DISKFILE A.B",
        "ADD MEASUREMENT /tmp/a", "DELETE MEASUREMENT", "SNAPSHOT /tmp/a", "VOLUME $DATA01.X",
        "VOLUME", "SET REPORT RATE ON", "RESET REPORT", "HELP", "HELP LIST", "EXIT", "E",
        "13+ LIST DISC *", "MEASCOM LIST DISC *"}) {
    const auto command = ParseCommand(text);
    EXPECT_TRUE(command.ok()) << text << ": " << command.status();
    if (command.ok()) {
      EXPECT_NE(*command, nullptr) << text;
    }
  }
}

TEST(MeasureParseCommandTest, NothingIsNothing) {
  for (const char* text : {"", "   ", "MEASCOM", "7+"}) {
    const auto command = ParseCommand(text);
    ASSERT_TRUE(command.ok()) << text;
    EXPECT_EQ(*command, nullptr) << text;
  }
}

TEST(MeasureParseCommandTest, MistakesAre22) {
  for (const char* text : {"LIST",
                           "LIST FILE *",
                           "LIST DISC",
                           "LIST DISC * TOTALS ONLY",
                           "LIST DISC *,",
                           "LIST DISC *, TOTALS",
                           "LIST DISC $A,, RATE ON",
                           "FROB",
                           "ADD",
                           "ADD MEASUREMENT",
                           "ADD COUNTER X",
                           "DELETE",
                           "SNAPSHOT",
                           "SNAPSHOT a b",
                           "SET REPORT",
                           "SET X",
                           "RESET",
                           "EXIT now",
                           "HELP FROB",
                           "$DATA01.A.B",
                           ", LIST",
                           "\"LIST\" DISC *"}) {
    const absl::Status status = ParseCommand(text).status();
    EXPECT_EQ(NumberOf(status), ErrorNumber::kBadParameter) << text;
    EXPECT_FALSE(status.message().empty()) << text;
  }
}

TEST(MeasureParseCommandTest, EveryVerbHasAUsage) {
  for (const CommandSpec& spec : CommandTable()) {
    EXPECT_EQ(spec.usage.substr(0, spec.verb.size()), spec.verb);
    EXPECT_EQ(spec.usage.back(), '\n');
    EXPECT_NE(spec.parse, nullptr);
  }
}

// Whatever is typed gets a command or an error with a sentence.
TEST(MeasureParseCommandTest, AnyTextIsAnswered) {
  TestRandom random;
  const std::vector<std::string> pieces = {"LIST",
                                           "DISC",
                                           "DISCOPEN",
                                           "*",
                                           "$DATA01.A.B",
                                           ",",
                                           "TOTALS",
                                           "ONLY",
                                           "IF",
                                           "BY",
                                           "RATE",
                                           "ON",
                                           ">=",
                                           "<",
                                           "=",
                                           "5",
                                           "SEC",
                                           "\"",
                                           "FROM",
                                           "FILE",
                                           "SET",
                                           "ADD",
                                           "REPORT",
                                           "HELP",
                                           "(",
                                           "+",
                                           "1+",
                                           "REQUESTS",
                                           "\x01",
                                           "\xff",
                                           "99999999999999999999",
                                           "K"};
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (uint64_t k = random.Below(9); k > 0; --k) {
      text += pieces[random.Below(pieces.size())];
      if (!random.OneIn(4)) text += " ";
    }
    const auto command = ParseCommand(text);
    if (!command.ok()) {
      EXPECT_FALSE(command.status().message().empty()) << text;
    }
  }
}

}  // namespace
}  // namespace measure
}  // namespace quire
