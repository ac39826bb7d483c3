#include "server/trail/trail_batch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "server/trail/trail_format.h"
#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

constexpr TrailBatch::Stamp kStamp = {
    .volume_id = kTestVolumeId, .epoch = 1, .segment = 1, .offset = 0, .first_lsn = 1};

OwnedBatch RecordsOf(TrailBatch& batch) {
  const absl::Span<const char> bytes = batch.Finish(kStamp);
  EXPECT_EQ(bytes.size(), batch.disc_bytes());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % kTrailBlockBytes, 0u);
  BatchHeader header;
  std::vector<TrailRecord> views;
  EXPECT_TRUE(ParseBatch(bytes, &header, &views).ok());
  OwnedBatch records;
  for (const TrailRecord& view : views) {
    records.push_back({view.kind, view.file, view.block, std::string(view.payload)});
  }
  return records;
}

TEST(TrailBatch, EmptyTakesNothing) {
  const TrailBatch batch;
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(batch.disc_bytes(), 0u);
}

TEST(TrailBatch, AllKindsComeBack) {
  const OwnedBatch records = {
      {TrailRecordKind::kBlockImage, 1, 2, std::string(4080, 'i')},
      {TrailRecordKind::kFileState, 3, 0, "state"},
      {TrailRecordKind::kCommand, 4, 0, ""},
  };
  TrailBatch batch;
  Fill(records, &batch);
  EXPECT_EQ(batch.record_count(), 3u);
  EXPECT_EQ(RecordsOf(batch), records);
}

TEST(TrailBatch, PayloadsAreCopiedAndAligned) {
  TrailBatch batch;
  std::string payload = "before";
  batch.Add({.payload = payload});
  payload = "after!";
  batch.Add({.payload = payload});
  BatchHeader header;
  std::vector<TrailRecord> records;
  QUIRE_ASSERT_OK(ParseBatch(batch.Finish(kStamp), &header, &records));
  EXPECT_EQ(records[0].payload, "before");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(records[1].payload.data()) % kTrailRecordAlignment, 0u);
}

TEST(TrailBatch, DiscBytesAreWholeBlocks) {
  TrailBatch batch;
  const uint64_t most = kTrailBlockBytes - kBatchHeaderBytes - kTrailRecordHeaderBytes;
  batch.Add({.payload = std::string(most, 'x')});
  EXPECT_EQ(batch.disc_bytes(), kTrailBlockBytes);
  batch.Add({.payload = ""});
  EXPECT_EQ(batch.disc_bytes(), 2 * kTrailBlockBytes);
}

TEST(TrailBatch, GrowsAndIsReused) {
  std::mt19937_64 random(TestSeed());
  TrailBatch batch;
  for (int round = 0; round < 20; ++round) {
    OwnedBatch records;
    for (int i = 0; i <= round; ++i) {
      for (OwnedRecord& record : RandomBatch(random, 100000)) records.push_back(std::move(record));
    }
    Fill(records, &batch);
    ASSERT_EQ(RecordsOf(batch), records);
  }
  // What a longer batch left in the buffer does not show in the padding of a shorter one.
  Fill({{TrailRecordKind::kCommand, 1, 0, "short"}}, &batch);
  const absl::Span<const char> bytes = batch.Finish(kStamp);
  const std::string_view padding(bytes.data() + 128, bytes.size() - 128);
  EXPECT_EQ(padding.find_first_not_of('\0'), std::string_view::npos);
}

TEST(TrailBatch, Moves) {
  TrailBatch first;
  first.Add({.file = 1, .payload = "first"});
  TrailBatch second = std::move(first);
  TrailBatch third;
  third.Add({.file = 3, .payload = "third"});
  third = std::move(second);
  EXPECT_EQ(RecordsOf(third), (OwnedBatch{{TrailRecordKind::kBlockImage, 1, 0, "first"}}));
}

}  // namespace
}  // namespace quire
