#include "client/command/command_reader.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Commands(std::string_view line) {
  return *CommandReader().AddLine(line);
}

TEST(CommandReaderTest, SemicolonsSeparateCommands) {
  EXPECT_THAT(Commands("SET REC 1; SET CODE 2;;"), ElementsAre("SET REC 1", "SET CODE 2"));
  EXPECT_THAT(Commands("SET PART (1,$D2,1,1,\"a;b\")"),
              ElementsAre("SET PART (1,$D2,1,1,\"a;b\")"));
  EXPECT_THAT(Commands("  "), IsEmpty());
}

TEST(CommandReaderTest, CommentsGoAway) {
  EXPECT_THAT(Commands("-- all of it"), IsEmpty());
  EXPECT_THAT(Commands("== all of it -- too"), IsEmpty());
  EXPECT_THAT(Commands("INFO X == the rest"), ElementsAre("INFO X"));
  EXPECT_THAT(Commands("SET REC 1 -- a word -- , CODE 2"), ElementsAre("SET REC 1   , CODE 2"));
  EXPECT_THAT(Commands("------ title ------"), IsEmpty());
  EXPECT_THAT(Commands("SET PART (1,$D2,1,1,\"--==\")"),
              ElementsAre("SET PART (1,$D2,1,1,\"--==\")"));
}

TEST(CommandReaderTest, AmpersandContinues) {
  CommandReader reader;
  EXPECT_THAT(*reader.AddLine("SET PART (1, $DATA02, & -- more below"), IsEmpty());
  EXPECT_TRUE(reader.continues());
  EXPECT_THAT(*reader.AddLine("10, 10, \"A\")"),
              ElementsAre("SET PART (1, $DATA02,  10, 10, \"A\")"));
  EXPECT_FALSE(reader.continues());
}

TEST(CommandReaderTest, InputMayEndInAContinuation) {
  CommandReader reader;
  EXPECT_THAT(*reader.AddLine("EXIT &"), IsEmpty());
  EXPECT_THAT(reader.Finish(), ElementsAre("EXIT"));
}

TEST(CommandReaderTest, TooLongIsPassedOverWithItsContinuations) {
  CommandReader reader;
  ASSERT_TRUE(reader.AddLine("SET REC &").ok());
  const auto refused = reader.AddLine(std::string(kLongestCommandBytes, 'x') + "&");
  EXPECT_EQ(NumberOf(refused.status()), ErrorNumber::kIllegalCount);
  EXPECT_THAT(*reader.AddLine("PURGE * ! &"), IsEmpty());
  EXPECT_THAT(*reader.AddLine("PURGE * !"), IsEmpty());
  EXPECT_THAT(*reader.AddLine("EXIT"), ElementsAre("EXIT"));
}

}  // namespace
}  // namespace quire
