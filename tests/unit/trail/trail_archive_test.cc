// Archiving and holding segments: what a restore and a backup rest on.
#include "server/trail/trail_archive.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "server/trail/trail_format.h"
#include "server/trail/trail_replay.h"
#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

constexpr uint64_t kPayloadBytes = 5000;  // three batches of two blocks fill half a segment

class TrailArchiveTest : public testing::Test {
 protected:
  void Open(bool archive) {
    trail_.reset();
    auto device = OpenFileDevice(directory_.path() + "/trail", TrailSync::kFdatasync);
    ASSERT_TRUE(device.ok()) << device.status();
    TrailOptions options;
    options.volume_id = kTestVolumeId;
    options.segment_bytes = kMinSegmentBytes;
    if (archive) options.archive_directory = archive_.path();
    options.report_archive_failure = [this](const absl::Status&) { ++failures_; };
    auto trail = Trail::Open(*std::move(device), options);
    ASSERT_TRUE(trail.ok()) << trail.status();
    trail_ = *std::move(trail);
    const Replayed replayed = ReplayAll(*trail_, released_);
    ASSERT_TRUE(replayed.last_lsn.ok()) << replayed.last_lsn.status();
    QUIRE_ASSERT_OK(trail_->Start(*replayed.last_lsn, ++epoch_));
  }
  Lsn AppendOne() {
    TrailBatch batch;
    batch.Add({.kind = TrailRecordKind::kCommand,
               .file = 1,
               .block = 0,
               .payload = std::string(kPayloadBytes, 'p')});
    EXPECT_TRUE(trail_->EnsureRoom(batch.disc_bytes()).ok());
    const absl::StatusOr<Lsn> lsn = trail_->Append(batch);
    EXPECT_TRUE(lsn.ok()) << lsn.status();
    return lsn.ok() ? *lsn : 0;
  }
  void Release(Lsn lsn) { trail_->Release(released_ = lsn); }

  std::string Folder() { return TrailArchive::FolderOf(archive_.path(), kTestVolumeId); }
  // The LSN to which the archived segments go on without a hole.
  Lsn ArchivedTo() {
    auto device = OpenFileDevice(Folder(), TrailSync::kFdatasync);
    EXPECT_TRUE(device.ok()) << device.status();
    const auto content =
        ReplayTrail(**device, kTestVolumeId, 0,
                    [](Lsn, absl::Span<const TrailRecord>) { return absl::OkStatus(); });
    EXPECT_TRUE(content.ok()) << content.status();
    return content.ok() ? content->last_lsn : 0;
  }

  TestDirectory directory_;
  TestDirectory archive_;
  std::unique_ptr<Trail> trail_;
  std::atomic<int> failures_ = 0;
  uint64_t epoch_ = 0;
  Lsn released_ = 0;
};

TEST_F(TrailArchiveTest, EverythingReusedIsInTheArchive) {
  Open(true);
  // So many that segments must be reused: what is not in the archive must be in the trail.
  Lsn last = 0;
  for (int i = 0; i < 400; ++i) {
    last = AppendOne();
    if (i % 3 == 0) Release(last);
  }
  const std::vector<TrailPart> parts = trail_->DurableParts();
  trail_.reset();
  const Lsn archived = ArchivedTo();
  EXPECT_GT(archived, 0u);
  EXPECT_LE(archived, last);
  auto device = *OpenFileDevice(directory_.path() + "/trail", TrailSync::kFdatasync);
  EXPECT_TRUE(ReplayTrail(*device, kTestVolumeId, archived,
                          [](Lsn, absl::Span<const TrailRecord>) { return absl::OkStatus(); })
                  .ok())
      << "the trail goes on where the archive ends";
}

TEST_F(TrailArchiveTest, WhatWasReleasedBeforeAStartIsArchivedAfterIt) {
  Open(false);
  Lsn last = 0;
  for (int i = 0; i < 20; ++i) last = AppendOne();
  Open(true);
  Release(last);
  AppendOne();
  while (trail_->Statistics().segments == 0 || !std::filesystem::exists(Folder()) ||
         ArchivedTo() < last) {
    std::this_thread::yield();
  }
}

TEST_F(TrailArchiveTest, ASegmentOfAnotherCopyIsNotTakenForThisOne) {
  Open(true);
  for (int i = 0; i < 20; ++i) AppendOne();
  trail_.reset();
  // Another copy of the volume was here: same number, other content.
  std::filesystem::create_directories(Folder());
  std::filesystem::copy_file(directory_.path() + "/trail/0000000000000002.trail",
                             Folder() + "/0000000000000001.trail");
  Open(true);
  Release(20);
  while (failures_ == 0) std::this_thread::yield();
}

TEST_F(TrailArchiveTest, AFailingArchiveKeepsSegmentsAndIsTriedAgain) {
  Open(true);
  // A file where the folder was: every try fails.
  std::filesystem::remove_all(Folder());
  std::filesystem::copy_file(directory_.path() + "/trail/0000000000000001.trail", Folder());
  Lsn last = 0;
  for (int i = 0; i < 40; ++i) last = AppendOne();
  Release(last);
  while (failures_ == 0) std::this_thread::yield();
  const std::string first = directory_.path() + "/trail/0000000000000001.trail";
  EXPECT_TRUE(std::filesystem::exists(first)) << "neither reused nor removed";
  std::filesystem::remove(Folder());
  std::filesystem::create_directories(Folder());
  while (!std::filesystem::exists(Folder() + "/0000000000000001.trail")) std::this_thread::yield();
}

TEST_F(TrailArchiveTest, HeldSegmentsStay) {
  Open(false);
  auto hold = trail_->Hold();
  Lsn last = 0;
  for (int i = 0; i < 60; ++i) {
    last = AppendOne();
    Release(last);
  }
  std::vector<TrailPart> parts = trail_->DurableParts();
  ASSERT_GT(parts.size(), 4u);
  EXPECT_EQ(parts.front().segment, 1u);
  EXPECT_EQ(parts.back().last_lsn, last);
  for (size_t i = 1; i < parts.size(); ++i) EXPECT_LT(parts[i - 1].last_lsn, parts[i].last_lsn);
  // What a part promises is there: whole batches up to its last LSN.
  for (const TrailPart& part : parts) {
    AlignedBytes bytes(part.bytes, 0);
    QUIRE_ASSERT_OK(trail_->ReadPart(part.segment, 0, bytes.span()));
    Lsn lsn = 0;
    for (uint64_t offset = 0; offset < part.bytes;) {
      BatchHeader header;
      std::vector<TrailRecord> records;
      QUIRE_ASSERT_OK(ParseBatch(bytes.span().subspan(offset), &header, &records));
      offset += header.disc_bytes();
      lsn = header.last_lsn();
    }
    EXPECT_EQ(lsn, part.last_lsn);
  }
  hold.reset();
  parts = trail_->DurableParts();
  ASSERT_EQ(parts.size(), 1u) << "what was released meanwhile is released now";
  EXPECT_EQ(parts.back().last_lsn, last);
}

}  // namespace
}  // namespace quire
