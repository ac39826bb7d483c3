#include "tests/crash/change_log.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "quire/text.h"

namespace quire::test {
namespace {

constexpr size_t kKeyDigits = 4;
constexpr size_t kMostFiller = 90;  // bytes behind a record's number

}  // namespace

size_t FileState::record_count() const {
  return static_cast<size_t>(
      std::count_if(versions.begin(), versions.end(), [](size_t version) { return version != 0; }));
}

// The digits stand last, so that what an index entry must keep of a key is nearly all of it.
std::string KeyText(int key) {
  char digits[16];
  std::snprintf(digits, sizeof(digits), "%04d", key);
  return std::string(kHistoryKeyBytes - kKeyDigits, 'k') + digits;
}

std::string RecordText(int key, size_t number) {
  return StrCat(KeyText(key), number, "-", std::string(number * 7919 % kMostFiller, 'r'));
}

bool ParseRecord(std::string_view record, int* key, size_t* number) {
  if (record.size() <= kHistoryKeyBytes) return false;
  const char* const key_end = record.data() + kHistoryKeyBytes;
  const char* const end = record.data() + record.size();
  if (std::from_chars(key_end - kKeyDigits, key_end, *key).ptr != key_end) return false;
  if (std::from_chars(key_end, end, *number).ec != std::errc()) return false;
  return *key<kHistoryKeys&& * number> 0 && RecordText(*key, *number) == record;
}

ErrorNumber ChangeLog::Apply(const Change& change, FileState* state) {
  if (change.refused) return ErrorNumber::kOk;
  if (change.kind == Change::Kind::kCreate) {
    if (state->exists) return ErrorNumber::kAlreadyExists;
    *state = FileState{true, change.mode, std::vector<size_t>(kHistoryKeys, 0)};
    return ErrorNumber::kOk;
  }
  if (!state->exists) return ErrorNumber::kNotFound;
  if (change.kind == Change::Kind::kPurge) {
    *state = FileState();
    return ErrorNumber::kOk;
  }
  if (change.kind == Change::Kind::kAlter) {
    state->mode = change.mode;
    return ErrorNumber::kOk;
  }
  size_t& version = state->versions[static_cast<size_t>(change.key)];
  if (change.kind == Change::Kind::kWrite) {
    if (version != 0) return ErrorNumber::kAlreadyExists;
    version = change.number;
    return ErrorNumber::kOk;
  }
  if (version == 0) return ErrorNumber::kNotFound;
  if (change.kind == Change::Kind::kUpdate) version = change.number;
  if (change.kind == Change::Kind::kDelete) version = 0;
  return ErrorNumber::kOk;
}

size_t ChangeLog::Add(Change change) {
  change.number = next_number_++;
  change.expected = Apply(change, &current_[change.file]);
  change.seen = changes_.size();
  changes_.push_back(change);
  return changes_.size() - 1;
}

void ChangeLog::Answer(size_t place, bool ok, uint64_t sequence, Moment answered) {
  Change& change = changes_[place];
  change.sequence = sequence;
  change.answered = answered;
  highest_sequence_ = std::max(highest_sequence_, sequence);
  if (ok || !change.IsCommand()) return;
  change.refused = true;
  const int file = change.file;
  // What was submitted behind it met the file as it had been.
  current_[file] = StateAfter(file, place);
  for (size_t i = place + 1; i < changes_.size(); ++i) {
    if (changes_[i].file != file) continue;
    changes_[i].expected = Apply(changes_[i], &current_[file]);
    if (!changes_[i].IsCommand()) changes_[i].mode = current_[file].mode;
  }
}

void ChangeLog::StartFrom(std::vector<FileState> states) {
  base_ = states;
  current_ = std::move(states);
  changes_.clear();
  covered_.clear();
  highest_sequence_ = 0;  // counted on from the last control point
}

size_t ChangeLog::SubmittedUntil(Moment crash) const {
  const auto after = std::find_if(changes_.begin(), changes_.end(),
                                  [&](const Change& c) { return c.submitted > crash; });
  return static_cast<size_t>(after - changes_.begin());
}

size_t ChangeLog::LeastChanges(int file, Moment crash, uint64_t stored_sequence) const {
  size_t covered = 0;
  for (const Covered& mark : covered_) {
    if (mark.answered <= crash) covered = std::max(covered, mark.count);
  }
  const size_t submitted = SubmittedUntil(crash);
  size_t least = 0;
  size_t effective = 0;                                // up to the last change that was not refused
  std::vector<size_t> effective_of(submitted + 1, 0);  // after so many changes
  for (size_t i = 0; i < submitted; ++i) {
    const Change& change = changes_[i];
    effective_of[i + 1] = effective;
    if (change.file != file || change.refused) continue;
    if (change.expected == ErrorNumber::kOk && change.kind != Change::Kind::kRead) {
      effective = effective_of[i + 1] = i + 1;
    }
    // Covered by a control point, whether its answer had arrived or not.
    const bool stored = change.sequence != 0 && change.sequence <= stored_sequence;
    // A refusal, too, stands on the changes it saw (R-D7), but is none itself.
    const bool promised = change.answered != kNever && change.answered <= crash &&
                          (change.IsCommand() || IsDurable(change.mode));
    const bool is_read = change.kind == Change::Kind::kRead;
    if (stored || promised || i < covered) {
      least = std::max(least, is_read ? effective_of[change.seen] : effective);
    }
  }
  return least;
}

std::vector<bool> ChangeLog::Matches(int file, size_t least, size_t submitted,
                                     const FileState& found) const {
  std::vector<bool> matches(submitted + 1, false);
  FileState state = base_[file];
  bool equal = state == found;
  for (size_t count = 0; count <= submitted; ++count) {
    if (count > 0 && changes_[count - 1].file == file) {
      Apply(changes_[count - 1], &state);
      equal = state == found;
    }
    matches[count] = equal && count >= least;
  }
  return matches;
}

FileState ChangeLog::StateAfter(int file, size_t count) const {
  FileState state = base_[file];
  for (size_t i = 0; i < count; ++i) {
    if (changes_[i].file == file) Apply(changes_[i], &state);
  }
  return state;
}

}  // namespace quire::test
