#include "server/keyseq/open_position.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "quire/error.h"
#include "server/base/bytes.h"
#include "server/store/memory_store.h"

namespace quire {
namespace {

constexpr uint32_t kKeyLength = 4;

class OpenPositionTest : public testing::Test {
 protected:
  OpenPositionTest()
      : store_(OpenMemoryStore(std::make_shared<MemoryDisc>(), 1 << 30)),
        cache_(store_.get(), CacheOptions{16 << 20, 0}) {
    Make(AttributesOf(), 0);
  }

  static FileAttributes AttributesOf() {
    FileAttributes attributes;
    attributes.record_bytes = 100;
    attributes.block_bytes = 512;
    attributes.key_length = kKeyLength;
    attributes.max_extents = 900;
    return attributes;
  }
  void Make(const FileAttributes& attributes, uint32_t partition) {
    FileLabel label;
    label.id = ++last_id_;
    label.name = {"", "$DATA01", "STOCK", "PARTS"};
    label.attributes = *Normalize(attributes);
    label.partition = partition;
    file_ = std::make_unique<KeySequencedFile>(label, &cache_);
    position_.emplace(file_.get());
  }

  int Execute(OperationKind kind, std::string_view bytes) {
    Operation operation;
    operation.kind = kind;
    (kind == OperationKind::kDelete ? operation.key : operation.record) = bytes;
    std::string data;
    return static_cast<int>(NumberOf(file_->Execute(operation, 1, calls_, &data).status));
  }
  int Write(std::string_view key) {
    std::string record(key);
    record.resize(100, '.');
    return Execute(OperationKind::kWrite, record);
  }
  int Delete(std::string_view key) { return Execute(OperationKind::kDelete, key); }
  static std::string KeyOf(int number) {
    const std::string digits = std::to_string(number);
    return std::string(kKeyLength - digits.size(), '0') + digits;
  }

  Position PositionAt(std::string_view key, PositioningMode mode = PositioningMode::kApproximate) {
    Position position;
    position.key.assign(key);
    position.compare_length = static_cast<uint32_t>(key.size());
    position.mode = mode;
    return position;
  }
  // READ: the key of the record, or "1" and the like.
  std::string Read() {
    const Position before = position_->value();
    std::string record;
    std::string key;
    const absl::Status status = position_->Peek(calls_, &record, &key);
    EXPECT_EQ(position_->value(), before);
    if (!status.ok()) return std::to_string(static_cast<int>(NumberOf(status)));
    EXPECT_EQ(record.substr(0, kKeyLength), key);
    position_->Accept();
    EXPECT_EQ(position_->value().key, key);
    EXPECT_TRUE(position_->value().next);
    return key;
  }
  // READUPDATE.
  std::string Reread() {
    const Position before = position_->value();
    std::string record;
    const absl::Status status = position_->Current(calls_, &record);
    EXPECT_EQ(position_->value(), before);
    if (!status.ok()) return std::to_string(static_cast<int>(NumberOf(status)));
    return record.substr(0, kKeyLength);
  }
  int64_t TakeInputCalls() {
    const int64_t calls = calls_.driver_input_calls;
    calls_ = BlockCalls();
    return calls;
  }

