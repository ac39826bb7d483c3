// Reads of a history, which may pass a change of another open that waits for memory or for the
// trail; the volume counts those.
#include <utility>

#include "quire/text.h"
#include "tests/crash/history.h"
#include "tests/support/blocking.h"

namespace quire::test {

// Changing requests that had to wait so far; nullopt when the volume is down.
std::optional<int64_t> History::Waits(Volume& volume) {
  const absl::StatusOr<MeasureSnapshot> snapshot = Await<MeasureSnapshot>(
      [&](Done<MeasureSnapshot> done) { volume.Snapshot({}, std::move(done)); });
  if (!snapshot.ok()) return std::nullopt;
  int64_t waits = 0;
  for (const EntityRecord& record : snapshot->volumes.at(0).records) {
    if (record.entity != Entity::kDisc) continue;
    waits += record.Value("DIRTY-LIMIT-WAITS") + record.Value("TRAIL-WAITS");
  }
  return waits;
}

// Where nothing waited, a read saw all that was submitted before it. Else it saw the file as it was
// after some number of the round's changes: the least that explains its answer.
void History::CheckReads(size_t begin, bool some_waited) {
  for (const auto& [place, number] : std::exchange(answered_reads_, {})) {
    size_t seen = some_waited ? begin : place;
    for (; seen <= place; ++seen) {
      FileState state = log_.StateAfter(log_[place].file, seen);
      if (ChangeLog::Apply(log_[place], &state) == number) break;
    }
    if (seen > place) {
      NoteWrongAnswer(place, StrCat("a read got ", static_cast<int>(number)));
    } else {
      log_.NoteSeen(place, seen);
    }
  }
}

}  // namespace quire::test
