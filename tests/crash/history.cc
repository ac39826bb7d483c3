#include "tests/crash/history.h"

#include <algorithm>
#include <future>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

constexpr int kKeys = 150;  // few: updates, deletes and refused writes are frequent
constexpr size_t kMostPending = 6;
constexpr size_t kMostOperations = 5;  // of a batch
constexpr size_t kRecordBytes = 80;
const int kSessionFiles[] = {0, 0, 1, 2, 3};

std::string NameOf(int file) {
  return StrCat("$DATA01.CRASH.FILE", file);
}

FileReference ReferenceTo(int file) {
  return FileReference{*ParseFileName(NameOf(file)), 0, 0, "crash test"};
}

bool IsCommand(const Change& change) {
  return change.kind == Change::Kind::kCreate || change.kind == Change::Kind::kPurge ||
         change.kind == Change::Kind::kAlter;
}

OperationKind KindOf(const Change& change) {
  if (change.kind == Change::Kind::kUpdate) return OperationKind::kUpdate;
  return change.kind == Change::Kind::kDelete ? OperationKind::kDelete : OperationKind::kWrite;
}

// Errors that say nothing of the operation: the volume went down under it.
bool IsDown(const absl::Status& status) {
  return NumberOf(status) == ErrorNumber::kVolumeDown;
}

}  // namespace

// A request under way, with the changes it carries.
class History::Pending {
 public:
  Pending(std::vector<size_t> changes, std::function<absl::StatusOr<BatchResult>()> wait)
      : changes_(std::move(changes)), wait_(std::move(wait)) {}

  void Finish(History& history) {
    const absl::StatusOr<BatchResult> result = wait_();
    for (size_t i = 0; i < changes_.size(); ++i) {
      if (!result.ok()) {
        history.Answer(changes_[i], result.status(), 0);
      } else if (i < result->results.size()) {
        history.Answer(changes_[i], result->results[i].status, result->change_sequence);
      } else {
        history.stopped_ = true;  // a session that closed without an answer
      }
    }
  }

 private:
  std::vector<size_t> changes_;
  std::function<absl::StatusOr<BatchResult>()> wait_;
};

History::History(uint64_t seed, std::function<Moment()> now)
    : random_(seed), now_(std::move(now)), states_(kHistoryFiles), buffered_(kHistoryFiles, false) {
  for (int file = 0; file < kHistoryFiles; ++file) buffered_[file] = file == 2 || file == 3;
}

History::~History() = default;

void History::Run(Volume& volume, int steps) {
  for (int file = 0; file < kSteadyFiles && !stopped_; ++file) {
    if (states_[file].has_value()) continue;
    const size_t change = AddChange(Change::Kind::kCreate, file);
    const absl::StatusOr<FileInfo> info = Await<FileInfo>([&](Done<FileInfo> done) {
      volume.Create(SmallFile(NameOf(file), buffered_[file]), std::move(done));
    });
    Answer(change, info.status(), 0);
  }
  if (!stopped_) OpenSessions(volume);
  for (int step = 0; step < steps && !stopped_; ++step) Round(volume);
  sessions_.clear();
  session_files_.clear();
  session_batches_.clear();
}

void History::OpenSessions(Volume& volume) {
  for (const int file : kSessionFiles) {
    OpenRequest request;
    request.file = ReferenceTo(file);
    sessions_.push_back(std::make_unique<KeptSession>(volume, request));
    session_files_.push_back(file);
    session_batches_.push_back(0);
    const absl::StatusOr<Opened> opened = sessions_.back()->opened();
    if (opened.ok()) continue;
    if (!IsDown(opened.status())) wrong_answers_.push_back(Describe(opened.status()));
    stopped_ = true;
    return;
  }
}

void History::Round(Volume& volume) {
  const uint64_t dice = Below(12);
  if (dice == 0) return RunRefresh(volume);
  if (dice <= 2) return RunCommand(volume);
  std::vector<std::unique_ptr<Pending>> pending;
  SubmitChanges(volume, pending);
  for (const std::unique_ptr<Pending>& request : pending) request->Finish(*this);
}