  std::unique_ptr<BlockStore> store_;
  BlockCache cache_;
  std::unique_ptr<KeySequencedFile> file_;
  std::optional<OpenPosition> position_;
  BlockCalls calls_;
  FileId last_id_ = 0;
};

TEST_F(OpenPositionTest, AfterOpenItIsBeforeTheFirstRecord) {
  EXPECT_EQ(position_->value(), Position());
  EXPECT_EQ(Read(), "1");
  for (int n : {1, 2, 3}) ASSERT_EQ(Write(KeyOf(n)), 0);
  EXPECT_EQ(Read(), "0001");
  EXPECT_EQ(Read(), "0002");
  EXPECT_EQ(Read(), "0003");
  EXPECT_EQ(Read(), "1");
  EXPECT_EQ(position_->value().key, "0003");
}

// R-S5: whatever becomes of a READ before it is accepted, the position stands.
TEST_F(OpenPositionTest, S5PeekDoesNotMove) {
  for (int n : {1, 2, 3}) ASSERT_EQ(Write(KeyOf(n)), 0);
  EXPECT_EQ(Read(), "0001");
  std::string record;
  std::string key;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(position_->Peek(calls_, &record, &key), absl::OkStatus());
    EXPECT_EQ(key, "0002");
    EXPECT_EQ(Reread(), "0001");
  }
  ASSERT_EQ(Delete("0002"), 0);  // while the READ waited for its lock
  EXPECT_EQ(Read(), "0003");
}

TEST_F(OpenPositionTest, SetSearchesNothing) {
  for (int n : {1, 2, 3}) ASSERT_EQ(Write(KeyOf(n)), 0);
  TakeInputCalls();
  position_->Set(PositionAt("9999"));
  EXPECT_EQ(TakeInputCalls(), 0);
  EXPECT_EQ(Read(), "1");
  EXPECT_EQ(position_->value(), PositionAt("9999"));
  position_->Set(PositionAt("0002"));
  EXPECT_EQ(Read(), "0002");
  const Position saved = position_->value();
  EXPECT_EQ(Read(), "0003");
  position_->Set(saved);  // REPOSITION
  EXPECT_EQ(Read(), "0003");
}

TEST_F(OpenPositionTest, AnInsertBehindTheEndIsFoundByTheNextRead) {
  ASSERT_EQ(Write("0001"), 0);
  EXPECT_EQ(Read(), "0001");
  EXPECT_EQ(Read(), "1");
  EXPECT_EQ(Read(), "1");
  ASSERT_EQ(Write("0002"), 0);
  EXPECT_EQ(Read(), "0002");
  ASSERT_EQ(Write("0003"), 0);  // no READ met the end in between
  EXPECT_EQ(Read(), "0003");
  EXPECT_EQ(Read(), "1");
  ASSERT_EQ(Write("0000"), 0);
  EXPECT_EQ(Read(), "1");
}

TEST_F(OpenPositionTest, GoesOnAfterTheCurrentRecordIsDeleted) {
  for (int n : {1, 2, 3}) ASSERT_EQ(Write(KeyOf(n)), 0);
  EXPECT_EQ(Read(), "0001");
  EXPECT_EQ(Read(), "0002");
  ASSERT_EQ(Delete("0002"), 0);
  EXPECT_EQ(Reread(), "11");
  EXPECT_EQ(Read(), "0003");
  ASSERT_EQ(Delete("0003"), 0);
  EXPECT_EQ(Read(), "1");
  ASSERT_EQ(Write("0003"), 0);  // the same key again is not behind it
  EXPECT_EQ(Read(), "1");
  EXPECT_EQ(Reread(), "0003");
}

TEST_F(OpenPositionTest, ReadUpdateGives11WhereReadGives1) {
  EXPECT_EQ(Reread(), "11");
  EXPECT_EQ(NumberOf(position_->CurrentKey().status()), ErrorNumber::kNotFound);
  ASSERT_EQ(Write("0005"), 0);
  EXPECT_EQ(Reread(), "11");  // on no record after an open
  position_->Set(PositionAt("000"));
  EXPECT_EQ(Reread(), "11");  // … nor at a key that is not whole
  EXPECT_EQ(Read(), "0005");
  EXPECT_EQ(Reread(), "0005");
  EXPECT_EQ(*position_->CurrentKey(), "0005");
  EXPECT_EQ(Read(), "1");
  EXPECT_EQ(Reread(), "0005");
  position_->Set(PositionAt("0006"));
  EXPECT_EQ(Reread(), "11");
  EXPECT_EQ(*position_->CurrentKey(), "0006");
  position_->Set(PositionAt("0005"));
  EXPECT_EQ(Reread(), "0005");
  EXPECT_EQ(Read(), "0005");  // READUPDATE left the position before it
}

TEST_F(OpenPositionTest, S6ExactGivesItsRecordOnce) {
  for (int n : {1, 2, 3}) ASSERT_EQ(Write(KeyOf(n)), 0);
  position_->Set(PositionAt("0002", PositioningMode::kExact));
  EXPECT_EQ(Read(), "0002");
  TakeInputCalls();
  EXPECT_EQ(Read(), "1");
  EXPECT_EQ(TakeInputCalls(), 0);
  position_->Set(PositionAt("0002", PositioningMode::kExact));
  ASSERT_EQ(Delete("0002"), 0);
  EXPECT_EQ(Read(), "1");
  ASSERT_EQ(Write("0002"), 0);
  EXPECT_EQ(Read(), "0002");
  position_->Set(PositionAt("000", PositioningMode::kExact));
  EXPECT_EQ(Read(), "1");
}

// R-C2: one read call per record, one more per new leaf; a descent at the start and after changes.
TEST_F(OpenPositionTest, C2SequentialReadCountsItsLeavesOnly) {
  constexpr int kRecords = 400;
  for (int n = 0; n < kRecords; ++n) ASSERT_EQ(Write(KeyOf(n)), 0);
  const TreeState& tree = file_->label().tree;
  const int64_t descent = tree.index_levels;
  ASSERT_GT(descent, 1);
  for (const bool reverse : {false, true}) {
    Position position;
    position.reverse = reverse;
    position_->Set(position);
    TakeInputCalls();
    Read();
    EXPECT_EQ(TakeInputCalls(), descent + 1);
    int64_t new_leaves = 0;
    for (int n = 1; n < kRecords; ++n) {
      ASSERT_EQ(Read(), KeyOf(reverse ? kRecords - 1 - n : n));
      const int64_t calls = TakeInputCalls();
      ASSERT_TRUE(calls == 1 || calls == 2) << calls;
      new_leaves += calls - 1;
    }
    EXPECT_GE(new_leaves, kRecords / 5);  // a block takes four of the records
    EXPECT_EQ(Read(), "1");
    EXPECT_LE(TakeInputCalls(), 1);
  }
  position_->Set(PositionAt("0100"));
  Read();
  ASSERT_EQ(Delete("0300"), 0);
  TakeInputCalls();
  EXPECT_EQ(Read(), "0101");
  EXPECT_GT(TakeInputCalls(), descent);
  EXPECT_EQ(Read(), "0102");
  EXPECT_LE(TakeInputCalls(), 2);
}

class PartitionPositionTest : public OpenPositionTest {
 protected:
  PartitionPositionTest() {
    FileAttributes attributes = AttributesOf();
    attributes.partitions = {{"$DATA02", {1, 1}, "3"}, {"$DATA03", {1, 1}, "6"}};
    Make(attributes, 1);
    for (int n : {3000, 4000, 5000}) EXPECT_EQ(Write(KeyOf(n)), 0);
  }
};

TEST_F(PartitionPositionTest, KeyOfAnEarlierPartitionGoesOnHere) {
  Position position = PositionAt("2000");
  position.next = true;
  position_->Set(position);
  EXPECT_EQ(Reread(), "60");
  EXPECT_EQ(Read(), "3000");
  EXPECT_EQ(Read(), "4000");
  EXPECT_EQ(Read(), "5000");
  EXPECT_EQ(Read(), "1");
  position_->Set(PositionAt("7000"));
  EXPECT_EQ(Read(), "1");
}

TEST_F(PartitionPositionTest, DownwardsToo) {
  Position position = PositionAt("6000");
  position.reverse = true;
  position.next = true;
  position_->Set(position);
  for (const char* key : {"5000", "4000", "3000", "1"}) EXPECT_EQ(Read(), key);
  position.key = "2999";
  position_->Set(position);
  EXPECT_EQ(Read(), "1");
}

TEST_F(OpenPositionTest, DamagedBlockGives59AndMarksTheFile) {
  for (int n = 0; n < 20; ++n) ASSERT_EQ(Write(KeyOf(n)), 0);
  EXPECT_EQ(Read(), "0000");
  const Position before = position_->value();
  for (BlockNumber block = 1; block < file_->label().tree.eof_blocks; ++block) {
    BlockCalls not_counted;
    absl::StatusOr<Pin> pin = cache_.FetchForWrite(file_->cached(), block, BlockUse::kData);
    ASSERT_TRUE(pin.ok());
    const absl::Span<char> image = cache_.BeginWrite(file_->cached(), *pin, not_counted);
    for (size_t back = 2; back < 12; back += 2) {
      StoreLittle<uint16_t>(image.data() + image.size() - back, 30000);  // slots
    }
  }
  EXPECT_FALSE(file_->label().bad);
  EXPECT_EQ(Read(), "59");
  EXPECT_TRUE(file_->label().bad);
  EXPECT_EQ(position_->value(), before);
}

}  // namespace
}  // namespace quire
