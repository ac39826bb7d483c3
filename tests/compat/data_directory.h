// A whole volume directory as text: labels, blocks and meta values of its store and the batches of
// its trail, each a line that says what it is and lines of hexadecimal digits behind it.
//
//   volume $DATA01
//   meta control-point | label 1 | block 1 0 | batch 1 4096      (segment and offset)
//   <hex>
#ifndef QUIRE_TESTS_COMPAT_DATA_DIRECTORY_H_
#define QUIRE_TESTS_COMPAT_DATA_DIRECTORY_H_

#include <cstdint>
#include <string>

namespace quire {

inline constexpr uint64_t kKeptCapacityBytes = uint64_t{1} << 30;
inline constexpr uint64_t kKeptSegmentBytes = uint64_t{64} << 10;

// Of a directory that nobody serves; files of BLOCK 512.
std::string DescribeDirectory(const std::string& directory);
// Makes the directory again.
void MakeDirectory(const std::string& text, const std::string& directory);

}  // namespace quire

#endif  // QUIRE_TESTS_COMPAT_DATA_DIRECTORY_H_
