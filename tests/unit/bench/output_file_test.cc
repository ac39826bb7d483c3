#include "client/bench/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "client/bench/text_file.h"
#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(OutputFileTest, AppearsOnlyWhenCommitted) {
  const TestFolder folder;
  const std::string path = folder.Make("f", "old");
  {
    absl::StatusOr<OutputFile> file = OutputFile::Create(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Write("new").ok());
    EXPECT_EQ(*ReadTextFile(path), "old");
  }
  EXPECT_EQ(*ReadTextFile(path), "old");
  ASSERT_TRUE(WriteFile(path, "new").ok());
  EXPECT_EQ(*ReadTextFile(path), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(OutputFileTest, SpecialFilesAreWrittenInPlace) {
  EXPECT_TRUE(WriteFile("/dev/null", "text").ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(NumberOf(WriteFile("/dev/full", "text")), ErrorNumber::kNoDiscSpace);
}

TEST(OutputFileTest, ErrorsOfOpening) {
  const TestFolder folder;
  EXPECT_EQ(NumberOf(WriteFile(folder.path() + "/none/f", "x")), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(WriteFile(folder.path(), "x")), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace bench
}  // namespace quire
