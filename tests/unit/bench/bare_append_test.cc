#include "client/bench/bare_append.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "client/bench/text_file.h"
#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(BareAppendTest, AppendsToAFileThatIsThereAlready) {
  const TestFolder folder;
  for (AppendWay way : {AppendWay::kFdatasync, AppendWay::kDirect}) {
    const std::string path = folder.path() + "/append";
    const absl::StatusOr<std::unique_ptr<BareAppend>> append = BareAppend::Make(path, way, 8192);
    ASSERT_TRUE(append.ok()) << append.status();
    const uintmax_t size = std::filesystem::file_size(path);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE((*append)->Append().ok());
    EXPECT_EQ(std::filesystem::file_size(path), size);
    const std::string text = *ReadTextFile(path);
    EXPECT_EQ(text.find('\0'), 3u * 8192);
    EXPECT_EQ(text.find_first_not_of('x'), 3u * 8192);
  }
}

TEST(BareAppendTest, RefusesWhatCannotBeDone) {
  const TestFolder folder;
  EXPECT_EQ(NumberOf(BareAppend::Make(folder.path() + "/a", AppendWay::kDirect, 100).status()),
            ErrorNumber::kBadParameter);
  EXPECT_EQ(
      NumberOf(BareAppend::Make(folder.path() + "/none/a", AppendWay::kDirect, 4096).status()),
      ErrorNumber::kNotFound);
}

}  // namespace
}  // namespace bench
}  // namespace quire
