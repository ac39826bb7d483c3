#include "server/trail/file_device.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

TEST(FileDevice, NamesAreSixteenHexDigits) {
  TestDirectory directory;
  auto device = OpenFileDevice(directory.path() + "/trail", TrailSync::kFdatasync);
  ASSERT_TRUE(device.ok()) << device.status();
  QUIRE_ASSERT_OK((*device)->Create(0xABC, kTestSegmentBytes));
  EXPECT_EQ(fs::file_size(directory.path() + "/trail/0000000000000abc.trail"), kTestSegmentBytes);
}

// R-D17: zeros are written, not only promised, so that appending allocates nothing.
TEST(FileDevice, R_D17_SegmentsAreAllocated) {
  TestDirectory directory;
  auto device = OpenFileDevice(directory.path() + "/trail", TrailSync::kDirect);
  ASSERT_TRUE(device.ok()) << device.status();
  QUIRE_ASSERT_OK((*device)->Create(1, kTestSegmentBytes));
  struct stat status = {};
  ASSERT_EQ(stat((directory.path() + "/trail/0000000000000001.trail").c_str(), &status), 0);
  EXPECT_GE(static_cast<uint64_t>(status.st_blocks) * 512, kTestSegmentBytes);
}

TEST(FileDevice, AutoFindsAWayThatWorks) {
  TestDirectory directory;
  auto device = OpenFileDevice(directory.path() + "/trail", TrailSync::kAuto);
  ASSERT_TRUE(device.ok()) << device.status();
  QUIRE_ASSERT_OK((*device)->Create(1, kTestSegmentBytes));
  EXPECT_EQ(*(*device)->List(), std::vector<uint64_t>{1});
}

TEST(FileDevice, ListRemovesHalfMadeSegmentsAndLeavesOtherFilesAlone) {
  TestDirectory directory;
  auto device = OpenFileDevice(directory.path() + "/trail", TrailSync::kFdatasync);
  ASSERT_TRUE(device.ok()) << device.status();
  QUIRE_ASSERT_OK((*device)->Create(1, kTestSegmentBytes));
  const std::string unfinished = directory.path() + "/trail/0000000000000002.new";
  const std::vector<std::string> others = {
      directory.path() + "/trail/notes", directory.path() + "/trail/000000000000000A.trail",
      directory.path() + "/trail/00000000000000zz.trail", directory.path() + "/trail/3.trail"};
  std::ofstream(unfinished) << "half";
  for (const std::string& name : others) std::ofstream(name) << "kept";
  EXPECT_EQ(*(*device)->List(), std::vector<uint64_t>{1});
  EXPECT_FALSE(fs::exists(unfinished));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(name)) << name;
}

TEST(FileDevice, DirectoryThatCannotBeMadeIs66) {
  TestDirectory directory;
  std::ofstream(directory.path() + "/file") << "x";
  EXPECT_EQ(NumberOf(OpenFileDevice(directory.path() + "/file", TrailSync::kFdatasync).status()),
            ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(OpenFileDevice(directory.path() + "/a/b", TrailSync::kFdatasync).status()),
            ErrorNumber::kVolumeDown);
}

TEST(FileDevice, ShortenedSegmentIs66) {
  TestDirectory directory;
  auto device = OpenFileDevice(directory.path() + "/trail", TrailSync::kFdatasync);
  ASSERT_TRUE(device.ok()) << device.status();
  QUIRE_ASSERT_OK((*device)->Create(1, kTestSegmentBytes));
  fs::resize_file(directory.path() + "/trail/0000000000000001.trail", kTrailBlockBytes + 100);
  AlignedBytes bytes(2 * kTrailBlockBytes, 'x');
  EXPECT_EQ(NumberOf((*device)->Read(1, 0, bytes.span())), ErrorNumber::kVolumeDown);
}

// A limit on file sizes makes the kernel cut a write short and refuse the rest.
TEST(FileDevice, RefusedCreateLeavesNothingBehind) {
  TestDirectory directory;
  auto device = OpenFileDevice(directory.path() + "/trail", TrailSync::kFdatasync);
  ASSERT_TRUE(device.ok()) << device.status();
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {kTestSegmentBytes / 2 + 100, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = (*device)->Create(1, kTestSegmentBytes);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kVolumeDown) << status;
  EXPECT_TRUE(fs::is_empty(directory.path() + "/trail"));
}

// A full disc, without one: /dev/full is a file on which every write ends with ENOSPC, and no trail
// may take that for anything but a failed write.
TEST(FileDevice, R_D8_WriteWithoutSpaceIs66) {
  TestDirectory directory;
  auto device = OpenFileDevice(directory.path() + "/trail", TrailSync::kFdatasync);
  ASSERT_TRUE(device.ok()) << device.status();
  fs::create_symlink("/dev/full", directory.path() + "/trail/0000000000000001.trail");
  AlignedBytes bytes(kTrailBlockBytes, 'x');
  EXPECT_EQ(NumberOf((*device)->WriteDurably(1, 0, bytes.span())), ErrorNumber::kVolumeDown);
}

// R-D8: the same in Create is 43: nothing was promised yet.
TEST(FileDevice, R_D8_CreateWithoutSpaceIs43) {
  TestDirectory directory;
  auto device = OpenFileDevice(directory.path() + "/trail", TrailSync::kFdatasync);
  ASSERT_TRUE(device.ok()) << device.status();
  const uint64_t more_than_any_disc = uint64_t{1} << 43;  // 8 TiB; refused by asking, not by trying
  const fs::space_info space = fs::space(directory.path() + "/trail");
  if (space.available > more_than_any_disc) GTEST_SKIP() << "a disc larger than the test";
  const absl::Status status = (*device)->Create(1, more_than_any_disc);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kNoDiscSpace) << status;
  EXPECT_TRUE(fs::is_empty(directory.path() + "/trail"));
}

}  // namespace
}  // namespace quire