void History::SubmitChanges(Volume& volume, std::vector<std::unique_ptr<Pending>>& pending) {
  const size_t count = 1 + Below(kMostPending);
  for (size_t i = 0; i < count; ++i) {
    std::vector<size_t> changes;
    const size_t session = Below(2 * sessions_.size());
    if (session < sessions_.size()) {
      OperationBatch batch =
          RandomBatch(session_files_[session], 1 + Below(kMostOperations), &changes);
      KeptSession* const kept = sessions_[session].get();
      kept->SubmitNowait(std::move(batch));
      const size_t place = session_batches_[session]++;
      pending.push_back(
          std::make_unique<Pending>(changes, [kept, place]() -> absl::StatusOr<BatchResult> {
            std::vector<BatchResult> results = kept->WaitForResults(place + 1);
            if (results.size() <= place) {
              return MakeError(ErrorNumber::kVolumeDown, "the session closed");
            }
            return std::move(results[place]);
          }));
      continue;
    }
    const int file = RandomExistingFile();
    auto answer = std::make_shared<std::promise<absl::StatusOr<BatchResult>>>();
    auto answered =
        std::make_shared<std::future<absl::StatusOr<BatchResult>>>(answer->get_future());
    UnaryRequest request{ReferenceTo(file), RandomBatch(file, 1, &changes)};
    volume.Execute(std::move(request), [answer](absl::StatusOr<BatchResult> result) {
      answer->set_value(std::move(result));
    });
    pending.push_back(std::make_unique<Pending>(changes, [answered]() { return answered->get(); }));
  }
}

void History::RunCommand(Volume& volume) {
  const int file = kSteadyFiles + static_cast<int>(Below(kHistoryFiles - kSteadyFiles));
  absl::Status status;
  size_t change = 0;
  if (!states_[file].has_value()) {
    buffered_[file] = Below(2) == 0;
    change = AddChange(Change::Kind::kCreate, file);
    status = Await<FileInfo>([&](Done<FileInfo> done) {
               volume.Create(SmallFile(NameOf(file), buffered_[file]), std::move(done));
             }).status();
  } else if (Below(3) == 0) {
    change = AddChange(Change::Kind::kPurge, file);
    status = AwaitStatus([&](DoneStatus done) {
      volume.Purge(PurgeRequest{ReferenceTo(file), false}, std::move(done));
    });
  } else {
    buffered_[file] = !buffered_[file];
    change = AddChange(Change::Kind::kAlter, file);
    AlterRequest alter;
    alter.file = ReferenceTo(file);
    alter.buffered = buffered_[file];
    status = AwaitStatus([&](DoneStatus done) { volume.Alter(alter, std::move(done)); });
  }
  Answer(change, status, 0);
}

void History::RunRefresh(Volume& volume) {
  const absl::StatusOr<RefreshAnswer> answer =
      Await<RefreshAnswer>([&](Done<RefreshAnswer> done) { volume.Refresh("", std::move(done)); });
  if (answer.ok()) {
    covered_.push_back({answer->change_sequence, now_()});
  } else {
    if (!IsDown(answer.status())) wrong_answers_.push_back(Describe(answer.status()));
    stopped_ = true;
  }
}

int History::RandomExistingFile() {
  for (;;) {
    const int file = static_cast<int>(Below(kHistoryFiles));
    if (states_[file].has_value()) return file;
  }
}

OperationBatch History::RandomBatch(int file, size_t count, std::vector<size_t>* changes) {
  OperationBatch batch;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t dice = Below(6);
    const Change::Kind kind = dice < 3   ? Change::Kind::kWrite
                              : dice < 5 ? Change::Kind::kUpdate
                                         : Change::Kind::kDelete;
    const size_t number = AddChange(kind, file);
    changes->push_back(number);
    const Change& change = changes_[number];
    const std::string key = SmallKey(change.key);
    batch.Add(kind == Change::Kind::kDelete
                  ? Operation{KindOf(change), {}, false, false, key, {}}
                  : Operation{KindOf(change), {}, false, false, {}, change.record});
  }
  return batch;
}

size_t History::AddChange(Change::Kind kind, int file) {
  Change change;
  change.kind = kind;
  change.file = file;
  change.key = static_cast<int>(Below(kKeys));
  // Unlike every other record, so that an old version cannot pass for a newer one.
  const std::string text = StrCat(changes_.size(), "-");
  change.record = SmallRecord(change.key, text + std::string(Below(kRecordBytes), 'r'));
  change.buffered = buffered_[file];
  change.submitted = now_();
  expected_.push_back(Apply(change, &states_[file]));
  changes_.push_back(std::move(change));
  return changes_.size() - 1;
}

void History::Answer(size_t number, const absl::Status& status, uint64_t sequence) {
  if (IsDown(status)) {
    stopped_ = true;
    return;
  }
  Change& change = changes_[number];
  change.sequence = sequence;
  change.answered = now_();
  if (change.kind == Change::Kind::kAlter && !status.ok()) {
    change.buffered = buffered_[change.file] = !change.buffered;  // the mode stays
    change.refused = true;
  }
  if (NumberOf(status) != expected_[number]) {
    wrong_answers_.push_back(StrCat("change ", number, " of file ", change.file, ": expected ",
                                    static_cast<int>(expected_[number]), ", got ",
                                    Describe(status)));
  }
}

