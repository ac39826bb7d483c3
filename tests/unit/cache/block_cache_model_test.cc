// Random histories of the whole cache against a plain map: tiny caches shared by files of several
// block sizes, pins held over other calls, flushes that fail, discards and purges in between.
// QUIRE_TEST_SEED repeats a history, QUIRE_LONG=1 makes histories ten times as long.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "server/cache/block_cache.h"
#include "tests/unit/cache/block_store_double.h"

namespace quire {
namespace {

using Key = std::pair<FileId, BlockNumber>;

constexpr BlockNumber kBlocksPerFile = 60;
constexpr int kSteps = 10000;
constexpr int kStepsOfSmallest = 20000;
constexpr uint64_t kSmallestBytes = 4096;

class Model {
 public:
  Model(uint32_t seed, uint64_t bytes, uint64_t chunk_bytes, KeepData data_keeping)
      : random_(seed), bytes_(bytes), cache_(&store_, Options(bytes, chunk_bytes, data_keeping)) {
    const uint32_t images[] = {496, 496, 1008, 2032, 4080};
    for (FileId id = 1; id <= 5; ++id) {
      files_.push_back({.id = id, .image_bytes = images[id - 1], .write_through = id % 2 == 0});
      files_.back().lookaside = id == 5 ? Lookaside::kNoFreeze : Lookaside::kFreeze;
    }
    files_.front().lookaside = Lookaside::kOff;
  }

  void Run() {
    // In the smallest cache most steps find no memory and do nothing.
    const int enough = bytes_ == kSmallestBytes ? kStepsOfSmallest : kSteps;
    const int steps = std::getenv("QUIRE_LONG") != nullptr ? 10 * enough : enough;
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      Step();
      CheckNumbers();
    }
    pins_.clear();
    if (flush_open_) EndFlush(true);
    TakeBatch();
    BeginFlush();
    EndFlush(true);
    EXPECT_EQ(cache_.dirty_blocks(), 0u);
    // A history that moved nothing would prove nothing.
    EXPECT_GT(calls_.cache_read_misses, 0);
    EXPECT_GT(calls_.cache_hits, 100);
    EXPECT_GT(calls_.cache_write_hits, 100);
    EXPECT_GT(calls_.cache_write_cleans, 10);
    EXPECT_GT(most_frozen_, 2u);
    for (const auto& [key, image] : newest_) EXPECT_EQ(store_.images[key], image);
  }

 private:
  // Too few for what the files could freeze, and in several block sizes.
  static constexpr uint64_t kFrozenBytes = 16 << 10;

  static CacheOptions Options(uint64_t bytes, uint64_t chunk_bytes, KeepData data_keeping) {
    CacheOptions options{bytes, chunk_bytes};
    options.frozen_bytes = kFrozenBytes;
    options.data_keeping = data_keeping;
    return options;
  }

  uint32_t Below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  void Step() {
    CachedFile& file = files_[Below(static_cast<uint32_t>(files_.size()))];
    const Key key(file.id, Below(kBlocksPerFile));
    const uint32_t choice = Below(100);
    if (choice < 35) {
      Read(file, key);
    } else if (choice < 65) {
      Change(file, key);
    } else if (choice < 78) {
      Create(file, key);
    } else if (choice < 84) {
      Discard(file, key);
    } else if (choice < 88) {
      Place(file, key);
    } else if (choice < 93) {
      TakeBatch();
    } else if (choice < 98) {
      if (flush_open_) {
        EndFlush(Below(3) > 0);
      } else {
        BeginFlush();
      }
    } else if (choice < 99) {
      pins_.clear();
    } else if (Below(10) == 0) {
      DropFile(file);
    } else if (Below(3) == 0) {
      AlterLookaside(file);
    }
  }

  void AlterLookaside(CachedFile& file) {
    file.lookaside = static_cast<Lookaside>(Below(3));
    if (file.lookaside != Lookaside::kFreeze) cache_.Unfreeze(file.id);
  }

  // A pin is kept now and then; the block may change and even be discarded under it.
  void Keep(Pin pin) {
    if (Below(4) == 0) pins_.push_back(std::move(pin));
    if (pins_.size() > 3) pins_.erase(pins_.begin());
  }
  bool Pinned(const Key& key) {
    return std::any_of(pins_.begin(), pins_.end(), [&](const Pin& pin) {
      // Which file a pin is of is not told; the number is enough to be careful.
      return pin.block() == key.second;
    });
  }

