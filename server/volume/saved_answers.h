// What an open's operations were answered, so that a repeated one gets the same answer and is not
// done twice (R-S2). Answers stay until the client says that it has them (acked_through); credits
// bound how many there can be. Those of mutations of write-through and audited files also go to the
// audit trail, so that they survive the volume's end (R-D10): until then they are "unlogged". Disc
// process role only.
#ifndef QUIRE_SERVER_VOLUME_SAVED_ANSWERS_H_
#define QUIRE_SERVER_VOLUME_SAVED_ANSWERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "quire/error.h"
#include "quire/position.h"
#include "server/volume/answer_record.h"

namespace quire {

struct SavedAnswer {
  absl::Status status;
  ErrorNumber warning = ErrorNumber::kOk;
  std::string record;                // what a read found
  std::optional<Position> position;  // the open's after it, where the operation uses it
  bool change = true;                // of a mutation: one that may be logged

  bool IsPlainOk() const {
    return status.ok() && warning == ErrorNumber::kOk && record.empty() && !position.has_value();
  }
};

class SavedAnswers {
 public:
  // Answers kept at most; the oldest go first.
  explicit SavedAnswers(size_t limit) : limit_(limit) {}

  // The answer of the operation with this sequence; nullopt: it has not been executed.
  std::optional<SavedAnswer> Find(uint64_t sequence) const;
  void Save(uint64_t sequence, SavedAnswer answer);
  // The answer of a positioned read that is not saved for want of room: repeated, it reads anew.
  void NoteUnsavedRead(uint64_t sequence) { unsaved_read_ = sequence; }
  // Whether such a read may still be repeated.
  bool HasUnsavedRead() const { return unsaved_read_ > acked_through_; }
  // A change with this sequence was executed.
  void NoteChange(uint64_t sequence) { last_change_ = std::max(last_change_, sequence); }
  // The highest sequence of such a change.
  uint64_t last_change() const { return last_change_; }
  // Forgets the answers up to and with `sequence`. Never goes back.
  void AckThrough(uint64_t sequence);

  // ---- For the audit trail and the table of a control point (R-D10) ----

  // The answer saved with this sequence must go to the trail. About how many bytes it takes there.
  size_t MarkUnlogged(uint64_t sequence);
  bool has_unlogged() const { return !unlogged_runs_.empty() || !unlogged_others_.empty(); }
  // What was acknowledged meanwhile need not be logged any more; about the bytes of the rest.
  size_t CountUnlogged();
  // What is unlogged; nothing is afterwards. AnswerRecord::open is left out.
  AnswerRecord TakeUnlogged();
  // All answers of mutations that are kept. AnswerRecord::open is left out.
  AnswerRecord AllOfChanges() const;
  // Adds what a record of the trail, or of a table, holds.
  void Restore(const AnswerRecord& record);

  uint64_t acked_through() const { return acked_through_; }
  size_t size() const { return plain_count_ + full_.size(); }
  size_t record_bytes() const { return record_bytes_; }

 private:
  // Runs of mutations that were done: what nearly all answers are.
  using Run = AnswerRecord::Run;

  void SavePlain(uint64_t sequence);
  void RestoreRun(Run run);
  // A saved answer other than a plain one, as it is logged.
  static AnswerRecord::Other OtherOf(uint64_t sequence, const SavedAnswer& answer);
  void DropOldest();

  size_t limit_;
  uint64_t acked_through_ = 0;
  uint64_t highest_ = 0;  // sequence saved: nearly every operation asked for is above it
  uint64_t unsaved_read_ = 0;
  uint64_t last_change_ = 0;
  std::deque<Run> plain_;  // rising, apart
  size_t plain_count_ = 0;
  std::map<uint64_t, SavedAnswer> full_;
  size_t record_bytes_ = 0;
  std::vector<Run> unlogged_runs_;         // as they were marked
  std::vector<uint64_t> unlogged_others_;  // of full_
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_SAVED_ANSWERS_H_
