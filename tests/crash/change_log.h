// What a history did to its files, what was acknowledged when, and which states its files may be
// found in after a crash (R-D16).
//
// The order of submission is the order of execution (only reads pass changes that wait), so every
// state a file may be found in is the state after some number of submitted changes:
//   write-through, AUDIT   not before the last acknowledged change
//   BUFFERED               not before the last change that a completed control point covers
//   commands               CREATE, ALTER, PURGE: not before the last acknowledged one, in any mode
#ifndef QUIRE_TESTS_CRASH_CHANGE_LOG_H_
#define QUIRE_TESTS_CRASH_CHANGE_LOG_H_

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "quire/error.h"

namespace quire::test {

inline constexpr int kHistoryKeys = 150;  // few: updates, deletes and refused writes are frequent
inline constexpr uint32_t kHistoryKeyBytes = 48;  // long: an index block holds few entries
inline constexpr uint32_t kHistoryRecordBytes = 160;

// A point in time as the harness counts it.
using Moment = uint64_t;
inline constexpr Moment kNever = std::numeric_limits<Moment>::max();

enum class Mode { kWriteThrough, kAudit, kBuffered };
// What was acknowledged is on disc.
inline bool IsDurable(Mode mode) {
  return mode != Mode::kBuffered;
}

struct Change {
  // A read changes nothing, but it too stands on the changes it saw (R-D7).
  enum class Kind { kCreate, kPurge, kAlter, kWrite, kUpdate, kDelete, kRead };
  Kind kind = Kind::kWrite;
  int file = 0;
  int key = 0;
  size_t number = 0;            // names the record it puts in place, unlike every other
  Mode mode = Mode::kBuffered;  // of the file once the change is done
  bool refused = false;         // a command answered with an error: it promises nothing
  uint64_t sequence = 0;        // change sequence its answer carried; 0: none
  ErrorNumber expected = ErrorNumber::kOk;
  size_t seen = 0;           // kRead: how many changes its answer stands on at least
  Moment submitted = 0;      // nothing of it was done before
  Moment answered = kNever;  // its answer came at this moment at the latest

  bool IsCommand() const {
    return kind == Kind::kCreate || kind == Kind::kPurge || kind == Kind::kAlter;
  }
};

// A file as found, or as it should be.
struct FileState {
  bool exists = false;
  Mode mode = Mode::kBuffered;
  std::vector<size_t> versions;  // by key: number of the change that put it there; 0: no record

  bool operator==(const FileState&) const = default;
  size_t record_count() const;
};

std::string KeyText(int key);
// The record that change `number` puts at `key`; number > 0.
std::string RecordText(int key, size_t number);
// The inverse. False for bytes that no change of any history wrote.
bool ParseRecord(std::string_view record, int* key, size_t* number);

class ChangeLog {
 public:
  explicit ChangeLog(int files) : base_(files), current_(files) {}

  // Fills expected and number, and applies it. Returns its place.
  size_t Add(Change change);
  // Its answer came. An error for a command: it was not done.
  void Answer(size_t place, bool ok, uint64_t sequence, Moment answered);
  // A read stands on the first `seen` changes, at most all those before it, which is what is taken
  // until this is called.
  void NoteSeen(size_t place, size_t seen) { changes_[place].seen = seen; }
  // A completed control point covers the first `count` changes (REFRESH).
  void Cover(size_t count, Moment answered) { covered_.push_back({count, answered}); }
  // Forgets everything: the files are as found, and durable.
  void StartFrom(std::vector<FileState> states);

  size_t size() const { return changes_.size(); }
  const Change& operator[](size_t place) const { return changes_[place]; }
  // After all changes submitted.
  const FileState& current(int file) const { return current_[file]; }
  // Highest change sequence an answer carried.
  uint64_t highest_sequence() const { return highest_sequence_; }

  // How many changes were submitted by `crash`.
  size_t SubmittedUntil(Moment crash) const;
  // The least number of changes whose state `file` may have after a crash. `stored_sequence`: what
  // the last control point claims to cover.
  size_t LeastChanges(int file, Moment crash, uint64_t stored_sequence) const;
  // For each number of changes from 0 to `submitted`: whether it is at least `least` and `file` is
  // then in the state `found`.
  std::vector<bool> Matches(int file, size_t least, size_t submitted, const FileState& found) const;
  FileState StateAfter(int file, size_t count) const;

  // The error a change meets; changes the state unless it is refused.
  static ErrorNumber Apply(const Change& change, FileState* state);

 private:
  struct Covered {
    size_t count = 0;
    Moment answered = 0;
  };

  std::vector<Change> changes_;
  std::vector<Covered> covered_;
  std::vector<FileState> base_;
  std::vector<FileState> current_;
  size_t next_number_ = 1;
  uint64_t highest_sequence_ = 0;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_CHANGE_LOG_H_
