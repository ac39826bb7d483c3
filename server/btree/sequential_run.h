// One reader's way from data block to data block, and what it has asked for ahead of itself.
#ifndef QUIRE_SERVER_BTREE_SEQUENTIAL_RUN_H_
#define QUIRE_SERVER_BTREE_SEQUENTIAL_RUN_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "quire/key_range.h"
#include "server/btree/read_ahead.h"
#include "server/btree/tree_state.h"

namespace quire {

// A place in the run: the data block just come to.
struct RunPlace {
  BlockNumber leaf = 0;
  std::string_view key;  // of a record in it
  bool missed = false;   // the cache did not hold it
  bool reverse = false;
  const KeyRange* range = nullptr;  // of the reader
};

// Shared by copies of a cursor. Disc process role, except that it may end anywhere and at any time,
// also after the volume.
class SequentialRun {
 public:
  SequentialRun(const ReadAheadRules& rules, std::shared_ptr<ReadAheadWorth> worth);
  ~SequentialRun();  // what it asked for and did not come to was of no use
  SequentialRun(const SequentialRun&) = delete;
  SequentialRun& operator=(const SequentialRun&) = delete;

  // The reader came to the block beside: asks for more when half of the window is used up. The
  // window begins at first_bytes, and, when adaptive, doubles each time up to most_bytes. Blocks
  // that the cache holds are not asked for.
  void CameTo(const TreeParts& parts, const RunPlace& place, ReadAhead& read_ahead);

 private:
  void NoteArrival(BlockNumber leaf);
  void Ask(const TreeParts& parts, const RunPlace& place, ReadAhead& read_ahead);

  const ReadAheadRules rules_;
  const std::shared_ptr<ReadAheadWorth> worth_;
  uint32_t window_ = 0;            // blocks
  uint32_t ahead_ = 0;             // blocks that follow and were looked at, asked for or not
  bool at_end_ = false;            // nothing follows those
  std::deque<BlockNumber> asked_;  // in the order in which their turn comes
  uint64_t used_ = 0;
  uint64_t unused_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_SEQUENTIAL_RUN_H_
