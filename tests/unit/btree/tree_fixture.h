// A tree over a cache over a memory store, with its structural state, as a test holds it. Every
// fixture checks the whole tree when it ends.
#ifndef QUIRE_TESTS_UNIT_BTREE_TREE_FIXTURE_H_
#define QUIRE_TESTS_UNIT_BTREE_TREE_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "quire/attributes.h"
#include "quire/error.h"
#include "server/base/block_header.h"
#include "server/btree/cursor.h"
#include "server/btree/stored_blocks.h"
#include "server/btree/tree.h"
#include "server/btree/tree_walk.h"
#include "server/cache/block_cache.h"
#include "server/counters/block_calls.h"
#include "server/store/memory_store.h"

namespace quire {

struct TreeOptions {
  uint32_t block_bytes = 512;
  KeyField key = {0, 4};
  uint64_t cache_bytes = uint64_t{64} << 20;
  bool write_through = true;
};

class TestTree {
 public:
  explicit TestTree(const TreeOptions& options)
      : options_(options),
        disc_(std::make_shared<MemoryDisc>()),
        store_(OpenMemoryStore(disc_, uint64_t{1} << 40)),
        file_{7, ImageBytes(options.block_bytes), options.write_through} {
    Start();
  }
  ~TestTree() {
    if (check_at_end) {
      EXPECT_EQ(Check(), absl::OkStatus());
    }
  }

  Tree& tree() { return *tree_; }
  BlockCache& cache() { return *cache_; }
  BlockStore& store() { return *store_; }
  const CachedFile& file() const { return file_; }
  TreeState& state() { return state_; }
  BlockCalls calls;          // of all operations done through the methods below
  bool check_at_end = true;  // off where a test damages the tree
  absl::Status gate_answer;  // what the growth gate says
  std::vector<uint64_t> gate_asked;

  absl::Status Insert(std::string_view record) {
    return Retried([&] { return tree_->Insert(record, calls); });
  }
  absl::Status Update(std::string_view record) {
    return Retried([&] { return tree_->Update(record, calls); });
  }
  absl::Status Erase(std::string_view key) {
    return Retried([&] { return tree_->Erase(key, calls); });
  }
  absl::Status Check() {
    return Retried([&] { return tree_->Check(); });
  }
  // All that a walk over what the store holds finds.
  TreeFindings Walk(const KeyRange& range = {}) {
    const std::unique_ptr<BlockReader> reader = *store_->OpenReader();
    StoredBlocks blocks(reader.get(), file_.id);
    return WalkTree({.file = file_.id,
                     .image_bytes = file_.image_bytes,
                     .key = tree_->key_field(),
                     .range = range,
                     .state = state_},
                    blocks);
  }
  // The record, or the error's number in brackets.
  std::string Read(const Operation& read) {
    std::string record;
    const absl::Status status = Retried([&] {
      record.clear();
      return tree_->Read(read, calls, &record);
    });
    return status.ok() ? record : "[" + std::to_string(static_cast<int>(NumberOf(status))) + "]";
  }
  std::string ReadByKey(std::string_view key) {
    Operation read;
    read.key = key;
    return Read(read);
  }
  // All records of the range in the cursor's order, in chunks of so many records.
  std::vector<std::string> Scan(const KeyRange& range, bool reverse = false,
                                uint64_t chunk_records = 0) {
    Cursor cursor(tree_.get(), range, reverse, false, BlockUse::kScanned);
    std::vector<std::string> records;
    for (bool end = false; !end;) {
      RecordChunk chunk;
      const absl::Status status =
          Retried([&] { return cursor.Fill(1 << 20, chunk_records, calls, &chunk, &end); });
      if (!status.ok()) {
        ADD_FAILURE() << Describe(status);
        break;
      }
      size_t offset = 0;
      for (uint32_t length : chunk.lengths) {
        records.push_back(chunk.data.substr(offset, length));
        offset += length;
      }
    }
    return records;
  }

  // A control point: all dirty blocks to the store.
  void Flush() {
    cache_->TakeBatch([](FileId, BlockNumber, absl::Span<const char>) {});
    FlushList list = cache_->BeginFlush();
    ControlPoint point;
    point.blocks = list.blocks;
    ASSERT_TRUE(store_->Commit(point).ok());
    ASSERT_TRUE(store_->RenewSnapshot().ok());
    cache_->EndFlush(std::move(list), true);
    tree_->LabelStored();
  }
  // Everything from the store again, as after a restart.
  void Reopen() {
    Flush();
    Start();
  }

  std::string Image(BlockNumber block) {
    BlockCalls not_counted;
    absl::StatusOr<Pin> pin = cache_->Read(file_, block, BlockUse::kData, not_counted);
    if (!pin.ok()) return "";
    return std::string(pin->image().data(), pin->image().size());
  }
  // All blocks up to EOF.
  std::vector<std::string> Images() {
    std::vector<std::string> images;
    for (BlockNumber block = 0; block < state_.eof_blocks; ++block) {
      images.push_back(Image(block));
    }
    return images;
  }
  // Puts an image, whatever it holds, into the store under a right checksum, and starts anew.
  void Replace(BlockNumber block, std::string image) {
    Flush();
    ControlPoint point;
    point.blocks.push_back({file_.id, block, image.data(), static_cast<uint32_t>(image.size())});
    ASSERT_TRUE(store_->Commit(point).ok());
    ASSERT_TRUE(store_->RenewSnapshot().ok());
    Start();
  }
  // The store's own bytes, for damage that the store would not write.
  MemoryDisc& disc() { return *disc_; }
  // Flips a byte in the store, checksum and all.
  bool Damage(BlockNumber block, uint32_t offset) { return disc_->Damage(file_.id, block, offset); }

 private:
  void Start() {
    tree_.reset();
    cache_ = std::make_unique<BlockCache>(store_.get(), CacheOptions{options_.cache_bytes, 0});
    tree_ = std::make_unique<Tree>(cache_.get(), &file_, options_.key, &state_,
                                   [this](uint64_t eof_blocks) {
                                     gate_asked.push_back(eof_blocks);
                                     return gate_answer;
                                   });
  }
  // A small cache full of dirty blocks needs a control point now and then.
  template <typename Call>
  absl::Status Retried(const Call& call) {
    absl::Status status = call();
    if (NumberOf(status) != ErrorNumber::kNoBufferSpace) return status;
    Flush();
    return call();
  }

  const TreeOptions options_;
  std::shared_ptr<MemoryDisc> disc_;
  std::unique_ptr<BlockStore> store_;
  CachedFile file_;
  TreeState state_;
  std::unique_ptr<BlockCache> cache_;
  std::unique_ptr<Tree> tree_;
};

// "0042": a key of four digits.
inline std::string DigitKey(uint64_t number, size_t digits = 4) {
  std::string text = std::to_string(number);
  return std::string(digits - text.size(), '0') + text;
}

// A record of `bytes` bytes that starts with its key.
inline std::string RecordOf(std::string_view key, size_t bytes, char fill = '.') {
  std::string record(key);
  record.resize(bytes, fill);
  return record;
}

}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_BTREE_TREE_FIXTURE_H_
