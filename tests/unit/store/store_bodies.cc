#include "tests/unit/store/store_bodies.h"

#include <lmdb.h>

#include <utility>

#include "gtest/gtest.h"
#include "quire/error.h"
#include "server/base/block_header.h"
#include "server/store/fault_store.h"
#include "server/store/lmdb_environment.h"
#include "server/store/lmdb_store.h"
#include "server/store/memory_store.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace {

class LmdbBody : public StoreBody {
 public:
  std::unique_ptr<BlockStore> Open(uint64_t capacity_bytes) override {
    absl::StatusOr<std::unique_ptr<BlockStore>> store =
        OpenLmdbStore({.directory = directory_.path() + "/store",
                       .capacity_bytes = capacity_bytes,
                       .reserve_step_bytes = 1 << 20});
    if (!store.ok()) {
      ADD_FAILURE() << store.status();
      return nullptr;
    }
    return *std::move(store);
  }
  void Damage(FileId file, BlockNumber block, uint32_t offset) override {
    DamageLmdbBlock(directory_.path() + "/store", file, block, offset);
  }

 private:
  TestDirectory directory_;
};

class FaultBody : public LmdbBody {
 public:
  std::unique_ptr<BlockStore> Open(uint64_t capacity_bytes) override {
    return WrapWithFaults(LmdbBody::Open(capacity_bytes), std::make_shared<FaultPlan>());
  }
};

class MemoryBody : public StoreBody {
 public:
  std::unique_ptr<BlockStore> Open(uint64_t capacity_bytes) override {
    return OpenMemoryStore(disc_, capacity_bytes);
  }
  void Damage(FileId file, BlockNumber block, uint32_t offset) override {
    EXPECT_TRUE(disc_->Damage(file, block, offset));
  }

 private:
  std::shared_ptr<MemoryDisc> disc_ = std::make_shared<MemoryDisc>();
};

}  // namespace

std::unique_ptr<StoreBody> MakeStoreBody(std::string_view name) {
  if (name == "memory") return std::make_unique<MemoryBody>();
  if (name == "faults") return std::make_unique<FaultBody>();
  return std::make_unique<LmdbBody>();
}

void DamageLmdbBlock(const std::string& directory, FileId file, BlockNumber block,
                     uint32_t offset) {
  auto environment = LmdbEnvironment::Open(directory, kTestCapacityBytes);
  ASSERT_TRUE(environment.ok()) << environment.status();
  LmdbTransaction transaction;
  ASSERT_EQ(transaction.Begin((*environment)->get(), 0), 0);
  BlockKey key(file, block);
  MDB_val key_value = key.value();
  MDB_val stored;
  ASSERT_EQ(mdb_get(transaction.get(), (*environment)->blocks(), &key_value, &stored), 0);
  std::string image(ToView(stored));
  ASSERT_LT(offset, image.size());
  image[offset] = static_cast<char>(~image[offset]);
  MDB_val damaged = ToValue(image);
  ASSERT_EQ(mdb_put(transaction.get(), (*environment)->blocks(), &key_value, &damaged, 0), 0);
  ASSERT_EQ(transaction.Commit(), 0);
}

std::string MakeImage(FileId file, BlockNumber block, uint32_t bytes, uint8_t version) {
  std::string image(bytes, '\0');
  FormatImage(absl::MakeSpan(image.data(), image.size()), file, block, /*level=*/0);
  for (uint32_t i = kBlockHeaderBytes; i < bytes; ++i) {
    image[i] = static_cast<char>(file * 31 + block * 7 + version * 13 + i);
  }
  return image;
}

void TestControlPoint::Add(FileId file, BlockNumber block, uint32_t bytes, uint8_t version) {
  addresses_.push_back({file, block});
  images_.push_back(MakeImage(file, block, bytes, version));
}

const ControlPoint& TestControlPoint::Build() {
  point_.blocks.clear();
  for (size_t i = 0; i < images_.size(); ++i) {
    point_.blocks.push_back({addresses_[i].file, addresses_[i].block, images_[i].data(),
                             static_cast<uint32_t>(images_[i].size())});
  }
  return point_;
}

void ExpectBlock(BlockReader& store, FileId file, BlockNumber block, uint32_t bytes,
                 uint8_t version) {
  std::string image(bytes, '\xAA');
  const absl::Status read = store.ReadBlock(file, block, absl::MakeSpan(image.data(), bytes));
  ASSERT_TRUE(read.ok()) << "file " << file << " block " << block << ": " << read;
  std::string expected = MakeImage(file, block, bytes, version);
  SealImage(absl::MakeSpan(expected.data(), expected.size()));
  ASSERT_TRUE(image == expected) << "file " << file << " block " << block;
}

int32_t ReadError(BlockReader& store, FileId file, BlockNumber block, uint32_t bytes) {
  std::string image(bytes, '\0');
  return static_cast<int32_t>(
      NumberOf(store.ReadBlock(file, block, absl::MakeSpan(image.data(), bytes))));
}

}  // namespace quire
