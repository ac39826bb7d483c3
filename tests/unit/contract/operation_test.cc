#include "quire/operation.h"

#include <limits>
#include <utility>

#include "gtest/gtest.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

Operation Write(std::string_view record) {
  Operation operation;
  operation.kind = OperationKind::kWrite;
  operation.record = record;
  return operation;
}

Operation Read(std::string_view key) {
  Operation operation;
  operation.key = key;
  return operation;
}

TEST(OperationBatchTest, ValuesOfTheWireStay) {
  EXPECT_EQ(static_cast<int>(OperationKind::kWrite), 1);
  EXPECT_EQ(static_cast<int>(OperationKind::kRead), 2);
  EXPECT_EQ(static_cast<int>(OperationKind::kUpdate), 3);
  EXPECT_EQ(static_cast<int>(OperationKind::kDelete), 4);
  EXPECT_EQ(static_cast<int>(ReadMode::kByKey), 0);
  EXPECT_EQ(static_cast<int>(ReadMode::kGeneric), 1);
  EXPECT_EQ(static_cast<int>(ReadMode::kApproximate), 2);
}

TEST(OperationBatchTest, GivesBackWhatWasAdded) {
  OperationBatch batch;
  EXPECT_TRUE(batch.empty());
  batch.Add(Write("record one"));
  Operation read = Read("key");
  read.mode = ReadMode::kApproximate;
  read.reverse = true;
  read.skip_exact = true;
  batch.Add(read);
  batch.Add(Write(""));
  ASSERT_EQ(batch.size(), 3U);
  EXPECT_EQ(batch.data_bytes(), 13U);
  EXPECT_EQ(batch[0].record, "record one");
  EXPECT_EQ(batch[0].key, "");
  EXPECT_EQ(batch[1].key, "key");
  EXPECT_EQ(batch[1].record, "");
  EXPECT_EQ(batch[1].mode, ReadMode::kApproximate);
  EXPECT_TRUE(batch[1].reverse);
  EXPECT_TRUE(batch[1].skip_exact);
  EXPECT_EQ(batch[2].record, "");
}

TEST(OperationBatchTest, OwnsItsBytes) {
  OperationBatch batch;
  {
    std::string record(2000, 'r');
    batch.Add(Write(record));
    record.assign(2000, 'x');
  }
  const OperationBatch moved = std::move(batch);
  EXPECT_EQ(moved[0].record, std::string(2000, 'r'));
}

TEST(OperationBatchTest, KnowsWhetherItChangesAnything) {
  OperationBatch batch;
  batch.Add(Read("key"));
  EXPECT_FALSE(batch.changes());
  for (OperationKind kind :
       {OperationKind::kWrite, OperationKind::kUpdate, OperationKind::kDelete}) {
    EXPECT_TRUE(Changes(kind));
    OperationBatch changing;
    Operation operation;
    operation.kind = kind;
    changing.Add(operation);
    EXPECT_TRUE(changing.changes());
    changing.Clear();
    EXPECT_FALSE(changing.changes());
    EXPECT_TRUE(changing.empty());
    EXPECT_EQ(changing.data_bytes(), 0U);
  }
  EXPECT_FALSE(Changes(OperationKind::kRead));
}

OperationBatch::Entry Entry(OperationKind kind, uint32_t offset, uint32_t length) {
  return {kind, ReadMode::kByKey, false, false, offset, length};
}

TEST(OperationBatchTest, AdoptTakesEntriesWithinTheData) {
  OperationBatch batch;
  ASSERT_TRUE(batch.Adopt({Entry(OperationKind::kWrite, 0, 3), Entry(OperationKind::kRead, 3, 3),
                           Entry(OperationKind::kDelete, 6, 0)},
                          "abcdef"));
  EXPECT_TRUE(batch.changes());
  EXPECT_EQ(batch[0].record, "abc");
  EXPECT_EQ(batch[1].key, "def");
  EXPECT_EQ(batch[2].key, "");
  ASSERT_TRUE(batch.Adopt({}, ""));
  EXPECT_FALSE(batch.changes());
}

TEST(OperationBatchTest, AdoptRefusesEntriesBeyondTheDataAndKeepsTheOld) {
  constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
  OperationBatch batch;
  batch.Add(Write("kept"));
  for (const auto& entry :
       {Entry(OperationKind::kRead, 0, 7), Entry(OperationKind::kRead, 6, 1),
        Entry(OperationKind::kRead, 7, 0), Entry(OperationKind::kRead, kMost, kMost),
        Entry(OperationKind::kRead, 1, kMost), Entry(OperationKind::kRead, kMost, 1)}) {
    EXPECT_FALSE(batch.Adopt({Entry(OperationKind::kRead, 0, 1), entry}, "abcdef"));
    ASSERT_EQ(batch.size(), 1U);
    EXPECT_EQ(batch[0].record, "kept");
  }
}

TEST(OperationBatchTest, AdoptedCopyIsEqual) {
  TestRandom random;
  OperationBatch batch;
  for (int i = 0; i < 500; ++i) {
    Operation operation;
    operation.kind = static_cast<OperationKind>(random.Between(1, 4));
    const std::string bytes = random.Text(random.Below(50), "abc");
    operation.key = bytes;
    operation.record = bytes;
    batch.Add(operation);
  }
  OperationBatch copy;
  ASSERT_TRUE(copy.Adopt(batch.entries(), batch.data()));
  for (size_t i = 0; i < batch.size(); ++i) {
    EXPECT_EQ(copy[i].kind, batch[i].kind);
    EXPECT_EQ(copy[i].key, batch[i].key);
    EXPECT_EQ(copy[i].record, batch[i].record);
  }
  EXPECT_EQ(copy.changes(), batch.changes());
}

TEST(RecordChunkTest, RecordsLieBackToBack) {  // R-A2
  RecordChunk chunk;
  chunk.Add("one");
  chunk.Add("");
  chunk.Add("three");
  EXPECT_EQ(chunk.size(), 3U);
  EXPECT_EQ(chunk.lengths, (std::vector<uint32_t>{3, 0, 5}));
  EXPECT_EQ(chunk.data, "onethree");
}

TEST(BatchResultTest, RecordIsSlicedOutOfTheData) {
  BatchResult result;
  result.data = "abcdef";
  result.results.resize(2);
  result.results[1].offset = 2;
  result.results[1].length = 3;
  EXPECT_EQ(result.record(0), "");
  EXPECT_EQ(result.record(1), "cde");
}

}  // namespace
}  // namespace quire
