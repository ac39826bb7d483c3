#include "server/cache/block_table.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "server/base/check.h"

namespace quire {
namespace {

constexpr uint64_t kFewestPlaces = 64;
// Of four places one is taken at most when the table has just been made, two before it grows.
constexpr uint64_t kPlacesPerBlock = 2;

}  // namespace

BlockTable::BlockTable(Frame* frames, uint64_t blocks) : frames_(frames) {
  Allocate(std::bit_ceil(std::max(blocks * kPlacesPerBlock, kFewestPlaces)));
}

void BlockTable::Allocate(uint64_t places) {
  HugeMemory memory(places * sizeof(Entry));
  if (memory.data() == nullptr) throw std::bad_alloc();
  memory_ = std::move(memory);
  entries_ = reinterpret_cast<Entry*>(memory_.data());
  mask_ = places - 1;
}

void BlockTable::Put(Entry entry) {
  uint64_t place = HomeOf(entry.hash);
  while (entries_[place].frame != 0) place = (place + 1) & mask_;
  entries_[place] = entry;
}

void BlockTable::Grow() {
  const Entry* const old = entries_;
  const uint64_t places = mask_ + 1;
  HugeMemory memory(places * 2 * sizeof(Entry));
  if (memory.data() == nullptr) throw std::bad_alloc();
  std::swap(memory_, memory);
  entries_ = reinterpret_cast<Entry*>(memory_.data());
  mask_ = places * 2 - 1;
  for (uint64_t i = 0; i < places; ++i) {
    if (old[i].frame != 0) Put(old[i]);
  }
}

bool BlockTable::Insert(Frame* frame) {
  if (Find(frame->file, frame->block) != nullptr) return false;
  if ((size_ + 1) * kPlacesPerBlock > mask_ + 1) Grow();
  Put({static_cast<uint32_t>(frame - frames_) + 1, HashOf(frame->file, frame->block)});
  ++size_;
  return true;
}

void BlockTable::Erase(const Frame* frame) {
  const auto wanted = static_cast<uint32_t>(frame - frames_) + 1;
  uint64_t hole = HomeOf(HashOf(frame->file, frame->block));
  while (entries_[hole].frame != wanted) {
    QUIRE_CHECK(entries_[hole].frame != 0);
    hole = (hole + 1) & mask_;
  }
  // What stands behind the hole and began its search at or before it moves up, so that no search
  // ends at the hole too early.
  for (uint64_t place = (hole + 1) & mask_; entries_[place].frame != 0;
       place = (place + 1) & mask_) {
    const uint64_t from_home = (place - HomeOf(entries_[place].hash)) & mask_;
    if (from_home < ((place - hole) & mask_)) continue;
    entries_[hole] = entries_[place];
    hole = place;
  }
  entries_[hole] = Entry{};
  --size_;
}

}  // namespace quire
