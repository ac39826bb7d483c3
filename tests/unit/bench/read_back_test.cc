#include "client/bench/read_back.h"

#include <gtest/gtest.h>

#include "quire/text.h"
#include "tests/unit/bench/fake_file_system.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

const FileName kName = {.node = "", .volume = "$DATA01", .subvolume = "TEST", .file = "BACK"};

class ReadBackTest : public testing::Test {
 protected:
  ReadBackTest() {
    FileAttributes attributes;
    attributes.key_offset = 1;
    attributes.key_length = 2;
    EXPECT_TRUE(file_system_.Create(kName, attributes).ok());
    file_ = *file_system_.Open(kName, {});
  }

  ReadBackResult Compare(std::vector<std::string> input, const std::vector<std::string>& stored) {
    file_system_.files[kName].records.clear();
    for (const std::string& record : stored) EXPECT_TRUE(file_->Write(record).ok());
    ListedRecords source(std::move(input));
    const absl::StatusOr<ExpectedRecords> expected = ExpectedRecords::Read(&source, 1, 2);
    EXPECT_TRUE(expected.ok());
    const absl::StatusOr<ReadBackResult> result =
        CompareWithFile(*expected, file_.get(), [](uint64_t) { return true; });
    EXPECT_TRUE(result.ok());
    return *result;
  }

  FakeFileSystem file_system_;
  std::unique_ptr<File> file_;
};

TEST_F(ReadBackTest, OrderOfTheInputDoesNotMatter) {
  const ReadBackResult result =
      Compare({"xb text", "xa     ", "xc t "}, {"xc t ", "xa     ", "xb text"});
  EXPECT_TRUE(result.verified) << result.difference;
  EXPECT_EQ(result.records, 3u);
}

TEST_F(ReadBackTest, EveryByteCounts) {
  EXPECT_FALSE(Compare({"xa1text"}, {"xa1tExt"}).verified);
  EXPECT_FALSE(Compare({"xa1text  "}, {"xa1text x"}).verified);
  EXPECT_FALSE(Compare({"xa1text "}, {"xa1text"}).verified);
  EXPECT_FALSE(Compare({"xa1text"}, {"xa1text "}).verified);
  EXPECT_NE(Compare({"xa1text"}, {"xa1tExt"}).difference.find("key 'a1'"), std::string::npos);
}

TEST_F(ReadBackTest, MissingAndSurplusRecordsAreDifferences) {
  EXPECT_FALSE(Compare({"xa1", "xb1"}, {"xa1"}).verified);
  EXPECT_FALSE(Compare({"xa1"}, {"xa1", "xb1"}).verified);
  EXPECT_FALSE(Compare({"xa1", "xc1"}, {"xa1", "xb1"}).verified);
  EXPECT_TRUE(Compare({}, {}).verified);
}

TEST(ExpectedRecordsTest, KnowsTheArticlesKeyOrder) {
  std::vector<std::string> records;
  for (int n = 0; n < 230; ++n) {
    std::string serial = StrCat(n / 100);
    serial.insert(0, 7 - serial.size(), '0');
    records.push_back(StrCat("00", n % 100 < 10 ? "0" : "", n % 100, serial, "text"));
  }
  ListedRecords right(records);
  EXPECT_TRUE(ExpectedRecords::Read(&right, 0, 11)->in_article_order());
  std::swap(records[7], records[8]);
  ListedRecords swapped(records);
  EXPECT_FALSE(ExpectedRecords::Read(&swapped, 0, 11)->in_article_order());
}

}  // namespace
}  // namespace bench
}  // namespace quire
