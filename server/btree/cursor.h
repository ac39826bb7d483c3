// A position in the records of a tree, and the way on from it.
#ifndef QUIRE_SERVER_BTREE_CURSOR_H_
#define QUIRE_SERVER_BTREE_CURSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "quire/key_range.h"
#include "quire/operation.h"
#include "server/base/ids.h"
#include "server/btree/seek.h"
#include "server/btree/sequential_run.h"
#include "server/btree/tree.h"
#include "server/cache/block_cache.h"
#include "server/counters/block_calls.h"

namespace quire {

// Walks records in order, either way, over [start, limit). Its position is a key: it stays right
// whatever is inserted, deleted or split between two calls. While the tree has not changed it goes
// on from its leaf: one read call per leaf visited; a descent is counted only at the start and
// after a change (R-C2).
class Cursor {
 public:
  Cursor(Tree* tree, KeyRange range, bool reverse, bool start_exclusive, BlockUse use);

  // Appends records to `chunk` until `max_bytes` of data or `max_records` are in it, or the range
  // ends (true in *end). An empty chunk gets at least one record when there is one. max_records 0:
  // no limit. After an error the position is as before the failed block; Fill may be repeated.
  absl::Status Fill(uint64_t max_bytes, uint64_t max_records, BlockCalls& calls, RecordChunk* chunk,
                    bool* end);

 private:
  struct Limits {
    uint64_t max_bytes;
    uint64_t max_records;
    // Whether a chunk that holds records already may not take one of so many bytes more.
    bool Refuse(const RecordChunk& chunk, size_t bytes) const {
      if (chunk.size() == 0) return false;
      return (max_records != 0 && chunk.size() >= max_records) ||
             chunk.data.size() + bytes > max_bytes;
    }
  };

  SeekBound Bound() const;
  bool IsBeyondRange(std::string_view key) const;
  absl::Status Take(LeafPosition& position, const Limits& limits, BlockCalls& calls,
                    RecordChunk* chunk);
  void Remember(BlockNumber leaf, int32_t slot);
  // Tells the run of the block that the position has come to, if it is another than before.
  void Follow(const LeafPosition& position, bool missed);

  Tree* tree_;
  KeyRange range_;
  bool reverse_;
  bool start_exclusive_;
  BlockUse use_;
  bool ended_;
  bool started_ = false;
  std::string last_key_;       // of the last record given, once started
  BlockNumber next_leaf_ = 0;  // where the next one lies, while tree_version_ stands; 0: unknown
  int32_t next_slot_ = 0;
  uint64_t tree_version_ = 0;

  std::shared_ptr<SequentialRun> run_;  // once blocks read in sequence had to be fetched
  BlockNumber leaf_ = 0;                // read last; 0: none yet
  uint32_t sequential_ = 0;             // blocks read so far
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_CURSOR_H_
