#include "client/bench/peers/copy_format.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quire {
namespace bench {
namespace {

// A row of one field, as COPY (SELECT value …) TO gives it.
std::string Row(std::string_view value) {
  std::string row("\0\1\0\0\0", 5);
  row.push_back(static_cast<char>(value.size()));
  return row.append(value);
}

std::vector<std::string> TakeAll(const std::vector<std::string>& pieces, bool* whole) {
  CopyReader reader;
  std::vector<std::string> records;
  for (const std::string& piece : pieces) {
    reader.Take(piece, [&](std::string_view record) { records.emplace_back(record); });
  }
  *whole = reader.whole();
  return records;
}

TEST(CopyFormatTest, WritesWhatTheManualSays) {
  EXPECT_EQ(CopyHead(), std::string("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19));
  std::string row;
  AppendCopyRow("key", std::string(300, 'v'), &row);
  EXPECT_EQ(row, std::string("\0\2\0\0\0\3key\0\0\1\54", 13) + std::string(300, 'v'));
  EXPECT_EQ(CopyTail(), std::string("\377\377"));
}

TEST(CopyFormatTest, ReadsRowsWhereverThePiecesAreCut) {
  bool whole = false;
  const std::vector<std::string> wanted = {"first", "", std::string("\377\377\0", 3)};
  EXPECT_EQ(TakeAll({CopyHead() + Row("first"), Row(""), Row(wanted[2]), CopyTail()}, &whole),
            wanted);
  EXPECT_TRUE(whole);
  EXPECT_EQ(TakeAll({CopyHead(), Row("first") + Row(""), Row(wanted[2]) + CopyTail()}, &whole),
            wanted);
  EXPECT_TRUE(whole);
  EXPECT_TRUE(TakeAll({CopyHead() + CopyTail()}, &whole).empty());
  EXPECT_TRUE(whole);
}

TEST(CopyFormatTest, DamageIsSeen) {
  const std::string row = Row("value");
  const std::vector<std::vector<std::string>> damaged = {
      {},                                                                // nothing came
      {CopyHead()},                                                      // no end
      {row, CopyTail()},                                                 // no head
      {CopyHead().substr(0, 12), CopyTail()},                            // half a head
      {CopyHead() + row.substr(0, row.size() - 1)},                      // a short value
      {CopyHead() + row.substr(0, 4)},                                   // half a length
      {CopyHead() + row.substr(0, 1)},                                   // half a count
      {CopyHead() + CopyTail() + row},                                   // a row behind the end
      {CopyHead(), std::string("\0\2", 2) + row.substr(2), CopyTail()},  // two fields
  };
  for (size_t i = 0; i < damaged.size(); ++i) {
    bool whole = true;
    TakeAll(damaged[i], &whole);
    EXPECT_FALSE(whole) << i;
  }
}

}  // namespace
}  // namespace bench
}  // namespace quire
