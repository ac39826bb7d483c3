// Random histories of changes on one volume, with what was acknowledged when, and the promises that
// must hold after a crash (R-D16).
//
// One thread submits, several requests at a time and over sessions as well as single calls; so the
// order of submission is the order of execution, and every state a file may be found in is the
// state after some number of submitted changes:
//   write-through   not before the last acknowledged change
//   BUFFERED        not before the last change that a completed control point covers
//   commands        CREATE, ALTER, PURGE: not before the last acknowledged one, whatever the mode
// Files of one mode that never change it must agree on that number: a batch of the trail, and a
// control point, hold for all of them or for none.
#ifndef QUIRE_TESTS_CRASH_HISTORY_H_
#define QUIRE_TESTS_CRASH_HISTORY_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "server/volume/volume.h"
#include "tests/support/blocking.h"

namespace quire::test {

// Files 0 and 1 are write-through, 2 and 3 BUFFERED, and stay so; 4 and 5 are created, altered and
// purged at random. Sessions are open on 0, 0, 1, 2 and 3.
inline constexpr int kHistoryFiles = 6;
inline constexpr int kSteadyFiles = 4;

// A point in time as the harness counts it.
using Moment = uint64_t;
inline constexpr Moment kNever = std::numeric_limits<Moment>::max();

struct Change {
  enum class Kind { kCreate, kPurge, kAlter, kWrite, kUpdate, kDelete };
  Kind kind = Kind::kWrite;
  int file = 0;
  int key = 0;
  std::string record;
  bool buffered = false;     // mode of the file once the change is done
  bool refused = false;      // an ALTER that was answered with an error: it promises nothing
  uint64_t sequence = 0;     // change sequence its answer carried
  Moment submitted = 0;      // nothing of it was done before
  Moment answered = kNever;  // its answer came at this moment at the latest
};

class History {
 public:
  explicit History(
      uint64_t seed, std::function<Moment()> now = [] { return Moment{0}; });
  ~History();

  // Runs `steps` rounds, or until the volume answers that it is down. May be called again on a
  // volume opened anew, as long as no crash lost anything.
  void Run(Volume& volume, int steps);

  // The first promise that `volume` breaks, with what happened until `crash` alone counted; empty
  // when it keeps them all. kNever: everything that happened.
  std::string FindBrokenPromise(Volume& volume, Moment crash = kNever) const;

  // Answers that were wrong while the volume ran, of which there must be none.
  const std::vector<std::string>& wrong_answers() const { return wrong_answers_; }
  size_t change_count() const { return changes_.size(); }
  bool stopped() const { return stopped_; }

 private:
  // Records by key; none when the file does not exist.
  using FileState = std::optional<std::map<int, std::string>>;
  struct Covered {
    uint64_t sequence = 0;
    Moment answered = 0;
  };
  class Pending;

  void OpenSessions(Volume& volume);
  void Round(Volume& volume);
  void SubmitChanges(Volume& volume, std::vector<std::unique_ptr<Pending>>& pending);
  void RunCommand(Volume& volume);
  void RunRefresh(Volume& volume);
  size_t AddChange(Change::Kind kind, int file);
  void Answer(size_t change, const absl::Status& status, uint64_t sequence);
  OperationBatch RandomBatch(int file, size_t count, std::vector<size_t>* changes);
  int RandomExistingFile();
  uint64_t Below(uint64_t limit) { return random_() % limit; }

  // Applies the change; the error it must be answered with.
  static ErrorNumber Apply(const Change& change, FileState* state);
  size_t SubmittedUntil(Moment crash) const;
  size_t LeastChanges(int file, size_t submitted, Moment crash) const;
  // For each number of changes from `least` to `submitted`: whether the file's state is `found`.
  std::vector<bool> Matches(int file, size_t least, size_t submitted, const FileState& found) const;
  static std::string ReadFile(Volume& volume, int file, FileState* state);

  std::mt19937_64 random_;
  std::function<Moment()> now_;
  std::vector<Change> changes_;
  std::vector<Covered> covered_;
  std::vector<ErrorNumber> expected_;  // per change: the error it must be answered with
  std::vector<FileState> states_;      // after all changes submitted
  std::vector<bool> buffered_;         // mode of each file
  std::vector<std::unique_ptr<KeptSession>> sessions_;
  std::vector<int> session_files_;
  std::vector<size_t> session_batches_;  // submitted on each
  std::vector<std::string> wrong_answers_;
  bool stopped_ = false;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_HISTORY_H_
