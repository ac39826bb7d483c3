#include "server/keyseq/key_sequenced_file.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quire/error.h"
#include "server/base/bytes.h"
#include "server/store/memory_store.h"

namespace quire {
namespace {

FileAttributes AttributesOf() {
  FileAttributes attributes;
  attributes.extents = {2, 1};  // 8 and 4 blocks
  attributes.record_bytes = 200;
  attributes.block_bytes = 512;
  attributes.key_length = 4;
  attributes.key_offset = 2;
  return attributes;
}

class KeySequencedFileTest : public testing::Test {
 protected:
  KeySequencedFileTest()
      : store_(OpenMemoryStore(std::make_shared<MemoryDisc>(), 1 << 30)),
        cache_(store_.get(), CacheOptions{16 << 20, 0}) {
    Make(AttributesOf(), 0);
  }
  ~KeySequencedFileTest() override {
    if (!file_->label().bad) {
      EXPECT_EQ(file_->tree().Check(), absl::OkStatus());
    }
  }

  void Make(const FileAttributes& attributes, uint32_t partition) {
    FileLabel label;
    label.id = ++last_id_;
    label.name = {"", "$DATA01", "STOCK", "PARTS"};
    label.attributes = *Normalize(attributes);
    label.partition = partition;
    file_ = std::make_unique<KeySequencedFile>(label, &cache_);
  }
  // Number of the error; 0 for success. The record read is in record_.
  int Do(OperationKind kind, std::string_view bytes, ReadMode mode = ReadMode::kByKey,
         bool reverse = false) {
    Operation operation;
    operation.kind = kind;
    operation.mode = mode;
    operation.reverse = reverse;
    const bool keyed = kind == OperationKind::kRead || kind == OperationKind::kDelete;
    (keyed ? operation.key : operation.record) = bytes;
    std::string data = "before";
    const OperationResult result = file_->Execute(operation, ++time_us_, calls_, &data);
    EXPECT_EQ(data.substr(0, 6), "before");
    record_ = data.substr(result.offset, result.length);
    return static_cast<int>(NumberOf(result.status));
  }
  int Write(std::string_view record) { return Do(OperationKind::kWrite, record); }
  static std::string RecordOf(int number, size_t bytes = 200) {
    const std::string digits = std::to_string(number);
    std::string record = "xx" + std::string(4 - digits.size(), '0') + digits;
    record.resize(bytes, '.');
    return record;
  }

