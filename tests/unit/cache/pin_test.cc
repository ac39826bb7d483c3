// Pin (server/cache/pin.cc).
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "server/cache/block_cache.h"
#include "tests/unit/cache/block_store_double.h"

namespace quire {
namespace {

class PinTest : public testing::Test {
 protected:
  PinTest() {
    for (BlockNumber block = 0; block < 3; ++block) {
      store_.images[{1, block}] = std::string(496, static_cast<char>('a' + block));
    }
  }

  Pin Read(BlockNumber block) {
    absl::StatusOr<Pin> pin = cache_->Read(file_, block, BlockUse::kData, calls_);
    EXPECT_TRUE(pin.ok());
    return *std::move(pin);
  }
  // A cache of one frame answers a second block only when nothing is pinned.
  bool Pinned() { return !cache_->HasRoomFor(file_, 1); }

  BlockStoreDouble store_;
  CachedFile file_{.id = 1, .image_bytes = 496};
  BlockCalls calls_;
  std::unique_ptr<BlockCache> cache_ =
      std::make_unique<BlockCache>(&store_, CacheOptions{.bytes = 512, .chunk_bytes = 512});
};

TEST_F(PinTest, EmptyPinsHoldNothing) {
  Pin pin;
  EXPECT_FALSE(pin);
  pin.Release();
  EXPECT_FALSE(pin);
}

TEST_F(PinTest, HoldsUntilReleasedOrDestroyed) {
  {
    Pin pin = Read(2);
    EXPECT_TRUE(pin);
    EXPECT_EQ(pin.block(), 2u);
    EXPECT_EQ(pin.image()[495], 'c');
    EXPECT_TRUE(Pinned());
    pin.Release();
    EXPECT_FALSE(pin);
    EXPECT_FALSE(Pinned());
    pin = Read(1);
    EXPECT_TRUE(Pinned());
  }
  EXPECT_FALSE(Pinned());
}

TEST_F(PinTest, MovesCarryTheHold) {
  Pin first = Read(0);
  Pin second = std::move(first);
  EXPECT_TRUE(second);
  Pin third;
  third = std::move(second);
  EXPECT_TRUE(Pinned());
  Pin& self = third;
  third = std::move(self);
  EXPECT_TRUE(third);
  third = Pin();
  EXPECT_FALSE(Pinned());
}

using PinDeathTest = PinTest;

TEST_F(PinDeathTest, ACacheDestroyedWithLivePinsStopsTheProcess) {  // H17
  EXPECT_DEATH(
      {
        const Pin pin = Read(0);
        cache_.reset();
      },
      "invariant broken");
}

TEST_F(PinDeathTest, AnEmptyPinHasNoImage) {
  const Pin pin;
  EXPECT_DEATH(pin.image(), "invariant broken");
}

}  // namespace
}  // namespace quire
