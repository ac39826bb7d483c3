// The control-point writer reads the images of a flush while the disc process changes the blocks:
// what it reads is what stood at the cut. Meant for the thread sanitizer too.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/cache/block_cache.h"
#include "tests/unit/cache/block_store_double.h"

namespace quire {
namespace {

constexpr uint32_t kImage = 1008;
constexpr BlockNumber kBlocks = 16;
constexpr int kFlushes = 50;
constexpr int kLeastWrites = 200;  // while one flush is read

TEST(FlushReader, SeesTheCutWhileBlocksChange) {  // R-D4
  BlockStoreDouble store;
  BlockCache cache(&store, {.bytes = 4 * kBlocks * 1024, .chunk_bytes = 4096});
  CachedFile file{.id = 1, .image_bytes = kImage};
  BlockCalls calls;
  std::vector<char> newest(kBlocks, 0);
  for (BlockNumber block = 0; block < kBlocks; ++block) {
    absl::StatusOr<Pin> pin = cache.Create(file, block, BlockUse::kData, calls);
    ASSERT_TRUE(pin.ok());
    cache.BeginWrite(file, *pin, calls);
  }
  unsigned next = 0;
  for (int flush = 0; flush < kFlushes; ++flush) {
    FlushList list = cache.BeginFlush();
    const std::vector<char> cut = newest;
    std::atomic<bool> done = false;
    std::thread writer([&] {
      for (int round = 0; round < 20; ++round) {
        for (const BlockWrite& write : list.blocks) {
          EXPECT_EQ(std::count(write.image, write.image + write.bytes, cut[write.block]), kImage);
        }
      }
      done = true;
    });
    for (int writes = 0; writes < kLeastWrites || !done; ++writes) {
      const BlockNumber block = next++ * 7 % kBlocks;
      ASSERT_TRUE(cache.HasRoomFor(file, 1));
      absl::StatusOr<Pin> pin = cache.FetchForWrite(file, block, BlockUse::kData);
      ASSERT_TRUE(pin.ok());
      const absl::Span<char> image = cache.BeginWrite(file, *pin, calls);
      ++newest[block];
      std::fill(image.begin(), image.end(), newest[block]);
    }
    writer.join();
    cache.TakeBatch([](FileId, BlockNumber, absl::Span<const char>) {});
    cache.EndFlush(std::move(list), flush % 3 != 0);
    cache.CheckBooks();
  }
}

}  // namespace
}  // namespace quire
