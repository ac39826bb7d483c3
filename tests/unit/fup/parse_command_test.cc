#include "client/fup/parse_command.h"

#include <cstdlib>
#include <random>
#include <string>

#include "client/fup/command_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

std::string Message(std::string_view text) {
  return std::string(ParseCommand(text).status().message());
}

TEST(ParseCommandTest, NothingSaidIsNoCommand) {
  for (const char* text : {"", "   ", "FUP", " fup "}) {
    const auto command = ParseCommand(text);
    ASSERT_TRUE(command.ok()) << text;
    EXPECT_EQ(*command, nullptr) << text;
  }
}

TEST(ParseCommandTest, PastedPromptAndLeadingFupArePassedOver) {
  for (const char* text : {"- SET TYPE K", "-SET TYPE K", "FUP INFO $DATA01.X.Y, DETAIL",
                           "fup $DATA01.X.Y, BUFFERED", "info *,d", "FILEN *", "VOL $DATA01.X"}) {
    const auto command = ParseCommand(text);
    ASSERT_TRUE(command.ok()) << text << ": " << command.status();
    EXPECT_NE(*command, nullptr) << text;
  }
}

TEST(ParseCommandTest, UnknownAmbiguousAndUnbuiltVerbs) {
  EXPECT_THAT(Message("CRAETE X"), testing::HasSubstr("The nearest is CREATE"));
  EXPECT_THAT(Message("FILE X"), testing::HasSubstr("can mean FILENAMES, FILES"));
  EXPECT_EQ(Message("COPY A, B"), "COPY is not built yet. HELP lists the commands that are.");
  EXPECT_EQ(NumberOf(ParseCommand("DUP A, B").status()), ErrorNumber::kInvalidOperation);
  EXPECT_THAT(Message("INFO X, EXT"), testing::HasSubstr("INFO EXTENTS is not built yet"));
  EXPECT_THAT(Message("INFO X, STAT, DETAIL"), testing::HasSubstr("one of DETAIL and STATISTICS"));
  EXPECT_THAT(Message("$DATA01.X.Y"), testing::HasSubstr("A command must come before"));
  EXPECT_THAT(Message("( X"), testing::HasSubstr("Expected a command"));
}

TEST(ParseCommandTest, VerbsAreSortedAndEveryBuiltOneHasItsUsage) {
  std::string_view before;
  for (const CommandSpec& spec : CommandTable()) {
    EXPECT_FALSE(spec.summary.empty()) << spec.verb;
    EXPECT_EQ(spec.parse == nullptr, spec.usage.empty()) << spec.verb;
    EXPECT_LT(before, spec.verb);
    before = spec.verb;
  }
}

// The parser's promise to the fuzz target, on texts near to commands: an answer, never a crash.
TEST(ParseCommandTest, AnyTextGetsAnAnswer) {
  const char* given = std::getenv("QUIRE_TEST_SEED");
  const unsigned seed = given == nullptr ? std::random_device()() : std::stoul(given);
  SCOPED_TRACE("QUIRE_TEST_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  const std::vector<std::string> pieces = {
      "SET ", "CREATE ", "PART ",  "(",     ")",     ",",    "[",  "]",   "\"",  "%H",
      "%",    "9",       "!",      "-",     "NO ",   "EXT ", "$",  "X.Y", "REC", "?",
      "*",    "OBEY",    "PURGE ", "LIKE ", "BYTES", "\\",   "\0", "\xff"};
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    const auto command = ParseCommand(text);
    if (!command.ok()) {
      ASSERT_FALSE(command.status().message().empty()) << text;
    }
  }
}

}  // namespace
}  // namespace quire
