#include "server/trail/trail_format.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <string>

#include "absl/strings/escaping.h"
#include "quire/error.h"
#include "server/base/bytes.h"
#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

constexpr TrailBatch::Stamp kStamp = {.volume_id = kTestVolumeId,
                                      .epoch = 7,
                                      .segment = 9,
                                      .offset = 3 * kTrailBlockBytes,
                                      .first_lsn = 100,
                                      .time_us = 1764531000123456};

std::string SmallBatch() {
  TrailBatch batch;
  batch.Add({.kind = TrailRecordKind::kBlockImage, .file = 5, .block = 6, .payload = "image"});
  batch.Add({.kind = TrailRecordKind::kCommand, .file = 8, .payload = "command!"});
  const absl::Span<const char> bytes = batch.Finish(kStamp);
  return std::string(bytes.data(), bytes.size());
}

// Sets a field and makes the checksum right again, as another program would have written it.
template <typename T>
void Rewrite(std::string* batch, size_t offset, T value) {
  StoreLittle(batch->data() + offset, value);
  BatchHeader header;
  if (!PeekBatchHeader(*batch, &header)) return;
  EncodeBatchHeader(header, absl::MakeSpan(*batch));
}

absl::Status Parse(const std::string& bytes) {
  BatchHeader header;
  std::vector<TrailRecord> records;
  return ParseBatch(bytes, &header, &records);
}

// The batch of SmallBatch, field by field.
constexpr char kGoldenHex[] =
    "4889005f1d514a6c"   // checksum
    "5154524c02000000"   // magic, version, reserved
    "8877665544332211"   // volume id
    "0700000000000000"   // epoch
    "0900000000000000"   // segment
    "6400000000000000"   // first LSN
    "0300000001000000"   // position, length
    "8800000002000000"   // content bytes, record count
    "402075e3d4440600"   // time
    "0100000005000000"   // kind, payload bytes
    "0500000000000000"   // file id
    "0600000000000000"   // block number, reserved
    "696d616765000000"   // payload, padding
    "0300000008000000"   // kind, payload bytes
    "0800000000000000"   // file id
    "0000000000000000"   // block number, reserved
    "636f6d6d616e6421";  // payload

TEST(TrailFormat, GoldenHex) {
  const std::string batch = SmallBatch();
  ASSERT_EQ(batch.size(), kTrailBlockBytes);
  EXPECT_EQ(std::string(absl::BytesToHexString(batch.substr(0, 136))), kGoldenHex);
  EXPECT_EQ(batch.find_first_not_of('\0', 136), std::string::npos);
}

TEST(TrailFormat, KindsOnDiscAreNeverReused) {
  EXPECT_EQ(static_cast<int>(TrailRecordKind::kBlockImage), 1);
  EXPECT_EQ(static_cast<int>(TrailRecordKind::kFileState), 2);
  EXPECT_EQ(static_cast<int>(TrailRecordKind::kCommand), 3);
  EXPECT_EQ(static_cast<int>(TrailRecordKind::kRedo), 4);
  EXPECT_EQ(static_cast<int>(TrailRecordKind::kAnswers), 5);
}

TEST(TrailFormat, HeaderComesBack) {
  const std::string batch = SmallBatch();
  BatchHeader header;
  std::vector<TrailRecord> records;
  QUIRE_ASSERT_OK(ParseBatch(batch, &header, &records));
  EXPECT_EQ(header.version, kBatchVersion);
  EXPECT_EQ(header.volume_id, kTestVolumeId);
  EXPECT_EQ(header.epoch, 7u);
  EXPECT_EQ(header.segment, 9u);
  EXPECT_EQ(header.position, 3u);
  EXPECT_EQ(header.length, 1u);
  EXPECT_EQ(header.first_lsn, 100u);
  EXPECT_EQ(header.last_lsn(), 101u);
  EXPECT_EQ(header.content_bytes, 72u + 32u + 32u);
  EXPECT_EQ(header.time_us, 1764531000123456);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].payload, "image");
  EXPECT_EQ(records[0].block, 6u);
  EXPECT_EQ(records[1].payload, "command!");
  EXPECT_EQ(records[1].file, 8u);
}

TEST(TrailFormat, RecordBytesKeepAlignment) {
  EXPECT_EQ(TrailRecordBytes(0), 24u);
  EXPECT_EQ(TrailRecordBytes(1), 32u);
  EXPECT_EQ(TrailRecordBytes(8), 32u);
  EXPECT_EQ(TrailRecordBytes(9), 40u);
}

TEST(TrailFormat, EveryFlippedBitIsSeen) {
  std::string batch = SmallBatch();
  for (size_t i = 0; i < batch.size(); ++i) {
    batch[i] = static_cast<char>(batch[i] ^ 0x10);
    EXPECT_EQ(NumberOf(Parse(batch)), ErrorNumber::kFileBad) << "byte " << i;
    batch[i] = static_cast<char>(batch[i] ^ 0x10);
  }
  QUIRE_ASSERT_OK(Parse(batch));
}

