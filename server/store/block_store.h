// Where control points land: blocks, labels and a few meta values, changed atomically.
//
// Bodies: LmdbStore (lmdb_store.h), MemoryStore (memory_store.h), FaultStore around either
// (fault_store.h).
//
// Threads: the reading methods, RenewSnapshot, EnsureRoom and ReleaseRoom are for the disc process
// role (one thread at a time, handed over with synchronization); Commit is for the control-point
// writer, one at a time, and may run while blocks are read. OpenReader and OpenAheadReader: any
// thread.
//
// Errors (errors.h): 59 a block's bytes arrive but do not check; 43 no room; anything else that
// fails in the store is kVolumeDown (66) and latches the volume.
#ifndef QUIRE_SERVER_STORE_BLOCK_STORE_H_
#define QUIRE_SERVER_STORE_BLOCK_STORE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "server/base/ids.h"
#include "server/store/ahead_reader.h"
#include "server/store/block_reader.h"

namespace quire {

// An image to place. `image` stays unchanged until Commit returns; the store seals its own copy.
struct BlockWrite {
  FileId file = 0;
  BlockNumber block = 0;
  const char* image = nullptr;
  uint32_t bytes = 0;
};

// One control point: all of it or nothing.
struct ControlPoint {
  std::vector<BlockWrite> blocks;  // any order, each block once; the store sorts
  std::map<FileId, std::string> labels;
  std::vector<FileId> erased_labels;
  std::map<std::string, std::string> meta;
  // Blocks of purged files to delete: at most `second` blocks of file `first`. Done last.
  std::vector<std::pair<FileId, uint32_t>> purge_slices;
};

struct CommitResult {
  std::vector<FileId> purged_whole;  // of purge_slices: files with no block left
};

// Physical work since the store was opened; read by any thread.
struct StoreStatistics {
  int64_t reads = 0;  // block reads that left the cache
  int64_t read_bytes = 0;
  int64_t read_micros = 0;
  int64_t writes = 0;  // blocks written
  int64_t written_bytes = 0;
  int64_t syncs = 0;
  int64_t commit_micros = 0;  // in Commit, sync included
  int64_t used_bytes = 0;     // of the volume's file
  int64_t capacity_bytes = 0;
};

// Reads as of the last RenewSnapshot.
class BlockStore : public BlockReader {
 public:
  // Later reads see everything committed before this call.
  virtual absl::Status RenewSnapshot() = 0;
  // Reads on its own, beside everything else, what was committed before this call. What a reader
  // costs stands in block_reader.h. The store outlives it.
  virtual absl::StatusOr<std::unique_ptr<BlockReader>> OpenReader() = 0;

  // Brings blocks into memory ahead of their reading. The store outlives it. Null when the store
  // cannot.
  virtual std::unique_ptr<AheadReader> OpenAheadReader();

  // Returns when the control point is on disc. 43 when there was no room: nothing changed and it
  // may be tried again (R-D8).
  virtual absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) = 0;

  // Makes sure that a control point with so many dirty blocks and bytes will find room; extends
  // the reservation in steps (R-D8). 43 when it cannot. Blocks count as dirty until the snapshot
  // has been renewed after their commit. Cheap: two comparisons unless more is wanted than the last
  // call found room for. Purge slices, labels and meta values need not ask: a reserve is kept for
  // them; who wants deletes to go on longer than inserts asks for more when inserting. Pages freed
  // by a control point can be used two control points later.
  virtual absl::Status EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) = 0;
  // Nothing is dirty, and no control point is under way: room found for what was goes back to the
  // disc, except the reserve and what costs more to ask for again than it is worth.
  virtual void ReleaseRoom() {}

  // A copy of the store as of its last control point, made while control points go on, durable
  // when it returns; a store of the same kind can be opened on it. Makes `directory`, which must
  // not exist. The meta values it holds. Any thread, one at a time. Pages that control points free
  // meanwhile are used again only after it. 43, 66; 2 for a store that has no files.
  using MetaValues = std::map<std::string, std::string>;
  virtual absl::StatusOr<MetaValues> CopyTo(const std::string& directory);

  virtual StoreStatistics Statistics() const = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_BLOCK_STORE_H_
