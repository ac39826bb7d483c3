// What a block in the cache costs: the goal is 50 ns for a read and for a write call.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <vector>

#include "server/base/check.h"
#include "server/cache/block_cache.h"
#include "server/store/memory_store.h"

namespace quire {
namespace {

constexpr uint32_t kImage = 4080;

// A cache of `blocks` clean blocks, to be used in a random order.
struct FilledCache {
  FilledCache(BlockNumber blocks, bool write_through)
      : file{.id = 1, .image_bytes = kImage, .write_through = write_through},
        store(OpenMemoryStore(std::make_shared<MemoryDisc>(), uint64_t{1} << 40)),
        cache(store.get(), {.bytes = uint64_t{2} * blocks * 4096 + (uint64_t{4} << 20)}) {
    std::mt19937 random(1);
    for (BlockNumber block = 0; block < blocks; ++block) {
      absl::StatusOr<Pin> pin = cache.Create(file, block, BlockUse::kData, calls);
      QUIRE_CHECK(pin.ok());
      cache.BeginWrite(file, *pin, calls);
      order.push_back(static_cast<BlockNumber>(random() % blocks));
    }
    TakeBatch();
    cache.EndFlush(cache.BeginFlush(), true);
  }

  BlockNumber Next() {
    if (++at == order.size()) at = 0;
    return order[at];
  }
  void TakeBatch() {
    cache.TakeBatch([](FileId, BlockNumber, absl::Span<const char>) {});
  }

  CachedFile file;
  BlockCalls calls;
  std::vector<BlockNumber> order;
  size_t at = 0;
  std::unique_ptr<BlockStore> store;
  BlockCache cache;
};

void CacheReadHit(benchmark::State& state) {
  FilledCache filled(static_cast<BlockNumber>(state.range(0)), true);
  for (auto _ : state) {
    absl::StatusOr<Pin> pin =
        filled.cache.Read(filled.file, filled.Next(), BlockUse::kData, filled.calls);
    benchmark::DoNotOptimize(pin->image().data());
  }
}
BENCHMARK(CacheReadHit)->Arg(1 << 8)->Arg(1 << 16);

// A find, a pin and a write call on a block of a file; write-through files start a batch every
// 64 calls.
void WriteCalls(benchmark::State& state, bool write_through) {
  FilledCache filled(static_cast<BlockNumber>(state.range(0)), write_through);
  int calls = 0;
  for (auto _ : state) {
    absl::StatusOr<Pin> pin =
        filled.cache.FetchForWrite(filled.file, filled.Next(), BlockUse::kData);
    benchmark::DoNotOptimize(filled.cache.BeginWrite(filled.file, *pin, filled.calls).data());
    if (write_through && ++calls % 64 == 0) filled.TakeBatch();
  }
}
void CacheWriteThrough(benchmark::State& state) {
  WriteCalls(state, true);
}
void CacheWriteBuffered(benchmark::State& state) {
  WriteCalls(state, false);
}
BENCHMARK(CacheWriteThrough)->Arg(1 << 8)->Arg(1 << 16);
BENCHMARK(CacheWriteBuffered)->Arg(1 << 8)->Arg(1 << 16);

// The write call alone, on a pinned block.
void CacheBeginWrite(benchmark::State& state) {
  FilledCache filled(1 << 8, true);
  absl::StatusOr<Pin> pin = filled.cache.FetchForWrite(filled.file, 1, BlockUse::kData);
  for (auto _ : state) {
    benchmark::DoNotOptimize(filled.cache.BeginWrite(filled.file, *pin, filled.calls).data());
  }
}
BENCHMARK(CacheBeginWrite);

// A cut and its end, per dirty block; no store in between.
void CacheFlush(benchmark::State& state) {
  const auto blocks = static_cast<BlockNumber>(state.range(0));
  FilledCache filled(blocks, false);
  for (auto _ : state) {
    state.PauseTiming();
    for (BlockNumber block = 0; block < blocks; ++block) {
      absl::StatusOr<Pin> pin = filled.cache.FetchForWrite(filled.file, block, BlockUse::kData);
      filled.cache.BeginWrite(filled.file, *pin, filled.calls);
    }
    state.ResumeTiming();
    filled.cache.EndFlush(filled.cache.BeginFlush(), true);
  }
  state.SetItemsProcessed(state.iterations() * blocks);
}
BENCHMARK(CacheFlush)->Arg(1 << 14);

}  // namespace
}  // namespace quire