  void Read(const CachedFile& file, const Key& key) {
    constexpr BlockUse kUses[] = {BlockUse::kIndex, BlockUse::kData, BlockUse::kScanned};
    const BlockUse use = kUses[Below(3)];
    const bool room = cache_.HasRoomFor(file, 1);
    const int reads = store_.reads;
    const int64_t hits = calls_.cache_hits;
    absl::StatusOr<Pin> pin = cache_.Read(file, key.second, use, calls_);
    EXPECT_EQ(calls_.driver_input_calls, ++inputs_);
    if (newest_.count(key) == 0) {
      EXPECT_FALSE(pin.ok());  // 59, or 31 when there was no frame to try
    } else if (!pin.ok()) {
      EXPECT_EQ(NumberOf(pin.status()), ErrorNumber::kNoBufferSpace);
      EXPECT_FALSE(room);
      EXPECT_EQ(changed_.count(key) + flushing_.count(key), 0u) << "a dirty block was evicted";
    } else {
      EXPECT_EQ(pin->block(), key.second);
      EXPECT_TRUE(pin->image() == absl::MakeConstSpan(newest_[key]));
      EXPECT_EQ(calls_.cache_hits - hits, store_.reads == reads ? 1 : 0);
      Keep(*std::move(pin));
    }
  }

  void Change(const CachedFile& file, const Key& key) {
    if (newest_.count(key) == 0) return;
    const int reads = store_.reads;
    absl::StatusOr<Pin> pin = cache_.FetchForWrite(file, key.second, BlockUse::kData);
    if (!pin.ok()) {
      EXPECT_EQ(NumberOf(pin.status()), ErrorNumber::kNoBufferSpace);
      return;
    }
    if (Below(8) == 0) return;  // the operation was refused
    bool absent = store_.reads > reads;
    for (uint32_t writes = 1 + Below(2); writes > 0; --writes) {
      if (!cache_.HasRoomFor(file, 1)) return;  // refused before its first change
      const bool hit = logically_dirty_.count(key) > 0;
      Write(file, key, *pin, hit, absent);
      absent = false;
    }
    Keep(*std::move(pin));
  }

  void Write(const CachedFile& file, const Key& key, Pin& pin, bool hit, bool absent) {
    const BlockCalls before = calls_;
    const absl::Span<char> image = cache_.BeginWrite(file, pin, calls_);
    EXPECT_EQ(calls_.cache_write_hits - before.cache_write_hits, hit ? 1 : 0);
    EXPECT_EQ(calls_.cache_write_misses - before.cache_write_misses, absent && !hit ? 1 : 0);
    EXPECT_EQ(calls_.driver_output_calls, ++outputs_);
    EXPECT_TRUE(absl::MakeConstSpan(image) == absl::MakeConstSpan(newest_[key]));
    const char value = static_cast<char>(random_());
    std::fill(image.begin() + Below(file.image_bytes), image.end(), value);
    image[0] = static_cast<char>(key.second);
    newest_[key] = std::string(image.data(), image.size());
    changed_.insert(key);
    if (file.write_through) {
      if (std::find(batch_.begin(), batch_.end(), key) == batch_.end()) batch_.push_back(key);
    } else {
      logically_dirty_.insert(key);
    }
  }

  void Create(const CachedFile& file, const Key& key) {
    if (Pinned(key) || !cache_.HasRoomFor(file, 1)) return;
    Forget(key);
    absl::StatusOr<Pin> pin = cache_.Create(file, key.second, BlockUse::kIndex, calls_);
    ASSERT_TRUE(pin.ok()) << "HasRoomFor had said yes";
    EXPECT_EQ(calls_.driver_input_calls, ++inputs_);
    if (Below(5) == 0) {  // not written to: the block is gone with its pin
      store_.images.erase(key);
      return;
    }
    newest_[key] = std::string(file.image_bytes, '\0');
    Write(file, key, *pin, /*hit=*/true, /*absent=*/false);
    Keep(*std::move(pin));
  }

  void Discard(const CachedFile& file, const Key& key) {
    cache_.Discard(file, key.second);
    Forget(key);
    store_.images.erase(key);
  }

  void DropFile(const CachedFile& file) {
    pins_.clear();
    cache_.DropFile(file.id);
    for (BlockNumber block = 0; block < kBlocksPerFile; ++block) {
      Forget({file.id, block});
      store_.images.erase({file.id, block});
    }
  }

  void Forget(const Key& key) {
    newest_.erase(key);
    changed_.erase(key);
    logically_dirty_.erase(key);
    discarded_since_cut_.insert(key);
    std::erase(batch_, key);
  }

