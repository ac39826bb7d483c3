#include "server/btree/tree_walk.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "quire/error.h"
#include "quire/text.h"
#include "server/btree/bitmap.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"
#include "server/btree/search.h"

namespace quire {
namespace {

// What the entry that leads to a block says of the keys below it: [lower, upper).
struct Bounds {
  std::string_view lower;
  std::optional<std::string_view> upper;

  bool Contain(std::string_view key) const { return key >= lower && (!upper || key < *upper); }
};

// The data block walked last, as far as it is known.
struct ChainEnd {
  std::optional<BlockNumber> block = 0;  // 0: none yet
  std::optional<BlockNumber> next = 0;   // its forward link
};

class TreeWalk {
 public:
  TreeWalk(const TreeOutline& outline, BlockSource& source)
      : outline_(outline), state_(outline.state), source_(source) {}

  TreeFindings Run();

 private:
  void WalkLevels();
  void Visit(BlockNumber block, uint32_t level, const Bounds& bounds);
  // The image in place of `level`, sound enough to be walked; else a fault has been noted.
  bool ReadSound(BlockNumber block, uint32_t level, absl::Span<char> image);
  void VisitIndex(BlockView& view, BlockNumber block, uint32_t level, const Bounds& bounds);
  void VisitData(BlockView& view, BlockNumber block, const Bounds& bounds);
  void CheckChain(BlockNumber block, BlockNumber previous);
  void CheckRecords(BlockView& view, BlockNumber block, const Bounds& bounds);
  void CheckBitmap(BlockNumber bitmap);
  void CheckBit(BlockNumber bitmap, BlockNumber block, bool free);
  void CountStray(BlockNumber block);
  void CheckTotals();

  void Count(const BlockView& view, uint32_t level);
  // The block in this place, and all below it, cannot be walked.
  void Lose(uint32_t level, std::optional<BlockNumber> block);
  bool Reached(BlockNumber block) const {
    return (block < reached_.size() && reached_[block]) || lost_.contains(block);
  }
  // Grows with what is there: a label may claim any EOF.
  void MarkReached(BlockNumber block) {
    if (block >= reached_.size()) reached_.resize(size_t{block} + 1);
    reached_[block] = true;
  }
  void Bad(BlockNumber block, std::string_view reason) {
    Note(btree_error::BadBlock(outline_.file, block, reason));
  }
  void Note(const absl::Status& fault) {
    ++findings_.faults;
    if (findings_.status.ok()) findings_.status = fault;
  }
  // A fault to go on from, or the end of the walk.
  void NoteUnreadable(const absl::Status& status);

