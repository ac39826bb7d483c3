// Saved answers of opens of earlier epochs, as the control point and the audit trail tell them
// (R-D10): kept until their opens are resumed, or their lease is over. Disc process role only, and
// the opening thread before.
//
// An open that comes back without an entry here is one of two: nothing that it did is on disc (then
// doing what it repeats is right), or it was forgotten. `floor` tells them apart: of the opens that
// last heard of the volume in an epoch from there on none was forgotten. An entry has its own such
// epoch: an open that was forgotten and came back began anew then.
#ifndef QUIRE_SERVER_VOLUME_RECOVERED_ANSWERS_H_
#define QUIRE_SERVER_VOLUME_RECOVERED_ANSWERS_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "server/base/ids.h"
#include "server/volume/answer_record.h"
#include "server/volume/open_key.h"
#include "server/volume/saved_answers.h"

namespace quire {

class RecoveredAnswers {
 public:
  using Key = std::pair<FileId, OpenKey>;
  struct Entry {
    SavedAnswers answers;
    uint64_t since = 0;  // epoch: complete for a client that last heard of the volume from then on
  };

  // Of a record of the trail: adds to what is known.
  void Add(FileId file, const AnswerRecord& record);
  // An entry of a table.
  void Add(FileId file, const AnswerRecord& record, uint64_t since);
  // A mutation that a redo record holds was done. Ignored when nobody repeats it (open or sequence
  // 0).
  void AddDone(FileId file, OpenKey open, uint64_t sequence);

  // The answers of an open that has come back; they are its own from here on.
  std::optional<Entry> Take(FileId file, OpenKey open);
  // The file is purged.
  void DropFile(FileId file);
  // Those that have not come back do not any more. `epoch`: the present one.
  void DropAll(uint64_t epoch);

  uint64_t floor() const { return floor_; }
  void RaiseFloor(uint64_t epoch) { floor_ = std::max(floor_, epoch); }

  bool empty() const { return entries_.empty(); }
  const std::map<Key, Entry>& entries() const { return entries_; }

 private:
  Entry& EntryOf(FileId file, OpenKey open);

  std::map<Key, Entry> entries_;
  uint64_t floor_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_RECOVERED_ANSWERS_H_
