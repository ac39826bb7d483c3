// H5: what format version 1 wrote is read by every later version. Kept are one label, one sealed
// block, one trail batch and one control-point value, as hexadecimal text in version_1/.
//
// The files were made once, by this test with QUIRE_REWRITE_COMPAT=1, and are never made again: a
// new format gets a folder of its own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "quire/error.h"
#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/base/bytes.h"
#include "server/btree/block_view.h"
#include "server/keyseq/file_label.h"
#include "server/trail/trail_format.h"
#include "server/volume/control_point.h"

namespace quire {
namespace {

constexpr FileId kFileId = 7;
constexpr BlockNumber kBlock = 3;
constexpr uint32_t kImageBytes = 512 - 16;
constexpr size_t kLineBytes = 32;

std::string Path(std::string_view name) {
  return StrCat(QUIRE_SOURCE_DIR, "/tests/compat/version_1/", name, ".hex");
}

void Keep(std::string_view name, std::string_view bytes) {
  std::ofstream out(Path(name));
  for (size_t i = 0; i < bytes.size(); ++i) {
    out << StrCat(absl::Hex(static_cast<unsigned char>(bytes[i]), absl::kZeroPad2));
    if ((i + 1) % kLineBytes == 0 || i + 1 == bytes.size()) out << '\n';
  }
}

std::string Kept(std::string_view name) {
  std::ifstream in(Path(name));
  EXPECT_TRUE(in.is_open()) << Path(name);
  std::string bytes;
  std::string line;
  while (std::getline(in, line)) {
    for (size_t i = 0; i + 1 < line.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(line.substr(i, 2), nullptr, 16));
    }
  }
  return bytes;
}

// What was kept, as it was before it became bytes.
FileLabel TheLabel() {
  FileLabel label;
  label.id = kFileId;
  label.name = FileName{"", "$DATA01", "SHOP", "PARTS"};
  label.attributes.format = 1;
  label.attributes.code = 100;
  label.attributes.extents = {16, 32};
  label.attributes.record_bytes = 80;
  label.attributes.block_bytes = 512;
  label.attributes.key_length = 4;
  label.attributes.key_offset = 2;
  label.attributes.lock_length = 4;
  label.attributes.buffered = true;
  label.attributes.partitions = {{"$DATA02", {8, 8}, "5"}, {"$DATA03", {4, 4}, "7"}};
  label.primary_volume = "$DATA01";
  label.create_id = 0x0123456789ABCDEF;
  label.confirmed = true;
  label.owner_group = 10;
  label.owner_user = 1;
  label.security = "GOGO";
  label.created_us = 1700000000000000;
  label.modified_us = 1700000001000000;
  label.last_open_us = 1700000002000000;
  label.tree = {3, 0, 4, 2, 0, 2};
  label.extents_allocated = 1;
  return label;
}

std::string TheBlock() {
  std::string image(kImageBytes, '\0');
  const absl::Span<char> bytes(image.data(), image.size());
  FormatImage(bytes, kFileId, kBlock, kDataLevel);
  const std::string_view records[] = {"..0001bolt", "..0002nut"};
  uint32_t end = kBlockHeaderBytes;
  uint16_t count = 0;
  for (const std::string_view record : records) {
    image.replace(end, record.size(), record);
    end += static_cast<uint32_t>(record.size());
    ++count;
    StoreLittle<uint16_t>(image.data() + image.size() - kSlotBytes * count,
                          static_cast<uint16_t>(end));
  }
  StoreLittle<uint16_t>(image.data() + block_offset::kRecordCount, count);
  SealImage(bytes);
  return image;
}

std::string TheBatch() {
  const std::string image = TheBlock();
  const std::string state = EncodeState(TheLabel());
  const TrailRecord records[] = {{TrailRecordKind::kBlockImage, kFileId, kBlock, image},
                                 {TrailRecordKind::kFileState, kFileId, 0, state}};
  std::string batch(kTrailBlockBytes, '\0');
  uint64_t at = kBatchHeaderBytes;
  for (const TrailRecord& record : records) {
    EncodeTrailRecord(record, batch.data() + at);
    at += TrailRecordBytes(record.payload.size());
  }
  BatchHeader header;
  header.volume_id = 42;
  header.epoch = 3;
  header.segment = 5;
  header.first_lsn = 1000;
  header.position = 2;
  header.length = 1;
  header.content_bytes = static_cast<uint32_t>(at);
  header.record_count = 2;
  EncodeBatchHeader(header, absl::MakeSpan(batch.data(), batch.size()));
  return batch;
}

std::string TheControlPoint() {
  return EncodeControlPointMeta(ControlPointMeta{999, 3, 8, 12345});
}

class Format1 : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::getenv("QUIRE_REWRITE_COMPAT") == nullptr) return;
    Keep("label", EncodeLabel(TheLabel()));
    Keep("block", TheBlock());
    Keep("batch", TheBatch());
    Keep("control-point", TheControlPoint());
  }
};

