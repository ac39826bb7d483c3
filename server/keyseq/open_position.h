// The position of one open at one partition, and the reading from it.
// Disc process role only.
#ifndef QUIRE_SERVER_KEYSEQ_OPEN_POSITION_H_
#define QUIRE_SERVER_KEYSEQ_OPEN_POSITION_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/operation.h"
#include "quire/position.h"
#include "server/btree/cursor.h"
#include "server/counters/block_calls.h"
#include "server/keyseq/key_sequenced_file.h"

namespace quire {

// A Position is a key, so it stands whatever is inserted, deleted or split. The cursor that is kept
// beside it only saves the search: while the tree stands, READ goes on from its leaf with one read
// call per record and one more per new leaf (R-C2). A subset is clipped to the partition; the
// position's key may be of another one.
class OpenPosition {
 public:
  // Starts before the first record. `file` outlives it.
  explicit OpenPosition(KeySequencedFile* file);
  OpenPosition(const OpenPosition&) = delete;
  OpenPosition& operator=(const OpenPosition&) = delete;

  const Position& value() const { return position_; }
  // KEYPOSITION, REPOSITION, resume: no search, no block is read.
  void Set(Position position);

  // READ: the next record and its key, which replace what the strings hold. 1 at the end of the
  // subset within this partition; 31, 59. Does not move: a READ that meets a lock may be repeated
  // or given up, and one that fails leaves the position as it was (R-S5). Nothing is kept about an
  // end: a record inserted there later is found.
  absl::Status Peek(BlockCalls& calls, std::string* record, std::string* key);
  // The READ succeeded: moves to the record of the last Peek, which was OK and came after any Set.
  void Accept();

  // READUPDATE: the current record again. 11 when it is missing or there is none; 60 when its key
  // is another partition's; 31, 59.
  absl::Status Current(BlockCalls& calls, std::string* record);
  // The whole key of the current record, for WRITEUPDATE and the like; whether the record exists is
  // not looked up. 11 when the position's key is shorter than KEYLEN: there is no current record.
  absl::StatusOr<std::string> CurrentKey() const;

 private:
  // A way to go on, and what is known about its end.
  struct Reading {
    std::optional<Cursor> cursor;  // none: made from the position when it is needed
    bool ended = false;            // nothing follows …
    uint64_t version = 0;          // … while the tree has this version
  };
  // Makes `reading_` one that can be gone on with. False: nothing follows.
  bool Prepare();

  KeySequencedFile* file_;
  Position position_;
  Reading reading_;  // behind the record read last
  Reading ahead_;    // behind the record peeked; apart, as the Peek may come to nothing
  bool peeked_ = false;
  std::string ahead_key_;
  RecordChunk chunk_;  // kept for its memory
};

}  // namespace quire

#endif  // QUIRE_SERVER_KEYSEQ_OPEN_POSITION_H_
