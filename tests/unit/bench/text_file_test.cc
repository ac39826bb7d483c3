#include "client/bench/text_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(TextFileTest, ReadsAllOrSaysWhyNot) {
  const TestFolder folder;
  const std::string text(200000, 'x');
  EXPECT_EQ(*ReadTextFile(folder.Make("f", text)), text);
  EXPECT_EQ(NumberOf(ReadTextFile(folder.path() + "/none").status()), ErrorNumber::kNotFound);
  const std::string large = folder.Make("large", "");
  std::filesystem::resize_file(large, kMaxTextFileBytes + 1);
  EXPECT_EQ(NumberOf(ReadTextFile(large).status()), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace bench
}  // namespace quire
