#include "server/base/huge_memory.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "gtest/gtest.h"

namespace quire {
namespace {

constexpr size_t kBytes = 4 << 20;

TEST(HugeMemoryTest, IsZeroWritableAndPageAligned) {
  HugeMemory memory(kBytes);
  ASSERT_NE(memory.data(), nullptr);
  EXPECT_EQ(memory.size(), kBytes);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.data()) % 4096, 0U);
  EXPECT_EQ(memory.data()[kBytes - 1], 0);
  memory.data()[0] = 'a';
  memory.data()[kBytes - 1] = 'z';
  EXPECT_EQ(memory.data()[kBytes - 1], 'z');
}

TEST(HugeMemoryTest, MovesWithoutCopying) {
  HugeMemory first(kBytes);
  char* const data = first.data();
  HugeMemory second(std::move(first));
  EXPECT_EQ(second.data(), data);
  HugeMemory third;
  EXPECT_EQ(third.data(), nullptr);
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.size(), kBytes);
}

TEST(HugeMemoryTest, RefusalIsANullPointer) {
  HugeMemory memory(std::numeric_limits<size_t>::max() / 2);
  EXPECT_EQ(memory.data(), nullptr);
  EXPECT_EQ(memory.size(), 0U);
}

}  // namespace
}  // namespace quire
