#include "server/volume/open_table.h"

#include <gtest/gtest.h>

#include "server/store/memory_store.h"

namespace quire {
namespace {

class OpenTableTest : public ::testing::Test {
 protected:
  OpenTableTest() {
    FileLabel label;
    label.id = 1;
    label.name = FileName{"", "$DATA01", "TEST", "FILE"};
    FileAttributes attributes;
    attributes.key_length = 4;
    label.attributes = *Normalize(attributes);
    entry_ = catalog_.Add(label);
  }

  static FileReference Caller(const std::string& name) {
    FileReference reference;
    reference.client_name = name;
    return reference;
  }
  void CloseOver(int64_t now_us, int64_t lease_us) {
    for (OpenEntry* open : table_.LeasesOver(now_us, lease_us)) table_.Close(open, now_us);
  }

  std::unique_ptr<BlockStore> store_ =
      OpenMemoryStore(std::make_shared<MemoryDisc>(), uint64_t{1} << 20);
  BlockCache cache_{store_.get(), CacheOptions{1 << 20, 0}};
  Catalog catalog_{&cache_};
  FileEntry* entry_ = nullptr;
  OpenTable table_;
};

TEST_F(OpenTableTest, ImplicitOpenIsOnePerClientAndEndsAfterItsLease) {  // R-S1
  OpenEntry* const first = *table_.Implicit(entry_, Caller("a"), 100);
  EXPECT_EQ(*table_.Implicit(entry_, Caller("a"), 200), first);
  EXPECT_NE(*table_.Implicit(entry_, Caller("b"), 200), first);
  EXPECT_EQ(entry_->open_count, 0U);
  EXPECT_EQ(entry_->counters.Get(Counter::kTransientOpens), 2);
  first->last_use_us = 500;
  CloseOver(1000, 600);
  ASSERT_EQ(table_.closed().size(), 1U);
  EXPECT_EQ(table_.closed().front().client_name, "b");
  CloseOver(1100, 600);
  EXPECT_EQ(table_.closed().size(), 2U);
  EXPECT_TRUE(table_.opens().empty());
}

TEST_F(OpenTableTest, AnExcludedSingleCallGets12) {
  OpenRequest request;
  request.exclusion = Exclusion::kExclusive;
  request.file.open_id = 5;
  OpenEntry* const open = *table_.Open(entry_, request, 1);
  EXPECT_EQ(NumberOf(table_.Implicit(entry_, Caller("a"), 2).status()), ErrorNumber::kFileInUse);
  table_.Close(open, 3);
  EXPECT_TRUE(table_.Implicit(entry_, Caller("a"), 4).ok());
}

TEST_F(OpenTableTest, IdsInUseAreRefused) {
  OpenRequest request;
  request.file.open_id = 5;
  ASSERT_TRUE(table_.Open(entry_, request, 1).ok());
  EXPECT_EQ(NumberOf(table_.Open(entry_, request, 1).status()), ErrorNumber::kBadParameter);
  request.file.open_id = 0;
  const uint64_t given = (*table_.Open(entry_, request, 1))->id;
  EXPECT_NE(given, 0U);
  EXPECT_EQ(table_.Find(given)->id, given);
  EXPECT_EQ(table_.Find(12345), nullptr);
}

}  // namespace
}  // namespace quire