  void Place(const CachedFile& file, const Key& key) {
    const std::string image(file.image_bytes, static_cast<char>(random_()));
    const absl::Status status = cache_.Place(file, key.second, image);
    if (!status.ok()) {
      EXPECT_EQ(NumberOf(status), ErrorNumber::kNoBufferSpace);
      EXPECT_FALSE(cache_.HasRoomFor(file, 1));
      return;
    }
    newest_[key] = image;
    changed_.insert(key);
  }

  void TakeBatch() {
    std::vector<Key> visited;
    cache_.TakeBatch([&](FileId file, BlockNumber block, absl::Span<const char> image) {
      visited.emplace_back(file, block);
      EXPECT_TRUE(image == absl::MakeConstSpan(newest_[visited.back()]));
    });
    EXPECT_EQ(visited, batch_);
    batch_.clear();
  }

  void BeginFlush() {
    list_ = cache_.BeginFlush();
    flush_open_ = true;
    flushing_.clear();
    discarded_since_cut_.clear();
    for (const BlockWrite& write : list_.blocks) {
      const bool added =
          flushing_.emplace(Key(write.file, write.block), std::string(write.image, write.bytes))
              .second;
      EXPECT_TRUE(added);
    }
    EXPECT_EQ(flushing_.size(), changed_.size());
    for (const Key& key : changed_) EXPECT_EQ(flushing_[key], newest_[key]);
    changed_.clear();
  }

  void EndFlush(bool committed) {
    for (const BlockWrite& write : list_.blocks) {
      const Key key(write.file, write.block);
      EXPECT_TRUE(std::string(write.image, write.bytes) == flushing_[key]) << "the cut moved";
      if (discarded_since_cut_.count(key) > 0) continue;
      if (committed) {
        store_.images[key] = flushing_[key];
        if (changed_.count(key) == 0) logically_dirty_.erase(key);
      } else {
        changed_.insert(key);
      }
    }
    cache_.EndFlush(std::move(list_), committed);
    flush_open_ = false;
    flushing_.clear();
  }

  void CheckNumbers() {
    EXPECT_EQ(calls_.driver_input_calls, calls_.cache_hits + calls_.cache_read_misses);
    EXPECT_EQ(calls_.driver_output_calls,
              calls_.cache_write_hits + calls_.cache_write_cleans + calls_.cache_write_misses);
    EXPECT_EQ(cache_.dirty_blocks(), changed_.size() + flushing_.size());
    uint64_t dirty_bytes = 0;
    for (const Key& key : changed_) dirty_bytes += files_[key.first - 1].image_bytes;
    for (const auto& [key, image] : flushing_) dirty_bytes += image.size();
    EXPECT_EQ(cache_.dirty_bytes(), dirty_bytes);
    EXPECT_EQ(cache_.batch_blocks(), batch_.size());
    EXPECT_LE(cache_.memory_bytes(), bytes_ + kFrozenBytes);
    most_frozen_ = std::max(most_frozen_, cache_.LookasideSoFar().frozen_blocks);
    cache_.CheckBooks();
  }

  std::mt19937 random_;
  uint64_t bytes_;
  BlockStoreDouble store_;
  BlockCache cache_;
  std::vector<CachedFile> files_;
  BlockCalls calls_;
  int64_t inputs_ = 0;
  int64_t outputs_ = 0;
  std::vector<Pin> pins_;
  std::map<Key, std::string> newest_;
  std::set<Key> changed_;
  std::set<Key> logically_dirty_;
  std::vector<Key> batch_;
  FlushList list_;
  bool flush_open_ = false;
  std::map<Key, std::string> flushing_;
  std::set<Key> discarded_since_cut_;
  uint64_t most_frozen_ = 0;
};

uint32_t Seed() {
  const char* given = std::getenv("QUIRE_TEST_SEED");
  return given != nullptr ? static_cast<uint32_t>(std::strtoul(given, nullptr, 10))
                          : std::random_device()();
}

TEST(BlockCacheModel, RandomHistories) {  // R-C1, R-D4, R-D5
  const uint32_t seed = Seed();
  std::cout << "QUIRE_TEST_SEED=" << seed << '\n';
  for (const auto& [bytes, chunk_bytes] : std::vector<std::pair<uint64_t, uint64_t>>{
           {32 << 10, 4096}, {64 << 10, 8192}, {256 << 10, 0}, {kSmallestBytes, 4096}}) {
    for (KeepData keeping : {KeepData::kMeasured, KeepData::kAlways, KeepData::kNever}) {
      SCOPED_TRACE("QUIRE_TEST_SEED=" + std::to_string(seed) + " bytes " + std::to_string(bytes) +
                   " keeping " + std::to_string(static_cast<int>(keeping)));
      Model(seed, bytes, chunk_bytes, keeping).Run();
    }
  }
}

}  // namespace
}  // namespace quire
