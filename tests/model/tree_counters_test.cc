// The published load: 135,065 records of 1,676 bytes, keys in 100 ascending runs fed in turn, every
// block cached. The counters come out of the code paths; the figures beside them are those of the
// real system (A: one write-through file; C: ten partitions).
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "quire/error.h"
#include "server/cache/block_cache.h"
#include "server/keyseq/key_sequenced_file.h"
#include "server/store/memory_store.h"

namespace quire {
namespace {

constexpr int kRecords = 135065;
constexpr uint32_t kRecordBytes = 1676;
constexpr uint32_t kBlockBytes = 4096;

// "00", two digits of the run, seven of the place in it, blank padded.
std::string RecordNumber(int n) {
  char key[16];
  std::snprintf(key, sizeof(key), "00%02d%07d", n % 100, n / 100);
  std::string record(key);
  record.resize(kRecordBytes, ' ');
  return record;
}

FileLabel LabelOf(uint32_t partition, bool buffered, bool partitioned) {
  FileAttributes attributes;
  attributes.format = 2;
  attributes.extents = {150000, 150000};
  attributes.record_bytes = kRecordBytes;
  attributes.key_length = partitioned ? 9 : 11;
  attributes.key_offset = partitioned ? 2 : 0;
  attributes.max_extents = 40;
  attributes.buffered = buffered;
  for (int i = 0; partitioned && i < 10; ++i) {
    const std::string volume = "$DATA" + std::string(i < 8 ? "0" : "") + std::to_string(i + 2);
    attributes.partitions.push_back({volume, {150000, 150000}, std::to_string(i) + "0"});
  }
  FileLabel label;
  label.id = partition + 1;
  label.attributes = *Normalize(attributes);
  label.partition = partition;
  return label;
}

class Load {
 public:
  Load(bool buffered, bool partitioned)
      : store_(OpenMemoryStore(std::make_shared<MemoryDisc>(), uint64_t{1} << 40)),
        cache_(store_.get(), CacheOptions{uint64_t{400} << 20, 0}) {
    for (uint32_t i = 0; i < (partitioned ? 11 : 1); ++i) {
      files_.push_back(
          std::make_unique<KeySequencedFile>(LabelOf(i, buffered, partitioned), &cache_));
    }
    std::string data;
    for (int n = 0; n < kRecords; ++n) {
      const std::string record = RecordNumber(n);
      const auto& label = files_[0]->label();
      const uint32_t partition =
          PartitionOfKey(label.attributes,
                         record.substr(label.attributes.key_offset, label.attributes.key_length));
      Operation write;
      write.kind = OperationKind::kWrite;
      write.record = record;
      const OperationResult result = files_[partition]->Execute(write, n, calls, &data);
      EXPECT_EQ(result.status, absl::OkStatus());
      if (!result.status.ok()) return;
      if (n % 1000 == 0) cache_.TakeBatch([](FileId, BlockNumber, absl::Span<const char>) {});
    }
  }
  ~Load() {
    for (const auto& file : files_) EXPECT_EQ(file->tree().Check(), absl::OkStatus());
    cache_.TakeBatch([](FileId, BlockNumber, absl::Span<const char>) {});
  }

  uint64_t EofBlocks() const {
    uint64_t blocks = 0;
    for (const auto& file : files_) blocks += file->label().tree.eof_blocks;
    return blocks;
  }

  BlockCalls calls;
  const KeySequencedFile& file(size_t i) const { return *files_[i]; }

 private:
  std::unique_ptr<BlockStore> store_;
  BlockCache cache_;
  std::vector<std::unique_ptr<KeySequencedFile>> files_;
};

void ExpectIdentities(const BlockCalls& calls) {
  EXPECT_EQ(calls.driver_input_calls, calls.cache_hits + calls.cache_read_misses);
  EXPECT_EQ(calls.driver_output_calls,
            calls.cache_write_hits + calls.cache_write_cleans + calls.cache_write_misses);
  EXPECT_EQ(calls.cache_read_misses, 0);
  EXPECT_EQ(calls.cache_write_misses, 0);
}

void ExpectWithinOnePercent(int64_t value, int64_t published, const char* name) {
  std::cout << name << ": " << value << ", published " << published << "\n";
  EXPECT_LE(std::abs(value - published) * 100, published) << name;
}

TEST(TreeCounters, C1WriteThrough) {
  const Load load(/*buffered=*/false, /*partitioned=*/false);
  ExpectIdentities(load.calls);
  EXPECT_EQ(load.calls.block_splits, 67564);
  EXPECT_EQ(load.file(0).label().tree.index_levels, 3u);
  EXPECT_EQ(load.file(0).label().tree.record_count, uint64_t{kRecords});
  EXPECT_EQ(load.file(0).label().extents_allocated, 1u);
  EXPECT_EQ(load.calls.extent_allocations, 1);
  ExpectWithinOnePercent(load.calls.cache_hits, 402047, "Cache-Hits");
  ExpectWithinOnePercent(load.calls.driver_input_calls, 402047, "Driver-Input-Calls");
  ExpectWithinOnePercent(load.calls.driver_output_calls, 542747, "Driver-Output-Calls");
  ExpectWithinOnePercent(load.calls.cache_write_hits, 68035, "Cache-Write-Hits");
  ExpectWithinOnePercent(load.calls.cache_write_cleans, 474712, "Cache-Write-Cleans");
  ExpectWithinOnePercent(static_cast<int64_t>(load.file(0).eof_bytes()), 278822912, "EOF");
  // R-B4: bitmaps at 0, 32,353 and 64,706.
  const uint32_t image_bytes = ImageBytes(kBlockBytes);
  EXPECT_EQ((load.EofBlocks() - 1) / BitmapInterval(image_bytes) + 1, 3u);
}

TEST(TreeCounters, BufferedMakesTheSameCalls) {
  const Load load(/*buffered=*/true, /*partitioned=*/false);
  ExpectIdentities(load.calls);
  EXPECT_EQ(load.calls.block_splits, 67564);
  ExpectWithinOnePercent(load.calls.cache_hits, 402047, "Cache-Hits");
  ExpectWithinOnePercent(load.calls.driver_output_calls, 542749, "Driver-Output-Calls");
  // R-C5: without a control point only the first label call finds anything clean.
  EXPECT_EQ(load.calls.cache_write_cleans, 1);
}

TEST(TreeCounters, Partitioned) {
  const Load load(/*buffered=*/true, /*partitioned=*/true);
  ExpectIdentities(load.calls);
  EXPECT_EQ(load.calls.block_splits, 67555);
  EXPECT_EQ(load.file(0).label().tree.record_count, 0u);
  EXPECT_EQ(load.file(0).label().tree.eof_blocks, 0u);
  for (size_t i = 1; i <= 10; ++i) EXPECT_EQ(load.file(i).label().tree.index_levels, 2u);
  ExpectWithinOnePercent(load.calls.cache_hits, 335225, "Cache-Hits");
  ExpectWithinOnePercent(load.calls.driver_output_calls, 536516, "Driver-Output-Calls");
  // The model of the published run: 68,035 blocks with one bitmap each.
  ExpectWithinOnePercent(static_cast<int64_t>(load.EofBlocks()), 68045, "EOF blocks");
}

}  // namespace
}  // namespace quire
