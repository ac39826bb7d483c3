#include "client/bench/byte_source.h"

#include <gtest/gtest.h>

#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(ByteSourceTest, FileAndMemoryGiveTheSameBytes) {
  const TestFolder folder;
  const std::string text = "some bytes\n";
  absl::StatusOr<std::unique_ptr<ByteSource>> file = OpenFileBytes(folder.Make("f", text));
  ASSERT_TRUE(file.ok());
  const std::unique_ptr<ByteSource> memory = MemoryBytes(text);
  for (ByteSource* source : {file->get(), memory.get()}) {
    std::string all;
    char buffer[4];
    for (;;) {
      const absl::StatusOr<size_t> got = source->Read(buffer, sizeof(buffer));
      ASSERT_TRUE(got.ok());
      if (*got == 0) break;
      all.append(buffer, *got);
    }
    EXPECT_EQ(all, text);
    EXPECT_EQ(source->position(), text.size());
    EXPECT_EQ(source->size(), text.size());
  }
}

TEST(ByteSourceTest, ErrorsOfOpening) {
  const TestFolder folder;
  EXPECT_EQ(NumberOf(OpenFileBytes(folder.path() + "/none").status()), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(OpenFileBytes(folder.path()).status()), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace bench
}  // namespace quire