ErrorNumber History::Apply(const Change& change, FileState* state) {
  switch (change.kind) {
    case Change::Kind::kCreate:
      state->emplace();
      return ErrorNumber::kOk;
    case Change::Kind::kPurge:
      state->reset();
      return ErrorNumber::kOk;
    case Change::Kind::kAlter:
      return ErrorNumber::kOk;
    case Change::Kind::kWrite:
      return (*state)->emplace(change.key, change.record).second ? ErrorNumber::kOk
                                                                 : ErrorNumber::kAlreadyExists;
    case Change::Kind::kUpdate: {
      const auto found = (*state)->find(change.key);
      if (found == (*state)->end()) return ErrorNumber::kNotFound;
      found->second = change.record;
      return ErrorNumber::kOk;
    }
    case Change::Kind::kDelete:
      return (*state)->erase(change.key) == 1 ? ErrorNumber::kOk : ErrorNumber::kNotFound;
  }
  return ErrorNumber::kOk;
}

size_t History::SubmittedUntil(Moment crash) const {
  const auto after = std::find_if(changes_.begin(), changes_.end(),
                                  [&](const Change& c) { return c.submitted > crash; });
  return static_cast<size_t>(after - changes_.begin());
}

size_t History::LeastChanges(int file, size_t submitted, Moment crash) const {
  uint64_t covered = 0;
  for (const Covered& mark : covered_) {
    if (mark.answered <= crash) covered = std::max(covered, mark.sequence);
  }
  size_t least = 0;
  size_t effective = 0;  // up to the last change that was not refused
  for (size_t i = 0; i < submitted; ++i) {
    const Change& change = changes_[i];
    if (change.file != file) continue;
    if (expected_[i] == ErrorNumber::kOk) effective = i + 1;
    // A refusal, too, stands on the changes it saw (R-D7), but is none itself.
    const bool acknowledged = change.answered != kNever && change.answered <= crash;
    // The control point of a refused ALTER was not completed: nothing is on disc by it.
    if (!acknowledged || change.refused) continue;
    if (IsCommand(change) || !change.buffered || change.sequence <= covered) least = effective;
  }
  return least;
}

std::vector<bool> History::Matches(int file, size_t least, size_t submitted,
                                   const FileState& found) const {
  std::vector<bool> matches(submitted + 1, false);
  FileState state;
  for (size_t count = 0; count <= submitted; ++count) {
    if (count > 0 && changes_[count - 1].file == file) Apply(changes_[count - 1], &state);
    if (count >= least) matches[count] = state == found;
  }
  return matches;
}

std::string History::ReadFile(Volume& volume, int file, FileState* state) {
  state->reset();
  ScanRequest scan;
  scan.file = ReferenceTo(file);
  const absl::StatusOr<std::vector<std::string>> records = ScanAll(volume, scan);
  if (NumberOf(records.status()) == ErrorNumber::kNotFound) return "";
  if (!records.ok()) return StrCat("reading file ", file, ": ", Describe(records.status()));
  state->emplace();
  for (const std::string& record : *records) {
    (*state)->emplace(std::stoi(record.substr(0, SmallKey(0).size())), record);
  }
  return "";
}

std::string History::FindBrokenPromise(Volume& volume, Moment crash) const {
  if (absl::Status trees = volume.CheckTrees(); !trees.ok()) return Describe(trees);
  const size_t submitted = SubmittedUntil(crash);
  std::vector<std::vector<bool>> steady(2, std::vector<bool>(submitted + 1, true));
  for (int file = 0; file < kHistoryFiles; ++file) {
    FileState found;
    if (std::string failure = ReadFile(volume, file, &found); !failure.empty()) return failure;
    const size_t least = LeastChanges(file, submitted, crash);
    const std::vector<bool> matches = Matches(file, least, submitted, found);
    if (std::find(matches.begin(), matches.end(), true) == matches.end()) {
      return StrCat("file ", file, " is in no state from ", least, " to ", submitted,
                    " changes on; it ",
                    found.has_value() ? StrCat("has ", found->size(), " records") : "is absent");
    }
    if (file >= kSteadyFiles) continue;
    std::vector<bool>& together = steady[file / 2];
    for (size_t i = 0; i <= submitted; ++i) together[i] = together[i] && matches[i];
  }
  for (const std::vector<bool>& together : steady) {
    if (std::find(together.begin(), together.end(), true) == together.end()) {
      return "files of one mode are in states of different times";
    }
  }
  return "";
}

}  // namespace quire::test
