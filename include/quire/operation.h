// Record operations as they travel: batches of operations, their results, chunks of records.
// All bytes of a batch lie back to back in one string, so that a batch costs one allocation.
#ifndef QUIRE_OPERATION_H_
#define QUIRE_OPERATION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "quire/error.h"

namespace quire {

// Values travel on the wire and are never reused.
enum class OperationKind : uint8_t {
  kWrite = 1,   // insert; 10 when the key exists
  kRead = 2,    // see ReadMode
  kUpdate = 3,  // replace the record with the key in `record`; 11 when missing; an empty record: 21
  kDelete = 4,  // by key; 11 when missing
};

enum class ReadMode : uint8_t {
  kByKey = 0,        // the record with exactly this full key
  kGeneric = 1,      // the first record whose key begins with `key`
  kApproximate = 2,  // the first record whose key is >= `key` (with reverse: the last that is <=)
};

struct Operation {
  OperationKind kind = OperationKind::kRead;
  ReadMode mode = ReadMode::kByKey;
  bool reverse = false;     // reads: walk downwards (generic: the last record of the set)
  bool skip_exact = false;  // approximate: pass over a record whose key equals `key`
  std::string_view key;     // kRead, kDelete
  std::string_view record;  // kWrite, kUpdate
};

// True for kWrite, kUpdate, kDelete.
bool Changes(OperationKind kind);

// Operations in order, owning their bytes. Movable, not thread safe.
class OperationBatch {
 public:
  // Copies the operation's bytes.
  void Add(const Operation& operation);
  void Clear();

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  size_t data_bytes() const { return data_.size(); }
  bool changes() const { return changes_; }
  // Views point into this batch and live until it is changed or moved.
  Operation operator[](size_t i) const;

  // Number the sender gave the first operation; operation i of the batch is first_sequence + i.
  // Results carry it back. Rises by the batch's size from batch to batch of one open.
  uint64_t first_sequence = 0;
  // An operation that fails ends the batch: the later ones are answered with 22 "not executed".
  bool stop_on_error = false;

  // For converters: take over packed bytes; entries then refer to them by position.
  struct Entry {
    OperationKind kind;
    ReadMode mode;
    bool reverse;
    bool skip_exact;
    uint32_t offset;  // of the key or record in data
    uint32_t length;
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
