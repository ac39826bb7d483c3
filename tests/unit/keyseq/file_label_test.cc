#include "server/keyseq/file_label.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/escaping.h"
#include "quire/error.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

FileLabel LabelOf(int partitions) {
  FileAttributes attributes;
  attributes.format = 2;
  attributes.code = 1234;
  attributes.extents = {2, 4};
  attributes.max_extents = 40;
  attributes.record_bytes = 100;
  attributes.block_bytes = 512;
  attributes.key_length = 9;
  attributes.key_offset = 2;
  attributes.buffered = true;
  for (int i = 0; i < partitions; ++i) {
    attributes.partitions.push_back(
        {"$DATA0" + std::to_string(i + 2), {8, 16}, std::to_string(i) + "0"});
  }
  FileLabel label;
  label.id = 4711;
  label.name = {"\\NODE", "$DATA01", "STOCK", "PARTS"};
  label.attributes = *Normalize(attributes);
  label.primary_volume = "$DATA01";
  label.create_id = 0x0102030405060708;
  label.confirmed = true;
  label.owner_group = 10;
  label.owner_user = 1;
  label.security = "GOGO";
  label.created_us = 1000;
  label.modified_us = 2000;
  label.last_open_us = 3000;
  label.tree = {3, 1, 9, 2, 0, 12};
  label.extents_allocated = 2;
  return label;
}

TEST(FileLabel, GoldenBytes) {
  EXPECT_EQ(absl::BytesToHexString(EncodeLabel(LabelOf(1))),
            "016712000000000000050000005c4e4f444507000000244441544130310500000053544f434b0500"
            "000050415254530000000007000000244441544130310807060504030201020a0000000100000004"
            "000000474f474fe803000000000000b80b0000000000004b02000000d20400000200000000000000"
            "04000000000000002800000064000000000200000900000002000000090000000101000000070000"
            "00244441544130320800000000000000100000000000000002000000303001030000000100000009"
            "00000002000000000000000c0000000000000002000000d007000000000000");
}

TEST(FileLabel, ComesBackEqual) {
  for (int partitions : {0, 1, 5}) {
    FileLabel label = LabelOf(partitions);
    label.partition = static_cast<uint32_t>(partitions);
    label.pending = partitions == 1;
    label.purged = partitions == 5;
    label.bad = partitions == 5;
    const absl::StatusOr<FileLabel> back = DecodeLabel(EncodeLabel(label));
    ASSERT_EQ(back.status(), absl::OkStatus());
    EXPECT_EQ(*back, label);
  }
}

// Without LOOKASIDE a label is what version 1 writes, so that older programs go on with the file.
TEST(FileLabel, LookasideComesBackAndRaisesTheVersionOnlyWhenUsed) {
  for (int partitions : {0, 3}) {
    for (Lookaside lookaside : {Lookaside::kOff, Lookaside::kNoFreeze, Lookaside::kFreeze}) {
      FileLabel label = LabelOf(partitions);
      label.attributes.lookaside = lookaside;
      const std::string bytes = EncodeLabel(label);
      EXPECT_EQ(bytes.front(), lookaside == Lookaside::kOff ? '\x01' : '\x02');
      const absl::StatusOr<FileLabel> back = DecodeLabel(bytes);
      ASSERT_EQ(back.status(), absl::OkStatus());
      EXPECT_EQ(*back, label);
      for (size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_EQ(NumberOf(DecodeLabel(bytes.substr(0, length)).status()), ErrorNumber::kFileBad);
      }
    }
  }
  // A version 2 that says OFF, or what nobody has said yet.
  FileLabel label = LabelOf(0);
  label.attributes.lookaside = Lookaside::kFreeze;
  const std::string good = EncodeLabel(label);
  const size_t at = good.size() - EncodeState(label).size() - 1;
  ASSERT_EQ(good[at], '\x02');
  for (char value : {'\x00', '\x03'}) {
    std::string bad = good;
    bad[at] = value;
    EXPECT_EQ(NumberOf(DecodeLabel(bad).status()), ErrorNumber::kFileBad);
  }
}

// R-D1.
TEST(FileLabel, D1StateTravelsAlone) {
  const FileLabel label = LabelOf(1);
  FileLabel other = LabelOf(1);
  other.tree = {};
  other.extents_allocated = 0;
  other.modified_us = 0;
  ASSERT_EQ(DecodeState(EncodeState(label), &other), absl::OkStatus());
  EXPECT_EQ(other, label);
}

TEST(FileLabel, StateThatContradictsItselfChangesNothing) {
  const FileLabel label = LabelOf(0);
  for (int fault = 0; fault < 5; ++fault) {
    FileLabel bad = label;
    if (fault == 0) bad.tree.root = 9;
    if (fault == 1) bad.tree.free_blocks = 10;
    if (fault == 2) bad.extents_allocated = 41;
    if (fault == 3) bad.tree.eof_blocks = 4000000000;
    FileLabel target = label;
    std::string bytes = EncodeState(bad);
    if (fault == 4) bytes += 'x';
    EXPECT_EQ(NumberOf(DecodeState(bytes, &target)), ErrorNumber::kFileBad) << fault;
    EXPECT_EQ(target, label);
  }
}

TEST(FileLabel, CutOffAnywhereIs59) {
  const std::string bytes = EncodeLabel(LabelOf(3));
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(NumberOf(DecodeLabel(bytes.substr(0, length)).status()), ErrorNumber::kFileBad);
  }
  EXPECT_EQ(NumberOf(DecodeLabel(bytes + "x").status()), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(DecodeLabel("\x03" + bytes.substr(1)).status()), ErrorNumber::kFileBad);
}

TEST(FileLabel, ArbitraryBytesGiveALabelOr59) {
  TestRandom random;
  const std::string good = EncodeLabel(LabelOf(3));
  for (int round = 0; round < 50000; ++round) {
    std::string bytes = good;
    for (uint64_t flips = random.Between(1, 8); flips > 0; --flips) {
      bytes[random.Below(bytes.size())] = static_cast<char>(random.Below(256));
    }
    const absl::StatusOr<FileLabel> label = DecodeLabel(bytes);
    if (label.ok()) {
      EXPECT_EQ(EncodeLabel(*label), bytes);
    } else {
      EXPECT_EQ(NumberOf(label.status()), ErrorNumber::kFileBad);
    }
  }
}

TEST(FileLabel, InfoShowsTheLabel) {
  const FileLabel label = LabelOf(1);
  const FileInfo info = InfoOf(label);
  EXPECT_EQ(info.name, label.name);
  EXPECT_EQ(info.attributes, label.attributes);
  EXPECT_EQ(info.eof_bytes, 9u * 512);
  EXPECT_EQ(info.record_count, 12u);
  EXPECT_EQ(info.free_blocks, 2u);
  EXPECT_EQ(info.index_levels, 1u);
  EXPECT_EQ(info.extents_allocated, 2u);
  EXPECT_EQ(info.label_bytes, EncodeLabel(label).size());
  EXPECT_EQ(info.create_id, label.create_id);
}

}  // namespace
}  // namespace quire
