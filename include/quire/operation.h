// Record operations as they travel: batches of operations, their results, chunks of records.
// All bytes of a batch lie back to back in one string, so that a batch costs one allocation.
#ifndef QUIRE_OPERATION_H_
#define QUIRE_OPERATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "quire/error.h"
#include "quire/position.h"

namespace quire {

// Values travel on the wire and are never reused.
// All from kSetPosition on exist in sessions only; single calls refuse them (22).
enum class OperationKind : uint8_t {
  kWrite = 1,   // insert; 10 when the key exists
  kRead = 2,    // see ReadMode
  kUpdate = 3,  // replace the record with the key in `record`; 11 when missing; an empty record: 21
  kDelete = 4,  // by key; 11 when missing

  // The position of the open (position.h). A failed operation leaves it as it was (R-S5).
  kSetPosition = 5,       // FILE_SETKEY_, KEYPOSITION: 21, 46; no search, no input or output
  kReadNext = 6,          // READ, READLOCK (`lock`): the next record of the subset, else 1
  kReadUpdate = 7,        // READUPDATE, READUPDATELOCK (`lock`): the current record, else 11
  kWriteUpdate = 8,       // WRITEUPDATE, -UNLOCK (`unlock`): replaces the current record; 11;
                          // 46 for a record with another key; 21 for an empty one (R-S7)
  kDeleteCurrent = 9,     // WRITEUPDATE with count 0: deletes the current record; 11
  kSavePosition = 15,     // SAVEPOSITION: answers with the position as bytes (EncodePosition)
  kRestorePosition = 16,  // REPOSITION: `key` holds such bytes; 22 when they are malformed

  // Locks (lock.h). 40 when the wait ended by its time-out, a cycle or a Cancel.
  kLockRecord = 10,    // LOCKREC: the current record, or the one with `key` if given; 11
  kUnlockRecord = 11,  // UNLOCKREC: the same; ignored with generic locks and when not locked
  kLockFile = 12,      // LOCKFILE: every partition, in order; own record locks are given up
  kUnlockFile = 13,   // UNLOCKFILE: the file lock and all record locks of this open. With `lock` it
                      // takes a LOCKFILE back: nothing happens without the file lock, and the
                      // record locks given up for it are held again
  kSetLockMode = 14,  // SETMODE 4: `lock_mode` from here on; 2 for a mode that does not exist
};

enum class ReadMode : uint8_t {
  kByKey = 0,        // exact: the record with exactly this full key
  kGeneric = 1,      // the first record whose key begins with `key`
  kApproximate = 2,  // the first record whose key is >= `key` (with reverse: the last that is <=)
};

struct Operation {
  OperationKind kind = OperationKind::kRead;
  ReadMode mode = ReadMode::kByKey;  // kRead, kSetPosition
  bool reverse = false;      // kRead, kSetPosition: downwards (generic read: the last of the set)
  bool skip_exact = false;   // kRead approximate, kSetPosition: pass over what equals `key`
  std::string_view key;      // kRead, kDelete, kSetPosition, kRestorePosition, k(Un)LockRecord
  std::string_view record;   // kWrite, kUpdate, kWriteUpdate
  bool last_of_set = false;  // kSetPosition with reverse: start at the last record of the set
  bool lock = false;         // kRead, kReadNext, kReadUpdate: lock the record first; kUnlockFile
  bool unlock = false;       // changes: release the record's lock afterwards
  uint32_t compare_length = 0;  // kSetPosition: bytes that decide the subset; 0: the key's length
  uint32_t key_specifier = 0;   // kSetPosition: 0 the primary key; others do not exist yet: 46
  uint32_t lock_mode = 0;       // kSetLockMode: a LockMode
};

// True for the operations that change a record: these carry sync ids (R-S2).
bool Changes(OperationKind kind);
// True when what an operation's bytes hold is a record and not a key.
bool HasRecord(OperationKind kind);
// Whether the operation uses or sets the position of its open. kLockRecord and kUnlockRecord do
// when they name no key.
bool UsesPosition(const Operation& operation);
// Whether it concerns all partitions of the file: kLockFile, kUnlockFile, kSetLockMode.
bool IsForWholeFile(OperationKind kind);

// Operations in order, owning their bytes. Movable, not thread safe.
class OperationBatch {
 public:
  // Copies the operation's bytes.
  void Add(const Operation& operation);
  void Clear();
  // Room for so many operations with so many bytes in all; more may be added.
  void Reserve(size_t operations, size_t bytes) {
    entries_.reserve(operations);
    data_.reserve(bytes);
  }

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  size_t data_bytes() const { return data_.size(); }
  bool changes() const { return changes_; }
  // Views point into this batch and live until it is changed or moved.
  Operation operator[](size_t i) const;