  std::unique_ptr<BlockStore> store_;
  BlockCache cache_;
  std::unique_ptr<KeySequencedFile> file_;
  BlockCalls calls_;
  FileId last_id_ = 0;
  int64_t time_us_ = 100;
  std::string record_;
};

TEST_F(KeySequencedFileTest, WritesReadsUpdatesDeletes) {
  EXPECT_EQ(Write("xx0001one"), 0);
  EXPECT_EQ(Write("yy0001two"), 10);
  EXPECT_EQ(Do(OperationKind::kRead, "0001"), 0);
  EXPECT_EQ(record_, "xx0001one");
  EXPECT_EQ(Do(OperationKind::kUpdate, "zz0001three"), 0);
  EXPECT_EQ(Do(OperationKind::kRead, "0001"), 0);
  EXPECT_EQ(record_, "zz0001three");
  EXPECT_EQ(Do(OperationKind::kUpdate, "zz0002three"), 11);
  EXPECT_EQ(Do(OperationKind::kDelete, "0001"), 0);
  EXPECT_EQ(Do(OperationKind::kDelete, "0001"), 11);
  EXPECT_EQ(Do(OperationKind::kRead, "0001"), 11);
  EXPECT_EQ(Do(OperationKind::kRead, "0001", ReadMode::kApproximate), 1);
}

// R-B2, R-S7.
TEST_F(KeySequencedFileTest, B2RecordAndKeyLengths) {
  EXPECT_EQ(Write(""), 21);
  EXPECT_EQ(Write("xx000"), 21);
  EXPECT_EQ(Write(std::string(201, 'x')), 21);
  EXPECT_EQ(Write(RecordOf(1)), 0);
  EXPECT_EQ(Write("xx0002"), 0);
  EXPECT_EQ(Do(OperationKind::kUpdate, ""), 21);
  EXPECT_EQ(Do(OperationKind::kDelete, "000"), 21);
  EXPECT_EQ(Do(OperationKind::kRead, "000"), 21);
  EXPECT_EQ(Do(OperationKind::kRead, "00000"), 21);
  EXPECT_EQ(Do(OperationKind::kRead, "00000", ReadMode::kApproximate), 21);
  EXPECT_EQ(Do(OperationKind::kRead, "00", ReadMode::kGeneric), 0);
  EXPECT_EQ(file_->label().tree.record_count, 2u);
  Operation unknown;
  unknown.kind = static_cast<OperationKind>(77);
  std::string data;
  EXPECT_EQ(NumberOf(file_->Execute(unknown, 1, calls_, &data).status), ErrorNumber::kBadParameter);
}

TEST_F(KeySequencedFileTest, ChangesSetTimeAndMarkTheLabel) {
  EXPECT_FALSE(file_->label_changed);
  EXPECT_EQ(Do(OperationKind::kRead, "0001"), 11);
  EXPECT_FALSE(file_->label_changed);
  EXPECT_EQ(Write(RecordOf(1)), 0);
  EXPECT_TRUE(file_->label_changed);
  EXPECT_EQ(file_->label().modified_us, time_us_);
  EXPECT_EQ(Write(RecordOf(1)), 10);
  EXPECT_EQ(file_->label().modified_us, time_us_ - 1);
}

class PartitionTest : public KeySequencedFileTest {
 protected:
  PartitionTest() {
    FileAttributes attributes = AttributesOf();
    attributes.partitions = {{"$DATA02", {1, 1}, "3"}, {"$DATA03", {1, 1}, "6"}};
    Make(attributes, 1);
    for (int n : {3000, 4000, 5000}) EXPECT_EQ(Write(RecordOf(n, 20)), 0);
  }
  std::vector<std::string> Scan(const KeyRange& range, bool start_exclusive) {
    Cursor cursor = file_->Scan(range, false, start_exclusive);
    RecordChunk chunk;
    bool end = false;
    EXPECT_EQ(cursor.Fill(1 << 20, 0, calls_, &chunk, &end), absl::OkStatus());
    EXPECT_TRUE(end);
    std::vector<std::string> keys;
    for (size_t i = 0; i < chunk.size(); ++i) keys.push_back(chunk.data.substr(20 * i + 2, 4));
    return keys;
  }
};

TEST_F(PartitionTest, KeyOfAnotherPartitionIs60) {
  EXPECT_EQ(Write(RecordOf(2999, 20)), 60);
  EXPECT_EQ(Write(RecordOf(6000, 20)), 60);
  EXPECT_EQ(Do(OperationKind::kDelete, "6000"), 60);
  EXPECT_EQ(Do(OperationKind::kRead, "1000"), 60);
  EXPECT_EQ(Write(RecordOf(5999, 20)), 0);
}

TEST_F(PartitionTest, PositionedReadsMayStartOutside) {
  EXPECT_EQ(Do(OperationKind::kRead, "1000", ReadMode::kApproximate), 0);
  EXPECT_EQ(record_.substr(2, 4), "3000");
  EXPECT_EQ(Do(OperationKind::kRead, "7000", ReadMode::kApproximate, true), 0);
  EXPECT_EQ(record_.substr(2, 4), "5000");
}

TEST_F(PartitionTest, ScanStaysWithinThePartition) {
  EXPECT_EQ(Scan({"", ""}, false), (std::vector<std::string>{"3000", "4000", "5000"}));
  EXPECT_EQ(Scan({"4000", "9"}, true), std::vector<std::string>{"5000"});
  EXPECT_EQ(Scan({"1", "4000"}, true), std::vector<std::string>{"3000"});
  EXPECT_TRUE(Scan({"7", "8"}, false).empty());
}

TEST_F(KeySequencedFileTest, ExtentsAreTakenInTurnAndEndIn45) {
  int n = 0;
  int answer = 0;
  while ((answer = Write(RecordOf(n))) == 0) {
    const uint32_t extents = file_->label().extents_allocated;
    const uint32_t blocks = file_->label().tree.eof_blocks;
    EXPECT_LE(blocks, 8 + 4 * (extents - 1));
    EXPECT_GT(blocks, extents == 1 ? 0 : 8 + 4 * (extents - 2));
    EXPECT_EQ(calls_.extent_allocations, extents);
    ++n;
  }
  EXPECT_EQ(answer, 45);
  EXPECT_EQ(file_->label().extents_allocated, 16u);
  EXPECT_EQ(file_->label().tree.record_count, static_cast<uint64_t>(n));
  EXPECT_FALSE(file_->label().bad);
  // Freed blocks are used before 45; so is what MAXEXTENTS adds.
  for (int k = 0; k < 8; ++k) {
    EXPECT_EQ(Do(OperationKind::kDelete, RecordOf(k).substr(2, 4)), 0);
  }
  EXPECT_EQ(Write(RecordOf(n)), 0);
  EXPECT_EQ(file_->SetMaxExtents(17), absl::OkStatus());
  for (int k = 0; k < 8; ++k) EXPECT_EQ(Write(RecordOf(++n)), 0);
  EXPECT_EQ(file_->label().extents_allocated, 17u);
}

TEST_F(KeySequencedFileTest, MaxExtentsOutOfRangeIs21) {
  for (uint32_t bad : {0u, 15u, 979u}) {
    EXPECT_EQ(NumberOf(file_->SetMaxExtents(bad)), ErrorNumber::kIllegalCount);
  }
  file_->mutable_label().extents_allocated = 20;
  EXPECT_EQ(NumberOf(file_->SetMaxExtents(19)), ErrorNumber::kIllegalCount);
  EXPECT_EQ(file_->SetMaxExtents(20), absl::OkStatus());
  EXPECT_TRUE(file_->label_changed);
  FileAttributes large = AttributesOf();
  large.extents = {500000, 500000};
  Make(large, 0);
  EXPECT_EQ(file_->SetMaxExtents(978), absl::OkStatus());  // format 2: just below 1 TB
  large.extents = {60000, 60000};
  large.format = 1;
  Make(large, 0);
  EXPECT_EQ(NumberOf(file_->SetMaxExtents(100)), ErrorNumber::kIllegalCount);
}

TEST_F(KeySequencedFileTest, SetModeSwitchesTheCache) {
  EXPECT_TRUE(file_->cached().write_through);
  file_->SetMode(/*buffered=*/true, /*audit=*/true);
  EXPECT_FALSE(file_->cached().write_through);
  EXPECT_TRUE(file_->label().attributes.buffered);
  EXPECT_TRUE(file_->label().attributes.audit);
  file_->SetMode(/*buffered=*/false, /*audit=*/false);
  EXPECT_TRUE(file_->cached().write_through);
}

TEST_F(KeySequencedFileTest, RestoreStateEndsStandingCursors) {
  ASSERT_EQ(Write(RecordOf(1)), 0);
  const std::string state = EncodeState(file_->label());
  const uint64_t version = file_->tree().version();
  EXPECT_EQ(file_->RestoreState(state), absl::OkStatus());
  EXPECT_GT(file_->tree().version(), version);
  EXPECT_EQ(NumberOf(file_->RestoreState("x")), ErrorNumber::kFileBad);
}

TEST_F(KeySequencedFileTest, DamagedBlockMarksTheFileBadAndReadsGoOn) {
  for (int n = 0; n < 10; ++n) ASSERT_EQ(Write(RecordOf(n)), 0);
  {
    BlockCalls not_counted;
    absl::StatusOr<Pin> pin = cache_.FetchForWrite(file_->cached(), 1, BlockUse::kData);
    ASSERT_TRUE(pin.ok());
    const absl::Span<char> image = cache_.BeginWrite(file_->cached(), *pin, not_counted);
    StoreLittle<uint16_t>(image.data() + image.size() - 2, 30000);  // slot 0
  }
  EXPECT_EQ(Do(OperationKind::kRead, "0000"), 59);
  EXPECT_TRUE(file_->label().bad);
  EXPECT_EQ(Do(OperationKind::kRead, "0009"), 0);
  EXPECT_EQ(Write(RecordOf(100)), 59);
  EXPECT_EQ(Do(OperationKind::kDelete, "0009"), 59);
}

}  // namespace
}  // namespace quire
