#include "tests/support/test_volume.h"

#include <gtest/gtest.h>

#include <utility>

#include "quire/error.h"
#include "quire/file_name.h"

namespace quire::test {
namespace {

constexpr uint64_t kTestCacheBytes = 8 << 20;
constexpr uint64_t kTestSegmentBytes = 1 << 20;

}  // namespace

TestVolume::TestVolume(VolumeOptions options) : options_(std::move(options)) {
  if (options_.name.empty()) options_.name = "$DATA01";
  if (options_.cache_bytes == kDefaultCacheBytes) options_.cache_bytes = kTestCacheBytes;
  if (options_.trail_segment_bytes == kTrailSegmentBytes) {
    options_.trail_segment_bytes = kTestSegmentBytes;
  }
  if (options_.directory.empty()) {
    options_.open_store = [this]() -> absl::StatusOr<std::unique_ptr<BlockStore>> {
      return WrapWithFaults(OpenMemoryStore(disc, store_bytes), faults);
    };
    options_.open_trail_device = [this]() -> absl::StatusOr<std::unique_ptr<TrailDevice>> {
      return OpenSimulatedDevice(medium);
    };
  }
  Open();
}

TestVolume::~TestVolume() {
  Close();
}

absl::Status TestVolume::TryOpen() {
  absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(options_);
  if (!volume.ok()) return volume.status();
  volume_ = *std::move(volume);
  return absl::OkStatus();
}

void TestVolume::Open() {
  const absl::Status status = TryOpen();
  ASSERT_TRUE(status.ok()) << Describe(status);
}

void TestVolume::Crash() {
  volume_->Crash();
  volume_.reset();
  medium->Heal();
}

void TestVolume::CrashAndReopen() {
  Crash();
  Open();
}

void TestVolume::Reopen() {
  Close();
  Open();
}

void TestVolume::Close() {
  if (volume_ == nullptr) return;
  if (volume_->Health().ok()) {
    const absl::Status check = volume_->CheckTrees();
    EXPECT_TRUE(check.ok()) << Describe(check);
  }
  volume_.reset();
}

CreateRequest SmallFile(const std::string& name, bool buffered) {
  return SmallFile(name, buffered ? FileMode::kBuffered : FileMode::kWriteThrough);
}

CreateRequest SmallFile(const std::string& name, FileMode mode) {
  CreateRequest create;
  create.name = *ParseFileName(name);
  create.attributes.key_length = 4;
  create.attributes.record_bytes = 100;
  create.attributes.block_bytes = 512;
  create.attributes.extents = {1000, 1000};
  create.attributes.buffered = mode == FileMode::kBuffered;
  create.attributes.audit = mode == FileMode::kAudit;
  return create;
}

std::string SmallKey(int key) {
  char text[16];
  std::snprintf(text, sizeof(text), "%04d", key);
  return text;
}

std::string SmallRecord(int key, std::string_view text) {
  return SmallKey(key).append(text);
}

}  // namespace quire::test
