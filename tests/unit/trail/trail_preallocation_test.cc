// R-D17: a sync while appending costs no metadata. Between two appends to a segment the file system
// is asked for nothing: no size, no allocation, no state of an extent, no directory entry changes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

// What a sync would have to write beside the data.
struct Metadata {
  ino_t file = 0;
  off_t bytes = 0;
  blkcnt_t blocks = 0;
  int64_t directory_changed_ns = 0;
  bool operator==(const Metadata&) const = default;
};

Metadata MetadataOf(const std::string& directory, const std::string& segment) {
  struct stat file = {};
  struct stat entries = {};
  EXPECT_EQ(stat((directory + "/" + segment).c_str(), &file), 0);
  EXPECT_EQ(stat(directory.c_str(), &entries), 0);
  return {file.st_ino, file.st_size, file.st_blocks,
          entries.st_mtim.tv_sec * 1'000'000'000 + entries.st_mtim.tv_nsec};
}

// Extents that are allocated and were never written; nothing where the file system cannot say.
std::optional<uint32_t> UnwrittenExtents(const std::string& path) {
  constexpr uint32_t kExtents = 256;
  std::vector<char> memory(sizeof(fiemap) + kExtents * sizeof(fiemap_extent), '\0');
  fiemap request = {};
  request.fm_length = FIEMAP_MAX_OFFSET;
  request.fm_flags = FIEMAP_FLAG_SYNC;
  request.fm_extent_count = kExtents;
  std::memcpy(memory.data(), &request, sizeof(request));
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int result = ioctl(descriptor, FS_IOC_FIEMAP, memory.data());
  close(descriptor);
  if (result != 0) return std::nullopt;
  std::memcpy(&request, memory.data(), sizeof(request));
  uint32_t unwritten = 0;
  for (uint32_t i = 0; i < request.fm_mapped_extents; ++i) {
    fiemap_extent extent;
    std::memcpy(&extent, memory.data() + sizeof(fiemap) + i * sizeof(extent), sizeof(extent));
    if ((extent.fe_flags & FIEMAP_EXTENT_UNWRITTEN) != 0) ++unwritten;
  }
  return unwritten;
}

constexpr uint64_t kMinTestSegmentBytes = uint64_t{64} << 10;

class TrailPreallocationTest : public testing::TestWithParam<TrailSync> {
 protected:
  void Append() {
    TrailBatch batch;
    batch.Add({.kind = TrailRecordKind::kCommand, .file = 1, .block = 0, .payload = "small"});
    QUIRE_ASSERT_OK(trail_->EnsureRoom(batch.disc_bytes()));
    const absl::StatusOr<Lsn> lsn = trail_->Append(batch);
    ASSERT_TRUE(lsn.ok()) << lsn.status();
    last_ = *lsn;
  }
  std::string path() const { return directory_.path() + "/trail"; }

  TestDirectory directory_;
  std::unique_ptr<Trail> trail_;
  Lsn last_ = 0;
};

TEST_P(TrailPreallocationTest, R_D17_AppendingChangesNoMetadata) {
  auto device = OpenFileDevice(path(), GetParam());
  ASSERT_TRUE(device.ok()) << device.status();
  trail_ = OpenTrail(*std::move(device));
  ASSERT_TRUE(ReplayAll(*trail_, 0).last_lsn.ok());
  QUIRE_ASSERT_OK(trail_->Start(0, 1));
  const std::string first = "0000000000000001.trail";
  const Metadata before = MetadataOf(path(), first);
  EXPECT_EQ(before.bytes, static_cast<off_t>(kTestSegmentBytes));
  EXPECT_GE(before.blocks * 512, before.bytes) << "all of it is allocated";
  const auto unwritten = UnwrittenExtents(path() + "/" + first);
  EXPECT_EQ(unwritten.value_or(0), 0u) << "and written";
  // Fewer than let the next segment be made in the background.
  for (uint64_t i = 0; i < kTestSegmentBytes / 8 / kTrailBlockBytes; ++i) {
    ASSERT_NO_FATAL_FAILURE(Append());
    EXPECT_TRUE(MetadataOf(path(), first) == before) << "append " << i;
  }
}

TEST_P(TrailPreallocationTest, R_D17_AReusedSegmentKeepsItsBlocks) {
  auto device = OpenFileDevice(path(), GetParam());
  ASSERT_TRUE(device.ok()) << device.status();
  trail_ = OpenTrail(*std::move(device), kMinTestSegmentBytes);
  ASSERT_TRUE(ReplayAll(*trail_, 0).last_lsn.ok());
  QUIRE_ASSERT_OK(trail_->Start(0, 1));
  const ino_t first = MetadataOf(path(), "0000000000000001.trail").file;
  // Three segments' worth, all released: the first comes round again under a higher number.
  for (uint64_t i = 0; i < 8 * kMinTestSegmentBytes / kTrailBlockBytes; ++i) {
    ASSERT_NO_FATAL_FAILURE(Append());
    trail_->Release(last_);
  }
  trail_.reset();
  auto again = OpenFileDevice(path(), GetParam());
  ASSERT_TRUE(again.ok());
  const absl::StatusOr<std::vector<uint64_t>> segments = (*again)->List();
  ASSERT_TRUE(segments.ok()) << segments.status();
  bool found = false;
  for (const uint64_t segment : *segments) {
    const std::string name = SegmentFileName(segment);
    const Metadata now = MetadataOf(path(), name);
    EXPECT_GE(now.blocks * 512, now.bytes) << name;
    EXPECT_EQ(UnwrittenExtents(path() + "/" + name).value_or(0), 0u) << name;
    if (now.file == first) found = segment > 1;
  }
  EXPECT_TRUE(found) << "segment 1 was used again, not made anew";
}

INSTANTIATE_TEST_SUITE_P(Syncs, TrailPreallocationTest,
                         testing::Values(TrailSync::kFdatasync, TrailSync::kDirect));

}  // namespace
}  // namespace quire