TEST(TrailFormat, CutShortIsSeen) {
  const std::string batch = SmallBatch();
  for (size_t bytes = 0; bytes < batch.size(); bytes += 13) {
    EXPECT_EQ(NumberOf(Parse(batch.substr(0, bytes))), ErrorNumber::kFileBad) << bytes;
  }
}

TEST(TrailFormat, WrongContentWithARightChecksumIsAnError) {
  struct Case {
    size_t offset;
    uint32_t value;
    const char* name;
  };
  const std::array cases = {
      Case{60, 3, "one record too many"},
      Case{60, 1, "one record too few"},
      Case{56, 72 + 32 + 31, "content cut"},
      Case{72 + 4, 4000, "payload beyond the batch"},
      Case{72 + 4, 0xFFFFFFFF, "payload beyond everything"},
      Case{72, 6, "kind not known yet"},
      Case{72, 0, "kind zero"},
  };
  for (const Case& change : cases) {
    std::string batch = SmallBatch();
    Rewrite(&batch, change.offset, change.value);
    EXPECT_EQ(NumberOf(Parse(batch)), ErrorNumber::kFileBad) << change.name;
  }
}

TEST(TrailFormat, NewerVersionIsNamed) {
  std::string batch = SmallBatch();
  Rewrite(&batch, 12, uint16_t{3});
  const absl::Status status = Parse(batch);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kFileBad);
  EXPECT_NE(Describe(status).find("version 3, this program knows up to 2"), std::string::npos)
      << Describe(status);
}

// The batch that version 1 made of a record: no time, the record where the time is now.
std::string Version1Batch(const TrailRecord& record) {
  std::string batch(kTrailBlockBytes, '\0');
  EncodeTrailRecord(record, batch.data() + kBatchHeaderBytesOfVersion1);
  const auto content =
      static_cast<uint32_t>(kBatchHeaderBytesOfVersion1 + TrailRecordBytes(record.payload.size()));
  EncodeBatchHeader({.version = 1,
                     .volume_id = kTestVolumeId,
                     .epoch = 7,
                     .segment = 9,
                     .first_lsn = 100,
                     .position = 3,
                     .length = 1,
                     .content_bytes = content,
                     .record_count = 1,
                     .time_us = 5},
                    absl::MakeSpan(batch));
  return batch;
}

TEST(TrailFormat, Version1IsReadWithoutATime) {
  const std::string batch =
      Version1Batch({.kind = TrailRecordKind::kCommand, .file = 8, .block = 0, .payload = "old"});
  BatchHeader header;
  std::vector<TrailRecord> records;
  QUIRE_ASSERT_OK(ParseBatch(batch, &header, &records));
  EXPECT_EQ(header.version, 1);
  EXPECT_EQ(header.time_us, 0);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].payload, "old");
}

TEST(TrailFormat, Version1HasThreeKindsOnly) {
  for (const auto kind : {TrailRecordKind::kRedo, TrailRecordKind::kAnswers}) {
    const std::string batch = Version1Batch({.kind = kind, .file = 8, .block = 0, .payload = ""});
    EXPECT_EQ(NumberOf(Parse(batch)), ErrorNumber::kFileBad);
  }
}

TEST(TrailFormat, ImpossibleHeadersAreRefused) {
  BatchHeader header;
  for (const auto& [offset, value] : std::vector<std::pair<size_t, uint32_t>>{
           {52, 0}, {52, 0xFFFFFFFF}, {56, 71}, {56, 4097}, {60, 0}}) {
    std::string batch = SmallBatch();
    StoreLittle(batch.data() + offset, value);
    EXPECT_FALSE(PeekBatchHeader(batch, &header)) << offset << " " << value;
  }
  std::string batch = SmallBatch();
  StoreLittle(batch.data() + 40, ~uint64_t{0});  // the last LSN would wrap
  EXPECT_FALSE(PeekBatchHeader(batch, &header));
}

// What a fuzzer does, briefly: no bytes at all may do harm, with right checksums or wrong ones.
TEST(TrailFormat, RandomBytes) {
  std::mt19937_64 random(TestSeed());
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = SmallBatch().substr(0, random() % (kTrailBlockBytes + 1));
    const int changes = static_cast<int>(random() % 8);
    for (int i = 0; i < changes && !bytes.empty(); ++i) {
      bytes[random() % std::min<size_t>(bytes.size(), 148)] = static_cast<char>(random());
    }
    BatchHeader header;
    std::vector<TrailRecord> records;
    if (random() % 2 == 0 && PeekBatchHeader(bytes, &header) &&
        header.disc_bytes() <= bytes.size()) {
      EncodeBatchHeader(header, absl::MakeSpan(bytes.data(), header.disc_bytes()));
    }
    if (!ParseBatch(bytes, &header, &records).ok()) continue;
    for (const TrailRecord& record : records) {
      ASSERT_GE(record.payload.data(), bytes.data());
      ASSERT_LE(record.payload.data() + record.payload.size(), bytes.data() + bytes.size());
    }
  }
}

}  // namespace
}  // namespace quire
