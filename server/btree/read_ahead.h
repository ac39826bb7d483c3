// Reading ahead of those who read record after record: what a tree tells to whom can bring blocks
// nearer, and what it was worth.
//
// It is only ever advice. A block brought ahead is read, counted, checked and answered as any other
// when its turn comes; no logical counter and no answer depends on whether there is read-ahead.
#ifndef QUIRE_SERVER_BTREE_READ_AHEAD_H_
#define QUIRE_SERVER_BTREE_READ_AHEAD_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "server/base/ids.h"

namespace quire {

// Sums over a volume. `asked` = `used` + `unused` + those whose turn may still come.
struct ReadAheadTotals {
  std::atomic<int64_t> asked{0};    // blocks asked for ahead of their turn
  std::atomic<int64_t> brought{0};  // of them: not in memory before
  std::atomic<int64_t> used{0};     // of them: a reader came to them
  std::atomic<int64_t> unused{0};   // of them: no reader came
  std::atomic<int64_t> pauses{0};   // times it stopped because nothing had to be brought
};

struct ReadAheadRules {
  bool adaptive = true;  // else: the window is first_bytes for ever, whatever it is worth
  uint64_t first_bytes = 0;
  uint64_t most_bytes = 0;  // the window grows to this while it is used
};

// What reading ahead was worth at one file. Shared by the file's runs and by the thread that brings
// the blocks; outlives file and volume at need. Any thread. The rules that change with experience
// are here, and only apply to adaptive read-ahead:
//
// A run that used less than half of what it asked for doubles the number of blocks that have to be
// read in sequence before the next one begins, up to kMostSequential; one that used more halves it.
//
// Where fewer than one in kColdShare blocks had to be brought from disc, all runs of the file pause
// for kFirstPause blocks, and for twice as many each time up to kLongestPause.
class ReadAheadWorth {
 public:
  static constexpr uint32_t kFirstSequential = 2;
  static constexpr uint32_t kMostSequential = 256;
  static constexpr uint32_t kColdShare = 8;
  static constexpr uint32_t kFirstPause = 64;
  static constexpr uint32_t kLongestPause = 8192;

  ReadAheadWorth(std::shared_ptr<ReadAheadTotals> totals, bool adaptive)
      : totals_(std::move(totals)), adaptive_(adaptive) {}

  // Blocks read in sequence before a run asks for the first time.
  uint32_t sequential_blocks() const { return sequential_.load(std::memory_order_relaxed); }
  // A run came to a block and could ask. True: not now.
  bool Pausing();
  // A run asked for, came to, and ended without having come to so many blocks.
  void NoteAsked(uint64_t blocks);
  void NoteUsed(uint64_t blocks);
  void NoteEnd(uint64_t used, uint64_t unused);
  // Of `asked` blocks so many had to be brought.
  void NoteBrought(uint32_t asked, uint32_t brought);

 private:
  const std::shared_ptr<ReadAheadTotals> totals_;
  const bool adaptive_;
  std::atomic<uint32_t> sequential_{kFirstSequential};
  std::atomic<uint32_t> pause_length_{0};  // of the last one; 0: blocks are being brought
  std::atomic<uint32_t> pause_left_{0};    // blocks
};

// One of a volume, for all its trees. Called in the disc process role.
class ReadAhead {
 public:
  virtual ~ReadAhead() = default;
  virtual const ReadAheadRules& rules() const = 0;
  virtual std::shared_ptr<ReadAheadWorth> NewWorth() = 0;
  // Has the blocks brought; returns at once. Tells `worth` how many had to be.
  virtual void Bring(FileId file, std::vector<BlockNumber> blocks,
                     std::shared_ptr<ReadAheadWorth> worth) = 0;
};

// What a tree has of it. Both null: none.
struct TreeReadAhead {
  ReadAhead* reader = nullptr;
  std::shared_ptr<ReadAheadWorth> worth;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_READ_AHEAD_H_
