#include "server/base/durable_file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/test_directory.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(DurableFile, HasItsNameOnlyWhenFinished) {
  const TestDirectory directory;
  const std::string path = directory.path() + "/file";
  DurableFile file(path);
  ASSERT_EQ(file.Open(), 0);
  ASSERT_EQ(file.Append("one "), 0);
  ASSERT_EQ(file.Append("two"), 0);
  EXPECT_FALSE(fs::exists(path));
  ASSERT_EQ(file.Finish(), 0);
  EXPECT_EQ(ReadAll(path), "one two");
  FileSum sum;
  ASSERT_EQ(SumFile(path, &sum), 0);
  EXPECT_EQ(sum, file.sum());
  EXPECT_EQ(sum.bytes, 7u);
}

TEST(DurableFile, UnfinishedLeavesNothing) {
  const TestDirectory directory;
  {
    DurableFile file(directory.path() + "/file");
    ASSERT_EQ(file.Open(), 0);
    ASSERT_EQ(file.Append("bytes"), 0);
  }
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

TEST(DurableFile, CopyIsTheSameAndSumsDiffer) {
  const TestDirectory directory;
  const std::string from = directory.path() + "/from";
  const std::string bytes(3'000'001, 'q');
  std::ofstream(from) << bytes;
  FileSum copied;
  ASSERT_EQ(CopyDurably(from, directory.path() + "/to", &copied), 0);
  EXPECT_EQ(ReadAll(directory.path() + "/to"), bytes);
  FileSum sum;
  ASSERT_EQ(SumFile(from, &sum), 0);
  EXPECT_EQ(sum, copied);
  std::ofstream(from, std::ios::app) << "r";
  ASSERT_EQ(SumFile(from, &sum), 0);
  EXPECT_NE(sum, copied);
}

TEST(DurableFile, ErrnoTellsWhy) {
  const TestDirectory directory;
  EXPECT_EQ(DurableFile(directory.path() + "/no/such").Open(), ENOENT);
  FileSum sum;
  EXPECT_EQ(SumFile(directory.path() + "/none", &sum), ENOENT);
  EXPECT_EQ(CopyDurably(directory.path() + "/none", directory.path() + "/to", nullptr), ENOENT);
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

}  // namespace
}  // namespace quire
