// How a history goes on with its opens after a crash.
#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/crash/history.h"
#include "tests/support/blocking.h"

namespace quire::test {
namespace {

constexpr int kFilesWithAnswers = 4;  // the steady ones whose answers are in the trail (R-D10)

// A batch that is sent again.
struct Repeat {
  Sender* sender = nullptr;
  size_t place = 0;  // in sender->sent()
  std::future<TimedResult> answer = {};
};

// What a volume answered to changes that were sent again, by their place in the log.
using Answers = std::map<size_t, ErrorNumber>;

// Whether `answers` are those of a volume that held the first `count` changes: to what it had done,
// what it had said; the others are done now. `state`: becomes what the file must then hold.
bool Explains(const ChangeLog& log, const Answers& answers, size_t count, FileState* state) {
  for (const auto& [place, number] : answers) {
    const Change& change = log[place];
    if (change.kind == Change::Kind::kRead) continue;  // may be read again
    const ErrorNumber expected = place < count ? change.expected : ChangeLog::Apply(change, state);
    if (number != expected) return false;
  }
  return true;
}

std::string Listed(const ChangeLog& log, const Answers& answers) {
  std::string text;
  for (const auto& [place, number] : answers) {
    StrAppend(&text, " ", place, ":", static_cast<int>(log[place].expected), "/",
              static_cast<int>(number));
  }
  return text;
}

}  // namespace

std::string History::RepeatFile(Volume& volume, int file, Moment crash) {
  FileState found;
  if (std::string failure = ReadFile(volume, file, &found); !failure.empty()) return failure;
  std::vector<Repeat> repeats;
  std::map<Sender*, uint64_t> acked;
  for (const std::unique_ptr<Sender>& sender : senders_) {
    if (sender->file() != file || !sender->is_numbered()) continue;
    if (sender->is_session() && sender->opened_at() > crash) continue;
    // Any number between what the volume was told and what the user really has.
    const std::vector<uint64_t> ends =
        sender->BatchEnds(sender->ToldUntil(crash), sender->HasAnswersTo(crash));
    const uint64_t through = ends[Below(ends.size())];
    acked[sender.get()] = through;
    if (sender->is_session()) {
      const absl::StatusOr<Opened> opened = sender->Resume(volume, crash, through);
      if (!opened.ok()) return StrCat("going on with an open: ", Describe(opened.status()));
      if (!opened->answers_kept)
        return StrCat("the answers of an open of file ", file, " are gone");
    }
    for (size_t place = 0; place < sender->sent().size(); ++place) {
      const SentBatch& batch = sender->sent()[place];
      if (batch.submitted > crash) break;
      if (batch.first_sequence > through) repeats.push_back({sender.get(), place});
    }
  }
  std::sort(repeats.begin(), repeats.end(), [](const Repeat& a, const Repeat& b) {
    return a.sender->sent()[a.place].changes[0] < b.sender->sent()[b.place].changes[0];
  });
  for (Repeat& repeat : repeats) {
    const std::vector<size_t>& changes = repeat.sender->sent()[repeat.place].changes;
    repeat.answer =
        repeat.sender->Repeat(volume, repeat.place, BatchOf(changes), acked[repeat.sender]);
  }
  Answers answers;
  for (Repeat& repeat : repeats) {
    const std::vector<size_t>& changes = repeat.sender->sent()[repeat.place].changes;
    const TimedResult timed = repeat.answer.get();
    if (!timed.result.ok()) return "sent again: " + Describe(timed.result.status());
    for (size_t i = 0; i < changes.size(); ++i) {
      answers[changes[i]] = NumberOf(timed.result->results.at(i).status);
    }
  }
  for (const auto& [sender, through] : acked) sender->Drop();
  return CheckRepeats(volume, file, crash, found, answers);
}

std::string History::CheckRepeats(Volume& volume, int file, Moment crash, const FileState& found,
                                  const std::map<size_t, ErrorNumber>& answers) const {
  FileState now;
  if (std::string failure = ReadFile(volume, file, &now); !failure.empty()) return failure;
  const size_t submitted = log_.SubmittedUntil(crash);
  const std::vector<bool> matches =
      log_.Matches(file, log_.LeastChanges(file, crash, 0), submitted, found);
  bool explained = false;
  for (size_t count = 0; count <= submitted; ++count) {
    if (!matches[count]) continue;
    FileState state = found;
    if (!Explains(log_, answers, count, &state)) continue;
    if (state == now) return "";
    explained = true;
  }
  return StrCat("file ", file, ": changes that were sent again (place:expected/answer)",
                Listed(log_, answers),
                explained ? ": right answers, but other records than these changes give"
                          : ": answered as if done twice, or never");
}

// An open of a BUFFERED file is told once, by 122, when changes it had answers to are lost (R-D9).
std::string History::LookForLoss(Volume& volume, Sender& sender, Moment crash) {
  std::optional<size_t> last;  // change with an answer
  for (const SentBatch& batch : sender.sent()) {
    if (!batch.IsAnsweredBy(crash)) break;
    for (const size_t place : batch.changes) {
      const Change& change = log_[place];
      const bool done = change.expected == ErrorNumber::kOk;
      if (done && change.kind != Change::Kind::kRead) last = place;
    }
  }
  FileState found;
  if (std::string failure = ReadFile(volume, sender.file(), &found); !failure.empty()) {
    return failure;
  }
  const std::vector<bool> matches =
      log_.Matches(sender.file(), 0, log_.SubmittedUntil(crash), found);
  bool may_be_there = !last.has_value();
  bool may_be_lost = false;
  for (size_t count = 0; count < matches.size() && last.has_value(); ++count) {
    if (!matches[count]) continue;
    (count > *last ? may_be_there : may_be_lost) = true;
  }
  const uint64_t through = sender.HasAnswersTo(crash);
  const absl::StatusOr<Opened> opened = sender.Resume(volume, crash, through);
  if (!opened.ok()) return StrCat("going on with an open: ", Describe(opened.status()));
  for (const bool is_first : {true, false}) {
    const TimedResult timed = sender.Probe(volume, OneRead(KeyText(0)), through).get();
    if (!timed.result.ok()) return "after a loss: " + Describe(timed.result.status());
    const bool told = NumberOf(timed.result->results.at(0).status) == ErrorNumber::kDataLoss;
    if (told && (!is_first || !may_be_lost)) return "122 for changes that are there, or twice";
    if (!told && is_first && !may_be_there) {
      return StrCat("file ", sender.file(), ": an open was not told that its changes are lost");
    }
  }
  sender.Drop();
  return "";
}

std::string History::RepeatUnanswered(Volume& volume, Moment crash) {
  for (int file = 0; file < kFilesWithAnswers; ++file) {
    if (std::string broken = RepeatFile(volume, file, crash); !broken.empty()) return broken;
  }
  for (const std::unique_ptr<Sender>& sender : senders_) {
    if (!sender->is_session() || SteadyMode(sender->file()) != Mode::kBuffered) continue;
    if (sender->opened_at() > crash) continue;
    if (std::string broken = LookForLoss(volume, *sender, crash); !broken.empty()) return broken;
  }
  return "";
}

}  // namespace quire::test
