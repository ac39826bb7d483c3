#include "server/store/map_advice.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace quire {
namespace {

// Of the mapping at `address`: whether the kernel has been told that it is read at random.
bool ReadAtRandom(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  std::ifstream file("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(file, line);) {
    const size_t dash = line.find('-');
    const size_t blank = line.find(' ');
    if (dash != std::string::npos && blank != std::string::npos && dash < blank) {
      here = std::stoull(line, nullptr, 16) == wanted;
    }
    if (here && line.starts_with("VmFlags:")) return line.find(" rr") != std::string::npos;
  }
  return false;
}

TEST(MapReadInOrderTest, HoldsAsLongAsItLives) {
  std::string path = "/tmp/map-advice-XXXXXX";
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, 8192), 0);
  void* const address = mmap(nullptr, 8192, PROT_READ, MAP_SHARED, file, 0);
  ASSERT_NE(address, MAP_FAILED);
  ASSERT_EQ(madvise(address, 8192, MADV_RANDOM), 0);
  ASSERT_TRUE(ReadAtRandom(address));
  {
    const MapReadInOrder in_order(path);
    EXPECT_EQ(in_order.mappings(), 1U);
    EXPECT_FALSE(ReadAtRandom(address));
  }
  EXPECT_TRUE(ReadAtRandom(address));
  munmap(address, 8192);
  close(file);
  unlink(path.c_str());
}

TEST(MapReadInOrderTest, AFileThatIsNotMappedIsLeftAlone) {
  EXPECT_EQ(MapReadInOrder("/etc/passwd").mappings(), 0U);
  EXPECT_EQ(MapReadInOrder("/nowhere/at/all").mappings(), 0U);
}

}  // namespace
}  // namespace quire