  // Number the sender gave the first operation; operation i of the batch is first_sequence + i.
  // Results carry it back. Rises by the batch's size from batch to batch of one open.
  uint64_t first_sequence = 0;
  // Empty: as above. Else one entry per operation, rising: operation i is
  // first_sequence + sequence_offsets[i]. What a router sends to one partition of several.
  std::vector<uint32_t> sequence_offsets;
  // The sender has the results of all operations of this open numbered so far: their saved answers
  // may be forgotten (R-S2).
  uint64_t acked_through = 0;
  // An operation that fails ends the batch: the later ones are answered with 22 "not executed".
  bool stop_on_error = false;
  // Longest time one operation waits for locks before it gets 40; 0: kLockTimeoutMs.
  uint32_t lock_timeout_ms = 0;
  // The sender blocks until this batch is answered: a volume in the same process may make it
  // durable on the thread that calls Submit or Execute, which then blocks for one write of the
  // trail and runs the replies of all that it wrote; Execute of a gRPC stub blocks until the answer
  // is there. Never travels.
  bool caller_waits = false;
  // The open's position before the first operation; left out: as the operations before left it.
  std::optional<Position> position;

  uint64_t SequenceOf(size_t i) const {
    return first_sequence + (sequence_offsets.empty() ? i : sequence_offsets[i]);
  }

  // For converters: take over packed bytes; entries then refer to them by position.
  struct Entry {
    OperationKind kind;
    ReadMode mode;
    bool reverse;
    bool skip_exact;
    uint32_t offset;  // of the key or record in data
    uint32_t length;
    bool last_of_set = false;
    bool lock = false;
    bool unlock = false;
    uint32_t compare_length = 0;
    uint32_t key_specifier = 0;
    uint32_t lock_mode = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& data() const { return data_; }
  // False, and nothing changed, when an entry reaches beyond `data`.
  [[nodiscard]] bool Adopt(std::vector<Entry> entries, std::string data);
  // Gives the bytes away; the batch must only be destroyed or cleared afterwards.
  std::string TakeData() && { return std::move(data_); }

 private:
  std::vector<Entry> entries_;
  std::string data_;
  bool changes_ = false;
};

struct OperationResult {
  absl::Status status;                     // carries the Enscribe number
  ErrorNumber warning = ErrorNumber::kOk;  // of an OK operation: 3, 9
  uint32_t offset = 0;                     // of the record read, in BatchResult::data
  uint32_t length = 0;
};

struct BatchResult {
  uint64_t first_sequence = 0;
  std::vector<OperationResult> results;  // one per operation, in order
  std::string data;                      // records read, back to back
  uint64_t epoch = 0;                    // of the volume: raised at every start
  uint64_t change_sequence = 0;          // the volume's count of changes after this batch (R-D9)
  // What a resume needs, after this batch; left out: as in the last result that had one.
  std::optional<OpenState> state;

  std::string_view record(size_t i) const {
    return std::string_view(data).substr(results[i].offset, results[i].length);
  }
};

// Records back to back in key order (R-A2): slicing `data` by `lengths` is all a client needs.
struct RecordChunk {
  std::vector<uint32_t> lengths;
  std::string data;
  std::string last_key;  // key of the last record; empty when the chunk is empty

  size_t size() const { return lengths.size(); }
  void Add(std::string_view record) {
    lengths.push_back(static_cast<uint32_t>(record.size()));
    data.append(record);
  }
};

}  // namespace quire

#endif  // QUIRE_OPERATION_H_
