// Random histories of changes on one volume, and the promises that must hold after a crash
// (R-D16). One thread submits, several requests at a time, over sessions, numbered and unnumbered
// single calls, and LOAD; see change_log.h for what may be found afterwards.
//
// Files of one mode that never change it must agree on the number of changes they hold: a batch of
// the trail, and a control point, hold for all of them or for none.
#ifndef QUIRE_TESTS_CRASH_HISTORY_H_
#define QUIRE_TESTS_CRASH_HISTORY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "server/volume/volume.h"
#include "tests/crash/change_log.h"
#include "tests/crash/sender.h"

namespace quire::test {

// Files 0 and 1 are write-through, 2 and 3 AUDIT, 4 and 5 BUFFERED, and stay so; 6 and 7 are
// created, altered and purged at random.
inline constexpr int kHistoryFiles = 8;
inline constexpr int kSteadyFiles = 6;
Mode SteadyMode(int file);

// What a history came by.
struct HistorySights {
  uint64_t index_levels = 0;   // most that a file had
  uint64_t free_blocks = 0;    // most that a file had
  uint64_t reused_blocks = 0;  // that became fewer again
  uint64_t purges = 0;
  uint64_t alters = 0;
  uint64_t loads = 0;
  uint64_t refreshes = 0;

  void Add(const HistorySights& other);
};

class History {
 public:
  explicit History(
      uint64_t seed, std::function<Moment()> now = [] { return Moment{0}; });
  ~History();

  // Runs `rounds`, or until the volume answers that it is down. May be called again on a volume
  // opened anew, as long as no crash lost anything.
  void Run(Volume& volume, int rounds);

  // The first promise that `volume` breaks, with what happened until `crash` alone counted; empty
  // when it keeps them all. kNever: everything that happened. `stored_sequence`: the changes that
  // the last completed control point claims to cover.
  std::string FindBrokenPromise(Volume& volume, Moment crash = kNever,
                                uint64_t stored_sequence = 0) const;
  // Goes on with the opens that the crash cut and sends again what their users had no answer to:
  // each of these changes must be done exactly once, and answered as if nothing had happened
  // (R-S2, R-D10). Changes the volume; to be called once per crash, after FindBrokenPromise.
  std::string RepeatUnanswered(Volume& volume, Moment crash = kNever);
  // A new history begins on the volume as it is.
  std::string GoOnFrom(Volume& volume);

  // Answers that were wrong while the volume ran, of which there must be none.
  const std::vector<std::string>& wrong_answers() const { return wrong_answers_; }
  bool stopped() const { return stopped_; }
  const HistorySights& sights() const { return sights_; }
  // Whether all steady files had been made by `crash`: a crash point of every mode.
  bool HoldsEveryMode(Moment crash) const;

 private:
  struct Pending;

  void MakeSteadyFiles(Volume& volume);
  void OpenSenders(Volume& volume);
  void Round(Volume& volume);
  void SubmitRequest(Volume& volume, std::vector<Pending>& pending);
  void SubmitBatch(Volume& volume, Sender& sender, std::vector<Pending>& pending);
  void SubmitLoad(Volume& volume, int file, std::vector<Pending>& pending);
  void SubmitCommand(Volume& volume, std::vector<Pending>& pending);
  void RunRefresh(Volume& volume);
  void LookAround(Volume& volume);

  size_t AddChange(Change::Kind kind, int file, int key);
  size_t AddRandomChange(int file);
  std::vector<size_t> AddSweep(int file);
  static std::optional<int64_t> Waits(Volume& volume);
  void CheckReads(size_t begin, bool some_waited);
  void NoteWrongAnswer(size_t place, const std::string& got);
  void Answer(size_t place, const absl::Status& status, uint64_t sequence, Moment answered);
  OperationBatch BatchOf(const std::vector<size_t>& changes) const;
  int RandomFile();
  Mode OtherMode(Mode mode);
  uint64_t Below(uint64_t limit) { return random_() % limit; }

  std::string LookForLoss(Volume& volume, Sender& sender, Moment crash);
  std::string RepeatFile(Volume& volume, int file, Moment crash);
  // `found`: before the answers; the file is in a state that they explain.
  std::string CheckRepeats(Volume& volume, int file, Moment crash, const FileState& found,
                           const std::map<size_t, ErrorNumber>& answers) const;
  static std::string ReadFile(Volume& volume, int file, FileState* state);

  std::mt19937_64 random_;
  std::function<Moment()> now_;
  ChangeLog log_;
  bool shrinks_ = false;  // more is deleted than inserted for a while
  uint64_t next_id_ = 0;
  std::vector<std::unique_ptr<Sender>> senders_;
  std::vector<std::pair<size_t, ErrorNumber>> answered_reads_;  // of the round, by place in the log
  std::vector<std::string> wrong_answers_;
  HistorySights sights_;
  std::vector<uint64_t> free_blocks_;  // of each file when it was looked at last
  bool stopped_ = false;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_HISTORY_H_
