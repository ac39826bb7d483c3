#include "quire/byte_size.h"

#include <limits>

#include "gtest/gtest.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

uint64_t Parsed(absl::string_view text) {
  ByteSize size;
  std::string error;
  return AbslParseFlag(text, &size, &error) ? size.bytes : 0;
}

TEST(ByteSizeTest, NumbersWithAndWithoutSuffix) {  // R-A8
  EXPECT_EQ(Parsed("4096"), 4096U);
  EXPECT_EQ(Parsed("4096B"), 4096U);
  EXPECT_EQ(Parsed("3KiB"), 3072U);
  EXPECT_EQ(Parsed("512MiB"), uint64_t{512} << 20);
  EXPECT_EQ(Parsed("2GiB"), uint64_t{2} << 30);
  EXPECT_EQ(Parsed(" 1 TiB "), uint64_t{1} << 40);
  EXPECT_EQ(Parsed("18446744073709551615"), std::numeric_limits<uint64_t>::max());
}

TEST(ByteSizeTest, AnythingElseIsRefusedWithASentence) {
  for (const char* text : {"", "B", "MiB", "-1", "1.5MiB", "1MB", "1mib", "x", "1KiBKiB",
                           "18446744073709551616", "16777216TiB"}) {
    ByteSize size{7};
    std::string error;
    EXPECT_FALSE(AbslParseFlag(text, &size, &error)) << text;
    EXPECT_EQ(size.bytes, 7U) << text;
    EXPECT_NE(error.find("is no size"), std::string::npos) << text;
  }
}

TEST(ByteSizeTest, UnparsedTextParsesBack) {
  EXPECT_EQ(AbslUnparseFlag({uint64_t{512} << 20}), "512MiB");
  EXPECT_EQ(AbslUnparseFlag({1025}), "1025");
  EXPECT_EQ(AbslUnparseFlag({0}), "0");
  TestRandom random;
  for (int i = 0; i < 1000; ++i) {
    const ByteSize size{random.Below(1 << 20) << random.Below(44)};
    EXPECT_EQ(Parsed(AbslUnparseFlag(size)), size.bytes);
  }
}

}  // namespace
}  // namespace quire
