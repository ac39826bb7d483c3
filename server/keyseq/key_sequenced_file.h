// One partition of a key-sequenced file: label and tree, and the rules on records and extents.
// Disc process role only.
#ifndef QUIRE_SERVER_KEYSEQ_KEY_SEQUENCED_FILE_H_
#define QUIRE_SERVER_KEYSEQ_KEY_SEQUENCED_FILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "quire/key_range.h"
#include "quire/operation.h"
#include "server/btree/cursor.h"
#include "server/btree/tree.h"
#include "server/keyseq/file_label.h"

namespace quire {

class KeySequencedFile {
 public:
  // `cache` outlives the file.
  KeySequencedFile(FileLabel label, BlockCache* cache);
  KeySequencedFile(const KeySequencedFile&) = delete;
  KeySequencedFile& operator=(const KeySequencedFile&) = delete;

  // Runs one operation. Reads append the record to `data` and set the result's offset and length.
  // Errors: 21 a record shorter than KEYOFF + KEYLEN, longer than REC or empty, a key of the wrong
  // length (reads: longer than KEYLEN, or by key not KEYLEN); 60 a key that is not this
  // partition's (stale route; positioned reads may start outside, they go on from the partition
  // before); 10, 11, 1, 31, 43, 45, 59; 22 an unknown kind. `time_us` becomes the modification time
  // of a change. A 59 marks the file bad: only reads and PURGE go on.
  OperationResult Execute(const Operation& operation, int64_t time_us, BlockCalls& calls,
                          std::string* data);

  // Marks the file bad when `status` is a 59. Execute does it by itself; a scan's errors are told
  // here.
  void NoteStatus(const absl::Status& status);

  // A cursor over the part of `range` that lies in this partition.
  Cursor Scan(const KeyRange& range, bool reverse, bool start_exclusive,
              BlockUse use = BlockUse::kScanned);

  // Extents: what CREATE and ALTER may change. 21 below the extents allocated or out of range.
  absl::Status SetMaxExtents(uint32_t max_extents);
  // Only between batches, inside the barrier of R-D6.
  void SetMode(bool buffered, bool audit);
  // At any time: in force from the next block read on; what is frozen is let go unless `lookaside`
  // is kFreeze.
  void SetLookaside(Lookaside lookaside);

  const FileLabel& label() const { return label_; }
  FileLabel& mutable_label() { return label_; }
  // Recovery: the structural state of a replayed batch.
  absl::Status RestoreState(std::string_view bytes);

  const CachedFile& cached() const { return cached_; }
  Tree& tree() { return tree_; }
  uint64_t eof_bytes() const;

  // True when the label (structural or other) differs from what was last stored.
  bool label_changed = false;

 private:
  absl::Status Run(const Operation& operation, BlockCalls& calls, std::string* data,
                   OperationResult* result);
  absl::Status Change(const Operation& operation, BlockCalls& calls);
  absl::Status Read(const Operation& operation, BlockCalls& calls, std::string* data,
                    OperationResult* result);
  // The tree's growth gate: allocates the extents that so many blocks need. 45.
  absl::Status Grow(uint64_t eof_blocks);
  absl::Status CheckRecord(std::string_view record) const;
  absl::Status CheckWholeKey(std::string_view key) const;
  // 60 unless the key is this partition's.
  absl::Status CheckKeyOf(std::string_view key) const;

  FileLabel label_;
  CachedFile cached_;
  Tree tree_;
  KeyRange range_;
  BlockCalls* calls_ = nullptr;  // of the operation under way: extents are counted there
};

}  // namespace quire

#endif  // QUIRE_SERVER_KEYSEQ_KEY_SEQUENCED_FILE_H_
