// How far ahead a sequential reader's chunks are fetched. It grows only while chunks are used up,
// so that a reader that stops costs nothing more, and one that jumps about reads nothing in vain.
#ifndef QUIRE_CLIENT_FILESYSTEM_READ_AHEAD_H_
#define QUIRE_CLIENT_FILESYSTEM_READ_AHEAD_H_

#include <algorithm>
#include <cstdint>

namespace quire {

class ReadAhead {
 public:
  // Chunks that one reader holds or has under way at most, beside the one it is reading.
  static constexpr uint32_t kMostChunks = 4;

  // Of a scan, whose user has said that he wants the whole range: one ahead from the start.
  static ReadAhead OfScan() { return ReadAhead(kSequentialChunks); }
  // Of READs, of which each may be the last: none until two chunks were used up in order.
  static ReadAhead OfReads() { return ReadAhead(0); }

  // The reader has taken the last record of a chunk.
  void ChunkUsed() { used_ = std::min(used_ + 1, kSequentialChunks + 2); }
  // Chunks to be fetched ahead: 0, then 1, 2, 4.
  uint32_t window() const {
    return used_ < kSequentialChunks ? 0 : 1u << (used_ - kSequentialChunks);
  }

 private:
  static constexpr uint32_t kSequentialChunks = 2;
  static_assert(1u << 2 == kMostChunks);

  explicit ReadAhead(uint32_t used) : used_(used) {}

  uint32_t used_;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_READ_AHEAD_H_
