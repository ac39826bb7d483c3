#include "client/fup/command_history.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace quire {
namespace {

TEST(CommandHistoryTest, FindsAsTheHistoryCommandsSay) {
  CommandHistory history;
  EXPECT_FALSE(history.Find("").ok());
  history.Add("SET REC 10");
  history.Add("SHOW REC");
  history.Add("INFO *");
  EXPECT_EQ(*history.Find(""), "INFO *");
  EXPECT_EQ(*history.Find("-2"), "SHOW REC");
  EXPECT_EQ(*history.Find(" 1 "), "SET REC 10");
  EXPECT_EQ(*history.Find("s"), "SHOW REC");
  EXPECT_EQ(*history.Find("set"), "SET REC 10");
  EXPECT_EQ(*history.Find("\"rec\""), "SHOW REC");
  for (const char* wanted : {"-4", "-0", "4", "0", "PURGE", "\"x\"", "-", "99999999999999999999"}) {
    EXPECT_FALSE(history.Find(wanted).ok()) << wanted;
  }
}

TEST(CommandHistoryTest, KeepsTheLastThousand) {
  CommandHistory history;
  for (int i = 1; i <= 1001; ++i) history.Add("COMMAND " + std::to_string(i));
  const auto last = history.Last(5000);
  ASSERT_EQ(last.size(), CommandHistory::kKept);
  EXPECT_EQ(last.front().number, 2u);
  EXPECT_EQ(last.back().text, "COMMAND 1001");
  EXPECT_FALSE(history.Find("1").ok());
  EXPECT_EQ(history.Last(2).front().number, 1000u);
}

}  // namespace
}  // namespace quire
