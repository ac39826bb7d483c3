#include "client/bench/counter_model.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace quire {
namespace bench {
namespace {

constexpr uint32_t kStoreBytes = 16;      // of BLOCK that the store's page header takes
constexpr uint32_t kHeaderBytes = 36;     // of the block's own header
constexpr uint32_t kEntryExtraBytes = 6;  // block number and slot of an index entry
constexpr int64_t kLowest = -1;           // stands before every key
constexpr int64_t kSerials = 10'000'000;  // seven digits
constexpr uint64_t kPrefixes = 100;

class ModelTree {
 public:
  explicit ModelTree(uint32_t index_entries) : index_entries_(index_entries) {
    data_[kLowest] = {};
  }

  void Insert(int64_t key) {
    counters_.cache_hits += levels_.size();
    auto found = std::prev(data_.upper_bound(key));
    std::vector<int64_t>& block = found->second;
    if (block.size() < 2) {
      block.insert(std::upper_bound(block.begin(), block.end(), key), key);
      ++counters_.write_cleans;
      return;
    }
    const bool has_neighbour = std::next(found) != data_.end();
    ++counters_.block_splits;
    ++counters_.cache_hits;  // the new block
    std::vector<int64_t> created = {key};
    if (key < block.back()) {
      std::vector<int64_t> all = block;
      all.insert(std::upper_bound(all.begin(), all.end(), key), key);
      created.assign(all.begin() + 2, all.end());  // of three, the larger half stays
      block.assign(all.begin(), all.begin() + 2);
    }
    ++counters_.write_hits;  // new block formatted
    // New block filled, bitmap, old block, parent, label; the right neighbour if any.
    counters_.write_cleans += 5 + (has_neighbour ? 1 : 0);
    const int64_t separator = created.front();
    data_[separator] = std::move(created);
    AddIndexEntry(separator);
  }

  ModelCounters Result(uint32_t block_bytes) const {
    ModelCounters result = counters_;
    result.data_blocks = data_.size();
    result.index_blocks = index_blocks_;
    result.index_levels = static_cast<uint32_t>(levels_.size());
    const uint64_t covered = uint64_t{8} * (block_bytes - kStoreBytes - kHeaderBytes);
    const uint64_t blocks = result.data_blocks + result.index_blocks;
    result.eof_bytes = (blocks + (blocks + covered - 1) / covered) * block_bytes;
    return result;
  }

 private:
  using Entries = std::vector<int64_t>;
  using Level = std::map<int64_t, Entries>;  // by lowest entry when made

  void NewRoot(int64_t left, int64_t right) {
    levels_.emplace_back()[kLowest] = {left, right};
    ++index_blocks_;
    ++counters_.cache_hits;
    ++counters_.write_hits;
  }

  void AddIndexEntry(int64_t key) {
    if (levels_.empty()) {
      NewRoot(kLowest, key);
      return;
    }
    for (size_t level = 0;; ++level) {
      Entries& block = std::prev(levels_[level].upper_bound(key))->second;
      block.insert(std::upper_bound(block.begin(), block.end(), key), key);
      if (block.size() <= index_entries_) return;
      const auto middle = block.begin() + static_cast<ptrdiff_t>(block.size() / 2);
      Entries created(middle, block.end());
      block.erase(middle, block.end());
      const int64_t separator = created.front();
      levels_[level][separator] = std::move(created);
      ++index_blocks_;
      ++counters_.cache_hits;
      ++counters_.write_hits;
      counters_.write_cleans += 3;  // new block filled, old block, bitmap
      if (level + 1 == levels_.size()) {
        NewRoot(kLowest, separator);
        return;
      }
      ++counters_.write_cleans;  // parent
      key = separator;
    }
  }

  const uint32_t index_entries_;
  ModelCounters counters_;
  uint64_t index_blocks_ = 0;
  std::map<int64_t, std::vector<int64_t>> data_;  // by separator
  std::vector<Level> levels_;                     // lowest first
};

}  // namespace

uint32_t IndexEntries(uint32_t block_bytes, uint32_t key_length) {
  return (block_bytes - kStoreBytes - kHeaderBytes) / (key_length + kEntryExtraBytes);
}

ModelCounters PlayModel(const ModelShape& shape) {
  std::vector<ModelTree> trees(shape.partitions,
                               ModelTree(IndexEntries(shape.block_bytes, shape.key_length)));
  for (uint64_t n = 0; n < shape.records; ++n) {
    const uint64_t prefix = n % kPrefixes;
    const auto key = static_cast<int64_t>(prefix) * kSerials + static_cast<int64_t>(n / kPrefixes);
    trees[prefix * shape.partitions / kPrefixes].Insert(key);
  }
  ModelCounters total;
  for (const ModelTree& tree : trees) {
    const ModelCounters part = tree.Result(shape.block_bytes);
    total.block_splits += part.block_splits;
    total.cache_hits += part.cache_hits;
    total.write_hits += part.write_hits;
    total.write_cleans += part.write_cleans;
    total.data_blocks += part.data_blocks;
    total.index_blocks += part.index_blocks;
    total.eof_bytes += part.eof_bytes;
    total.index_levels = std::max(total.index_levels, part.index_levels);
  }
  return total;
}

}  // namespace bench
}  // namespace quire