  const TreeOutline& outline_;
  const TreeState& state_;
  BlockSource& source_;
  TreeFindings findings_;
  std::vector<bool> reached_;             // by block number
  std::unordered_set<BlockNumber> lost_;  // named by the tree, but not to be read
  bool ended_ = false;
  bool blocks_missing_ = false;   // some block of the tree was not walked
  bool subtree_missing_ = false;  // …so that what lies below is not known by number
  bool bitmap_missing_ = false;
  uint64_t records_ = 0;
  uint64_t free_blocks_ = 0;
  std::optional<std::string> last_key_;
  ChainEnd chain_;
};

TreeFindings TreeWalk::Run() {
  WalkLevels();
  const uint32_t interval = BitmapInterval(outline_.image_bytes);
  for (uint64_t bitmap = 0; bitmap < state_.eof_blocks && !ended_; bitmap += interval) {
    CheckBitmap(static_cast<BlockNumber>(bitmap));
  }
  if (!ended_) CheckTotals();
  return std::move(findings_);
}

void TreeWalk::WalkLevels() {
  const uint32_t index_levels = std::min(state_.index_levels, kMaxIndexLevels);
  for (uint32_t level = 0; level <= index_levels; ++level) {
    findings_.levels.push_back({.level = level});
  }
  if (state_.index_levels > kMaxIndexLevels || (state_.root == 0 && state_.index_levels != 0)) {
    Note(btree_error::BadState(outline_.file, "the number of index levels cannot be"));
    Lose(index_levels, std::nullopt);
    return;
  }
  if (state_.root == 0) return;
  Bounds bounds{outline_.range.start, std::nullopt};
  if (!outline_.range.limit.empty()) bounds.upper = outline_.range.limit;
  Visit(state_.root, state_.index_levels, bounds);
  if (!ended_ && chain_.block && chain_.next && *chain_.next != 0) {
    Bad(*chain_.block, "it is the last data block, but chained on");
  }
}

void TreeWalk::NoteUnreadable(const absl::Status& status) {
  if (NumberOf(status) == ErrorNumber::kFileBad) return Note(status);
  findings_.status = status;
  ended_ = true;
}

void TreeWalk::Lose(uint32_t level, std::optional<BlockNumber> block) {
  blocks_missing_ = true;
  if (block) lost_.insert(*block);
  if (level == 0 && block) {
    // Its place in the chain is known all the same.
    if (chain_.block && chain_.next && *chain_.block != 0 && *chain_.next != *block) {
      Bad(*chain_.block, "its forward link is not that of the chain");
    }
    chain_ = ChainEnd{block, std::nullopt};
    return;
  }
  subtree_missing_ = true;
  chain_ = ChainEnd{std::nullopt, std::nullopt};
}

void TreeWalk::Count(const BlockView& view, uint32_t level) {
  LevelStatistics& statistics = findings_.levels[level];
  ++statistics.blocks;
  statistics.records += view.count();
  statistics.free_bytes += view.free_bytes();
}

bool TreeWalk::ReadSound(BlockNumber block, uint32_t level, absl::Span<char> image) {
  if (absl::Status s = source_.Read(block, level, image); !s.ok()) {
    NoteUnreadable(s);
    return false;
  }
  BlockView view(image);
  if (const char* reason = WrongBlock(view, static_cast<uint8_t>(level))) {
    Bad(block, reason);
    return false;
  }
  if (!view.Validate(level > 0 ? kChildBytes : outline_.key.end())) {
    Bad(block, "its slots are out of order");
    return false;
  }
  return true;
}

void TreeWalk::Visit(BlockNumber block, uint32_t level, const Bounds& bounds) {
  if (ended_) return;
  if (block == 0 || block >= state_.eof_blocks) {
    Bad(block, "the file has no such block");
    return Lose(level, std::nullopt);
  }
  if (Reached(block)) {
    Bad(block, "it is reached twice");
    return Lose(level, std::nullopt);
  }
  std::string image(outline_.image_bytes, '\0');
  if (!ReadSound(block, level, absl::MakeSpan(image.data(), image.size()))) {
    return Lose(level, block);
  }
  MarkReached(block);
  BlockView view(image);
  Count(view, level);
  const std::string_view free_bytes(image.data() + view.used_end(), view.free_bytes());
  if (free_bytes.find_first_not_of('\0') != free_bytes.npos) {
    Bad(block, "its free bytes are not zeros");
  }
  if (level > 0) {
    VisitIndex(view, block, level, bounds);
  } else {
    VisitData(view, block, bounds);
  }
}

void TreeWalk::VisitIndex(BlockView& view, BlockNumber block, uint32_t level,
                          const Bounds& bounds) {
  if (view.previous() != 0 || view.next() != 0) Bad(block, "an index block with chain links");
  // What the first entry keeps is never looked at: its bound is that of the block.
  for (uint32_t i = 1; i < view.count(); ++i) {
    const std::string_view separator = view.Separator(i);
    const std::string_view before = i == 1 ? bounds.lower : view.Separator(i - 1);
    if (!bounds.Contain(separator) || separator <= before) {
      Bad(block, StrCat("entry ", i, " is out of order or out of its parent's bounds"));
      break;
    }
  }
  for (uint32_t i = 0; i < view.count() && !ended_; ++i) {
    Bounds below = bounds;
    if (i > 0) below.lower = view.Separator(i);
    if (i + 1 < view.count()) below.upper = view.Separator(i + 1);
    Visit(view.Child(i), level - 1, below);
  }
}

void TreeWalk::CheckChain(BlockNumber block, BlockNumber previous) {
  if (!chain_.block) return;  // what stands before it could not be told
  if (previous != *chain_.block) Bad(block, "its backward link is not that of the chain");
  if (*chain_.block != 0 && chain_.next && *chain_.next != block) {
    Bad(*chain_.block, "its forward link is not that of the chain");
  }
}

void TreeWalk::VisitData(BlockView& view, BlockNumber block, const Bounds& bounds) {
  CheckChain(block, view.previous());
  CheckRecords(view, block, bounds);
  records_ += view.count();
  last_key_.emplace(view.Key(view.count() - 1, outline_.key));
  chain_ = ChainEnd{block, view.next()};
}

void TreeWalk::CheckRecords(BlockView& view, BlockNumber block, const Bounds& bounds) {
  for (uint32_t i = 0; i < view.count(); ++i) {
    const std::string_view key = view.Key(i, outline_.key);
    const bool rises = i > 0 ? key > view.Key(i - 1, outline_.key) : !last_key_ || key > *last_key_;
    if (!rises) return Bad(block, StrCat("record ", i, " is out of order"));
    if (!outline_.range.Contains(key)) {
      return Bad(block, StrCat("record ", i, " has a key of another partition"));
    }
    if (!bounds.Contain(key)) {
      return Bad(block, StrCat("record ", i, " is out of its parent's bounds"));
    }
  }
}

void TreeWalk::CheckBitmap(BlockNumber bitmap) {
  if (Reached(bitmap)) {
    bitmap_missing_ = true;
    return Bad(bitmap, "a bitmap that the tree leads to");
  }
  std::string image(outline_.image_bytes, '\0');
  if (absl::Status s =
          source_.Read(bitmap, kBitmapLevel, absl::MakeSpan(image.data(), image.size()));
      !s.ok()) {
    bitmap_missing_ = true;
    NoteUnreadable(s);
    return;
  }
  if (const char* reason = WrongBlock(BlockView(image), kBitmapLevel)) {
    bitmap_missing_ = true;
    return Bad(bitmap, reason);
  }
  ++findings_.bitmap_blocks;
  const uint64_t limit = uint64_t{bitmap} + BitmapInterval(outline_.image_bytes);
  for (uint64_t at = uint64_t{bitmap} + 1; at < limit && !ended_; ++at) {
    const auto block = static_cast<BlockNumber>(at);
    const bool free = IsFree(image, block);
    if (at < state_.eof_blocks) {
      CheckBit(bitmap, block, free);
    } else if (!free) {
      return Bad(bitmap, StrCat("block ", at, " beyond EOF is marked used"));
    }
  }
}

void TreeWalk::CheckBit(BlockNumber bitmap, BlockNumber block, bool free) {
  const bool reached = Reached(block);
  if (free && reached) {
    Bad(block, "it is in use but marked free");
  } else if (!free && !reached) {
    // Where a part of the tree is missing, its blocks are what is expected here.
    if (subtree_missing_) return CountStray(block);
    Bad(block, "it is marked used but not reached");
  }
  if (!free) return;
  if (!reached) ++findings_.unused_blocks;
  ++free_blocks_;
  if (bitmap < state_.free_hint) Bad(bitmap, "it has free blocks, but the hint is above");
}

void TreeWalk::CountStray(BlockNumber block) {
  std::string image(outline_.image_bytes, '\0');
  if (absl::Status s = source_.Read(block, 0, absl::MakeSpan(image.data(), image.size()));
      !s.ok()) {
    NoteUnreadable(s);
    return;
  }
  BlockView view(image);
  const uint8_t level = view.level();
  if (level < findings_.levels.size() && WrongBlock(view, level) == nullptr &&
      view.Validate(level > 0 ? kChildBytes : outline_.key.end())) {
    Count(view, level);
  } else {
    Bad(block, "it is in use, but no block of this tree");
  }
}

void TreeWalk::CheckTotals() {
  if (!blocks_missing_ && records_ != state_.record_count) {
    Note(btree_error::BadState(outline_.file, StrCat("the label counts ", state_.record_count,
                                                     " records, the blocks hold ", records_)));
  }
  if (!bitmap_missing_ && free_blocks_ != state_.free_blocks) {
    Note(btree_error::BadState(outline_.file,
                               StrCat("the label counts ", state_.free_blocks,
                                      " free blocks, the bitmaps hold ", free_blocks_)));
  }
}

}  // namespace

TreeFindings WalkTree(const TreeOutline& outline, BlockSource& source) {
  return TreeWalk(outline, source).Run();
}

}  // namespace quire
