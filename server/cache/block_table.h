// The frame of a block, found by the block's file and number.
//
// Open addressing over entries of 8 bytes on huge pages: the index of a frame and 32 bits of the
// block's hash, so that a search touches one cache line here and then the frame itself. Eight
// neighbouring block numbers begin at eight neighbouring places: a scan of a file that was written
// in order goes through the table in order too.
#ifndef QUIRE_SERVER_CACHE_BLOCK_TABLE_H_
#define QUIRE_SERVER_CACHE_BLOCK_TABLE_H_

#include <cstdint>

#include "server/base/huge_memory.h"
#include "server/base/ids.h"
#include "server/cache/frame.h"

namespace quire {

// Not thread safe. At most 2^31 frames.
class BlockTable {
 public:
  // `frames`: the array that all frames are of. Room for `blocks` without growing. Throws
  // std::bad_alloc.
  BlockTable(Frame* frames, uint64_t blocks);

  // nullptr: no frame holds it.
  Frame* Find(FileId file, BlockNumber block) const {
    const uint32_t hash = HashOf(file, block);
    for (uint64_t place = HomeOf(hash);; place = (place + 1) & mask_) {
      const Entry& entry = entries_[place];
      if (entry.frame == 0) return nullptr;
      if (entry.hash != hash) continue;
      Frame* const frame = frames_ + (entry.frame - 1);
      if (frame->file == file && frame->block == block) return frame;
    }
  }

  // False: the block has a frame. Throws std::bad_alloc.
  bool Insert(Frame* frame);
  // The frame must be here, under the file and block it holds.
  void Erase(const Frame* frame);

  uint64_t size() const { return size_; }
  // In no order; `visit` must not change the table.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (uint64_t place = 0; place <= mask_; ++place) {
      if (entries_[place].frame != 0) visit(frames_ + (entries_[place].frame - 1));
    }
  }

 private:
  struct Entry {
    uint32_t frame = 0;  // 1 + its index; 0: empty, as fresh memory is
    uint32_t hash = 0;
  };
  static constexpr uint32_t kNeighbours = 8;  // a cache line of entries

  // Of the block's group of neighbours; the low bits tell them apart.
  static uint32_t HashOf(FileId file, BlockNumber block) {
    uint64_t mixed = (file * 0x9e3779b97f4a7c15u) ^ (block / kNeighbours);
    mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
    mixed ^= mixed >> 32;
    return static_cast<uint32_t>(mixed) / kNeighbours * kNeighbours + block % kNeighbours;
  }
  uint64_t HomeOf(uint32_t hash) const { return hash & mask_; }
  void Allocate(uint64_t places);
  void Grow();
  void Put(Entry entry);

  Frame* frames_;
  HugeMemory memory_;
  Entry* entries_ = nullptr;
  uint64_t mask_ = 0;  // places - 1
  uint64_t size_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_BLOCK_TABLE_H_
