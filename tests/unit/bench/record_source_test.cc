#include "client/bench/record_source.h"

#include <gtest/gtest.h>

#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(RecordSourceTest, OpensEitherKind) {
  const TestFolder folder;
  const std::string path = folder.Make("in.csv", "k1,a\nk2,b\n");
  absl::StatusOr<std::unique_ptr<RecordSource>> rows = OpenRecords(
      {.path = path, .csv = true, .key_column = 1, .key_length = 2, .record_bytes = 10});
  ASSERT_TRUE(rows.ok()) << rows.status();
  std::string record;
  EXPECT_TRUE(*(*rows)->Next(&record));
  EXPECT_EQ(record, "k1k1,a    ");
  EXPECT_EQ((*rows)->noun(), "row");
  absl::StatusOr<std::unique_ptr<RecordSource>> blocks = OpenRecords({.path = path});
  ASSERT_TRUE(blocks.ok());
  EXPECT_EQ((*blocks)->noun(), "report block");
  EXPECT_EQ(NumberOf((*blocks)->Next(&record).status()), ErrorNumber::kBadParameter);
}

TEST(RecordSourceTest, ChecksItsOptions) {
  const TestFolder folder;
  const std::string path = folder.Make("in.csv", "k\n");
  for (const InputOptions& bad :
       {InputOptions{.path = path, .csv = true, .key_length = 0},
        InputOptions{.path = path, .csv = true, .key_length = 9, .record_bytes = 9},
        InputOptions{.path = path, .csv = true, .key_column = 0},
        InputOptions{.path = path, .key_length = 9}, InputOptions{.path = folder.path()}}) {
    EXPECT_EQ(NumberOf(OpenRecords(bad).status()), ErrorNumber::kBadParameter);
  }
  EXPECT_EQ(NumberOf(OpenRecords({.path = folder.path() + "/none"}).status()),
            ErrorNumber::kNotFound);
}

}  // namespace
}  // namespace bench
}  // namespace quire
