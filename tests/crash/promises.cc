// What History finds in a volume after a crash.
#include <algorithm>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/crash/history.h"
#include "tests/support/blocking.h"

namespace quire::test {
namespace {

Mode ModeOf(const FileAttributes& attributes) {
  if (attributes.audit) return Mode::kAudit;
  return attributes.buffered ? Mode::kBuffered : Mode::kWriteThrough;
}

bool HasAny(const std::vector<bool>& matches) {
  return std::find(matches.begin(), matches.end(), true) != matches.end();
}

}  // namespace

bool History::HoldsEveryMode(Moment crash) const {
  int made = 0;
  for (int file = 0; file < kSteadyFiles; ++file) made += log_.StateAfter(file, 0).exists ? 1 : 0;
  for (size_t i = 0; i < log_.size() && log_[i].submitted <= crash; ++i) {
    const Change& change = log_[i];
    const bool makes = change.kind == Change::Kind::kCreate && change.file < kSteadyFiles;
    if (makes && change.answered <= crash) ++made;
  }
  return made == kSteadyFiles;
}

std::string History::ReadFile(Volume& volume, int file, FileState* state) {
  *state = FileState();
  const absl::StatusOr<FileDescription> info = Await<FileDescription>(
      [&](Done<FileDescription> done) { volume.Info(ReferenceTo(file), std::move(done)); });
  if (NumberOf(info.status()) == ErrorNumber::kNotFound) return "";
  if (!info.ok()) return StrCat("INFO of file ", file, ": ", Describe(info.status()));
  state->exists = true;
  state->mode = ModeOf(info->primary.attributes);
  state->versions.assign(kHistoryKeys, 0);
  ScanRequest scan;
  scan.file = ReferenceTo(file);
  const absl::StatusOr<std::vector<std::string>> records = ScanAll(volume, scan);
  if (!records.ok()) return StrCat("reading file ", file, ": ", Describe(records.status()));
  for (const std::string& record : *records) {
    int key = 0;
    size_t number = 0;
    if (!ParseRecord(record, &key, &number)) {
      return StrCat("file ", file, " has a record that nobody wrote: ", record);
    }
    state->versions[static_cast<size_t>(key)] = number;
  }
  if (info->primary.record_count != records->size()) {
    return StrCat("the label of file ", file, " counts ", info->primary.record_count, " records; ",
                  records->size(), " are there");
  }
  return "";
}

std::string History::FindBrokenPromise(Volume& volume, Moment crash,
                                       uint64_t stored_sequence) const {
  if (absl::Status trees = volume.CheckTrees(); !trees.ok()) return Describe(trees);
  const size_t submitted = log_.SubmittedUntil(crash);
  std::vector<std::vector<bool>> together(3, std::vector<bool>(submitted + 1, true));
  for (int file = 0; file < kHistoryFiles; ++file) {
    FileState found;
    if (std::string failure = ReadFile(volume, file, &found); !failure.empty()) return failure;
    const size_t least = log_.LeastChanges(file, crash, stored_sequence);
    const std::vector<bool> matches = log_.Matches(file, least, submitted, found);
    if (!HasAny(matches)) {
      return StrCat("file ", file, " is in no state from ", least, " to ", submitted,
                    " changes on; it ",
                    found.exists ? StrCat("has ", found.record_count(), " records, mode ",
                                          static_cast<int>(found.mode))
                                 : "is absent",
                    HasAny(log_.Matches(file, 0, submitted, found)) ? "; an older state" : "");
    }
    if (file >= kSteadyFiles) continue;
    std::vector<bool>& mode = together[static_cast<size_t>(SteadyMode(file))];
    for (size_t i = 0; i <= submitted; ++i) mode[i] = mode[i] && matches[i];
  }
  for (const std::vector<bool>& mode : together) {
    if (!HasAny(mode)) return "files of one mode are in states of different times";
  }
  return "";
}

std::string History::GoOnFrom(Volume& volume) {
  std::vector<FileState> states(kHistoryFiles);
  for (int file = 0; file < kHistoryFiles; ++file) {
    if (std::string failure = ReadFile(volume, file, &states[static_cast<size_t>(file)]);
        !failure.empty()) {
      return failure;
    }
  }
  log_.StartFrom(std::move(states));
  senders_.clear();
  return "";
}

}  // namespace quire::test