TEST_F(Format1, H5_LabelIsRead) {
  const absl::StatusOr<FileLabel> label = DecodeLabel(Kept("label"));
  ASSERT_TRUE(label.ok()) << Describe(label.status());
  EXPECT_TRUE(*label == TheLabel());
}

TEST_F(Format1, H5_BlockChecksAndIsRead) {
  const std::string image = Kept("block");
  ASSERT_EQ(image.size(), kImageBytes);
  EXPECT_EQ(VerifyImage(image, kFileId, kBlock), "");
  BlockView view(image);
  ASSERT_TRUE(view.Validate(6));
  ASSERT_EQ(view.count(), 2u);
  EXPECT_EQ(view.level(), kDataLevel);
  EXPECT_EQ(view.Item(0), "..0001bolt");
  EXPECT_EQ(view.Key(1, KeyField{2, 4}), "0002");
}

TEST_F(Format1, H5_TrailBatchIsReplayed) {
  const std::string batch = Kept("batch");
  BatchHeader header;
  std::vector<TrailRecord> records;
  const absl::Status status = ParseBatch(batch, &header, &records);
  ASSERT_TRUE(status.ok()) << Describe(status);
  EXPECT_EQ(header.volume_id, 42u);
  EXPECT_EQ(header.epoch, 3u);
  EXPECT_EQ(header.segment, 5u);
  EXPECT_EQ(header.first_lsn, 1000u);
  EXPECT_EQ(header.last_lsn(), 1001u);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].kind, TrailRecordKind::kBlockImage);
  EXPECT_EQ(records[0].block, kBlock);
  EXPECT_EQ(VerifyImage(records[0].payload, kFileId, kBlock), "");
  FileLabel label = TheLabel();
  label.tree = {};
  label.extents_allocated = 0;
  ASSERT_TRUE(DecodeState(records[1].payload, &label).ok());
  EXPECT_TRUE(label == TheLabel());
}

TEST_F(Format1, H5_ControlPointIsRead) {
  const absl::StatusOr<ControlPointMeta> meta = DecodeControlPointMeta(Kept("control-point"));
  ASSERT_TRUE(meta.ok()) << Describe(meta.status());
  EXPECT_EQ(meta->lsn, 999u);
  EXPECT_EQ(meta->epoch, 3u);
  EXPECT_EQ(meta->next_file_id, 8u);
  EXPECT_EQ(meta->change_sequence, 12345u);
}

// As long as version 1 is what is written, it is written the same, byte for byte.
TEST_F(Format1, H5_WhatIsWrittenNowIsTheSame) {
  EXPECT_TRUE(EncodeLabel(TheLabel()) == Kept("label"));
  EXPECT_TRUE(TheBlock() == Kept("block"));
  EXPECT_TRUE(TheBatch() == Kept("batch"));
  EXPECT_TRUE(TheControlPoint() == Kept("control-point"));
}

}  // namespace
}  // namespace quire
