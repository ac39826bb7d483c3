#include "client/bench/csv_records.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

struct Outcome {
  std::vector<std::string> records;
  absl::Status status;
};

Outcome ReadAll(const std::string& text, uint32_t key_column = 1, uint32_t key_length = 4,
                uint32_t record_bytes = 40) {
  CsvRecords records(MemoryBytes(text), {.path = "",
                                         .csv = true,
                                         .key_column = key_column,
                                         .key_length = key_length,
                                         .record_bytes = record_bytes});
  Outcome outcome;
  std::string record;
  for (;;) {
    const absl::StatusOr<bool> more = records.Next(&record);
    outcome.status = more.status();
    if (!more.ok() || !*more) return outcome;
    EXPECT_EQ(record.size(), record_bytes);
    record.erase(record.find_last_not_of(' ') + 1);
    outcome.records.push_back(record);
  }
}

void ExpectError(const std::string& text, ErrorNumber number, int row) {
  const absl::Status status = ReadAll(text).status;
  EXPECT_EQ(NumberOf(status), number) << text;
  EXPECT_NE(ToStd(status.message()).find(StrCat("row ", row)), std::string::npos) << status;
}

// R-M3: key bytes of the column, then the original row text.
TEST(CsvRecordsTest, RM3KeyThenRowTextBlankPadded) {
  const Outcome outcome = ReadAll("a1,x\nb,yy\n");
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.records, (std::vector<std::string>{"a1  a1,x", "b   b,yy"}));
}

TEST(CsvRecordsTest, RM3QuotedFieldsKeepTheirTextAndGiveUnquotedKeys) {
  const Outcome outcome =
      ReadAll("x,\"k,1\"\r\n\"say \"\"hi\"\"\",k2\r\n\"two\r\nlines\",k3\r\n", 2);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.records, (std::vector<std::string>{"k,1 x,\"k,1\"", "k2  \"say \"\"hi\"\"\",k2",
                                                       "k3  \"two\r\nlines\",k3"}));
}

TEST(CsvRecordsTest, LineEndsMayBeLfCrLfOrCrAndTheLastMayBeMissing) {
  const std::vector<std::string> rows = {"a   a,1", "b   b,2"};
  for (const char* text : {"a,1\nb,2\n", "a,1\r\nb,2\r\n", "a,1\rb,2\r", "a,1\nb,2",
                           "a,1\n\n\nb,2\n\n", "\r\na,1\r\n\r\nb,2"}) {
    const Outcome outcome = ReadAll(text);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status;
    EXPECT_EQ(outcome.records, rows) << text;
  }
}

TEST(CsvRecordsTest, BlanksBelongToTheField) {
  EXPECT_EQ(ReadAll(" a,1 \n").records, (std::vector<std::string>{" a   a,1"}));
  EXPECT_EQ(ReadAll("a,b\n,c\n").records, (std::vector<std::string>{"a   a,b", "    ,c"}));
}

TEST(CsvRecordsTest, RM3RaggedRowsAreNamed) {
  ExpectError("a,1\nb,2\nc\n", ErrorNumber::kIllegalCount, 3);
  ExpectError("a,1\nb,2,3\n", ErrorNumber::kIllegalCount, 2);
  // An embedded line end does not start a row.
  ExpectError("a,\"1\n2\n3\"\nb\n", ErrorNumber::kIllegalCount, 2);
}

TEST(CsvRecordsTest, RM3LongKeysAndRowsAre21AndNothingIsTruncated) {
  ExpectError("a,1\nabcde,2\n", ErrorNumber::kIllegalCount, 2);
  const std::string fits(40 - 4 - 2, 'x');
  EXPECT_EQ(ReadAll("a," + fits + "\n").records.size(), 1u);
  EXPECT_EQ(ReadAll("a," + fits + "\r\n").records.size(), 1u);
  EXPECT_EQ(ReadAll("a," + fits).records.size(), 1u);
  ExpectError("a,1\nb," + fits + "x\n", ErrorNumber::kIllegalCount, 2);
  ExpectError("a,1\nb," + fits + "x", ErrorNumber::kIllegalCount, 2);
}

TEST(CsvRecordsTest, StrictQuoting) {
  ExpectError("a,1\nb,x\"y\n", ErrorNumber::kBadParameter, 2);
  ExpectError("a,1\nb,\"y\"z\n", ErrorNumber::kBadParameter, 2);
  ExpectError("a,1\nb,\"y", ErrorNumber::kBadParameter, 2);
}

TEST(CsvRecordsTest, AnUnclosedQuoteDoesNotSwallowTheFile) {
  ExpectError("a,1\nb,\"" + std::string(1 << 20, 'y'), ErrorNumber::kIllegalCount, 2);
}

TEST(CsvRecordsTest, TheKeyColumnMustBeThere) {
  const Outcome outcome = ReadAll("a,1\n", 3);
  EXPECT_EQ(NumberOf(outcome.status), ErrorNumber::kBadParameter);
  EXPECT_NE(ToStd(outcome.status.message()).find("--key-column 3"), std::string::npos);
}

TEST(CsvRecordsTest, AnEmptyFileHasNoRows) {
  const Outcome outcome = ReadAll("");
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_TRUE(outcome.records.empty());
}

TEST(CsvRecordsTest, RowsThatCrossTheReadBuffer) {
  std::string text;
  for (int i = 1000; i < 9999; ++i) StrAppend(&text, i, ",\"v\"\"", i, "\n\"\r\n");
  const Outcome outcome = ReadAll(text);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  ASSERT_EQ(outcome.records.size(), 8999u);
  EXPECT_EQ(outcome.records[8000], "90009000,\"v\"\"9000\n\"");
}

}  // namespace
}  // namespace bench
}  // namespace quire
