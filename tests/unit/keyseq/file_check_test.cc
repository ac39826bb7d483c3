// The check of one partition: what it verifies beyond the tree.
#include "server/keyseq/file_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "quire/error.h"
#include "quire/text.h"
#include "server/btree/stored_blocks.h"
#include "server/keyseq/key_sequenced_file.h"
#include "server/store/memory_store.h"

namespace quire {
namespace {

using testing::HasSubstr;

class FileCheckTest : public testing::Test {
 protected:
  // Partition 1, of keys "M" to below "T"; 8 blocks, then 4 for each further extent.
  FileCheckTest()
      : store_(OpenMemoryStore(std::make_shared<MemoryDisc>(), 1 << 30)),
        cache_(store_.get(), CacheOptions{16 << 20, 0}) {
    FileLabel label;
    label.id = 3;
    label.name = {"", "$DATA02", "STOCK", "PARTS"};
    label.partition = 1;
    label.attributes.record_bytes = 200;
    label.attributes.block_bytes = 512;
    label.attributes.key_length = 4;
    label.attributes.partitions = {{"$DATA02", {2, 1}, "M"}, {"$DATA03", {2, 1}, "T"}};
    label.attributes = *Normalize(label.attributes);
    KeySequencedFile file(label, &cache_);
    BlockCalls calls;
    std::string data;
    for (int n = 0; n < 60; ++n) {
      const std::string record = "M" + std::to_string(100 + n) + std::string(196, '.');
      Operation write;
      write.kind = OperationKind::kWrite;
      write.record = record;
      EXPECT_TRUE(file.Execute(write, 1, calls, &data).status.ok());
    }
    cache_.TakeBatch([](FileId, BlockNumber, absl::Span<const char>) {});
    FlushList list = cache_.BeginFlush();
    ControlPoint point;
    point.blocks = list.blocks;
    EXPECT_TRUE(store_->Commit(point).ok());
    EXPECT_TRUE(store_->RenewSnapshot().ok());
    cache_.EndFlush(std::move(list), true);
    label_ = file.label();
  }
  FileFindings Check() {
    StoredBlocks blocks(store_.get(), label_.id);
    return CheckFile(label_, blocks);
  }
  std::string Fault() {
    const FileFindings found = Check();
    EXPECT_EQ(NumberOf(found.check.status), ErrorNumber::kFileBad);
    EXPECT_GE(found.faults, 1u);
    return std::string(ToStd(found.check.status.message()));
  }

  std::unique_ptr<BlockStore> store_;
  BlockCache cache_;
  FileLabel label_;
};

TEST_F(FileCheckTest, Whole) {
  const FileFindings found = Check();
  EXPECT_EQ(found.check.status, absl::OkStatus());
  EXPECT_EQ(found.faults, 0u);
  EXPECT_EQ(found.check.partition, 1u);
  EXPECT_EQ(found.check.block_bytes, 512u);
  EXPECT_EQ(found.check.levels.at(0).records, 60u);
}

TEST_F(FileCheckTest, EofBeyondTheExtentsAllocated) {
  ASSERT_GT(label_.extents_allocated, 1u);
  --label_.extents_allocated;
  EXPECT_THAT(Fault(), HasSubstr("EOF stands in extent"));
  EXPECT_EQ(Check().check.levels.at(0).records, 60u);  // and the tree was walked all the same
}

TEST_F(FileCheckTest, MoreExtentsThanMaxextents) {
  label_.extents_allocated = label_.attributes.max_extents + 1;
  EXPECT_THAT(Fault(), HasSubstr("MAXEXTENTS is"));
}

TEST_F(FileCheckTest, KeysOfAnotherPartition) {
  label_.partition = 2;
  EXPECT_THAT(Fault(), HasSubstr("out of its parent's bounds"));
}

TEST_F(FileCheckTest, AttributesThatCannotBeLeaveNothingToWalk) {
  const FileLabel good = label_;
  label_.partition = 3;
  EXPECT_THAT(Fault(), HasSubstr("partition 3 of a file of 3"));
  label_ = good;
  for (const uint32_t block_bytes : {0u, 20u, 500u, 1u << 31}) {
    label_.attributes.block_bytes = block_bytes;
    EXPECT_THAT(Fault(), HasSubstr("stored label"));
    EXPECT_TRUE(Check().check.levels.empty());
  }
  label_ = good;
  label_.attributes.key_length = 0;
  EXPECT_THAT(Fault(), HasSubstr("stored label"));
  label_ = good;
  label_.attributes.partitions[0].extents.secondary_pages = 0;
  EXPECT_THAT(Fault(), HasSubstr("extents cannot be"));
}

TEST_F(FileCheckTest, AMarkedFileIsNotWhole) {
  label_.bad = true;
  EXPECT_THAT(Fault(), HasSubstr("has a damaged block"));
  EXPECT_EQ(Check().faults, 1u);
}

}  // namespace
}  // namespace quire
