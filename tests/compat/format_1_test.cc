// H5: what format version 1 wrote is read by every later version. Kept are one label, one sealed
// block, one trail batch and one control-point value, as hexadecimal text in version_1/. They were
// made once, by the program that wrote version 1, and are never made again.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quire/error.h"
#include "server/trail/trail_format.h"
#include "server/volume/control_point.h"
#include "tests/compat/kept_bytes.h"

namespace quire {
namespace {

TEST(Format1, H5_LabelIsRead) {
  const absl::StatusOr<FileLabel> label = DecodeLabel(Kept("version_1/label"));
  ASSERT_TRUE(label.ok()) << Describe(label.status());
  EXPECT_TRUE(*label == KeptLabel());
}

TEST(Format1, H5_BlockChecksAndIsRead) {
  const std::string image = Kept("version_1/block");
  ASSERT_EQ(image.size(), kKeptImageBytes);
  EXPECT_EQ(VerifyImage(image, kKeptFileId, kKeptBlock), "");
  BlockView view(image);
  ASSERT_TRUE(view.Validate(6));
  ASSERT_EQ(view.count(), 2u);
  EXPECT_EQ(view.level(), kDataLevel);
  EXPECT_EQ(view.Item(0), "..0001bolt");
  EXPECT_EQ(view.Key(1, KeyField{2, 4}), "0002");
}

TEST(Format1, H5_TrailBatchIsReplayed) {
  const std::string batch = Kept("version_1/batch");
  BatchHeader header;
  std::vector<TrailRecord> records;
  const absl::Status status = ParseBatch(batch, &header, &records);
  ASSERT_TRUE(status.ok()) << Describe(status);
  EXPECT_EQ(header.volume_id, 42u);
  EXPECT_EQ(header.epoch, 3u);
  EXPECT_EQ(header.segment, 5u);
  EXPECT_EQ(header.first_lsn, 1000u);
  EXPECT_EQ(header.last_lsn(), 1001u);
  EXPECT_EQ(header.version, 1);
  EXPECT_EQ(header.time_us, 0);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].kind, TrailRecordKind::kBlockImage);
  EXPECT_EQ(records[0].block, kKeptBlock);
  EXPECT_EQ(VerifyImage(records[0].payload, kKeptFileId, kKeptBlock), "");
  FileLabel label = KeptLabel();
  label.tree = {};
  label.extents_allocated = 0;
  ASSERT_TRUE(DecodeState(records[1].payload, &label).ok());
  EXPECT_TRUE(label == KeptLabel());
}

TEST(Format1, H5_ControlPointIsRead) {
  const absl::StatusOr<ControlPointMeta> meta =
      DecodeControlPointMeta(Kept("version_1/control-point"));
  ASSERT_TRUE(meta.ok()) << Describe(meta.status());
  EXPECT_EQ(meta->lsn, 999u);
  EXPECT_EQ(meta->epoch, 3u);
  EXPECT_EQ(meta->next_file_id, 8u);
  EXPECT_EQ(meta->change_sequence, 12345u);
}

}  // namespace
}  // namespace quire
