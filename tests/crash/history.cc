#include "tests/crash/history.h"

#include <algorithm>
#include <future>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/blocking.h"

namespace quire::test {
namespace {

constexpr size_t kMostPending = 6;
constexpr size_t kMostOperations = 8;  // of a batch
constexpr int kLongestSweep = 40;      // neighbouring records deleted or loaded at once
constexpr uint64_t kMostUntold = 40;   // answers that came, which the volume was not told of
const int kSessionFiles[] = {0, 0, 1, 2, 2, 3, 4, 5};
const int kNumberedCallers[] = {0, 1, 2, 3, 4};
constexpr uint64_t kFirstId = 1000;

OperationKind KindOf(const Change& change) {
  switch (change.kind) {
    case Change::Kind::kUpdate:
      return OperationKind::kUpdate;
    case Change::Kind::kDelete:
      return OperationKind::kDelete;
    case Change::Kind::kRead:
      return OperationKind::kRead;
    default:
      return OperationKind::kWrite;
  }
}

// Errors that say nothing of the operation: the volume went down under it.
bool IsDown(const absl::Status& status) {
  return NumberOf(status) == ErrorNumber::kVolumeDown;
}

CreateRequest CreateFile(int file, Mode mode) {
  CreateRequest create;
  create.name = *ParseFileName(NameOfFile(file));
  create.attributes.key_length = kHistoryKeyBytes;
  create.attributes.record_bytes = kHistoryRecordBytes;
  create.attributes.block_bytes = 512;  // a few records, a few index entries
  create.attributes.extents = {1000, 1000};
  create.attributes.buffered = mode != Mode::kWriteThrough;
  create.attributes.audit = mode == Mode::kAudit;
  return create;
}

AlterRequest AlterMode(int file, Mode mode) {
  AlterRequest alter;
  alter.file = ReferenceTo(file);
  alter.buffered = mode != Mode::kWriteThrough;
  alter.audit = mode == Mode::kAudit;
  return alter;
}

template <typename T>
auto Into(std::shared_ptr<std::promise<Timed<T>>> promise, std::function<Moment()> now) {
  return [promise = std::move(promise), now = std::move(now)](absl::StatusOr<T> result) {
    const Moment at = now();
    promise->set_value({std::move(result), at});
  };
}

}  // namespace

Mode SteadyMode(int file) {
  return file < 2 ? Mode::kWriteThrough : file < 4 ? Mode::kAudit : Mode::kBuffered;
}

// A request under way.
struct History::Pending {
  std::function<void()> finish;  // waits and takes the answers
};

History::History(uint64_t seed, std::function<Moment()> now)
    : random_(seed),
      now_(std::move(now)),
      log_(kHistoryFiles),
      next_id_(kFirstId),
      free_blocks_(kHistoryFiles, 0) {}

History::~History() = default;

void History::Run(Volume& volume, int rounds) {
  stopped_ = false;
  MakeSteadyFiles(volume);
  if (!stopped_) OpenSenders(volume);
  for (int round = 0; round < rounds && !stopped_; ++round) {
    Round(volume);
    if (round % 5 == 0) LookAround(volume);
  }
  for (const std::unique_ptr<Sender>& sender : senders_) sender->Drop();
}

void History::MakeSteadyFiles(Volume& volume) {
  for (int file = 0; file < kSteadyFiles && !stopped_; ++file) {
    if (log_.current(file).exists) continue;
    Change change;
    change.kind = Change::Kind::kCreate;
    change.file = file;
    change.mode = SteadyMode(file);
    change.submitted = now_();
    const size_t place = log_.Add(change);
    const absl::StatusOr<FileInfo> info = Await<FileInfo>([&](Done<FileInfo> done) {
      volume.Create(CreateFile(file, SteadyMode(file)), std::move(done));
    });
    Answer(place, info.status(), 0, now_());
  }
}

void History::OpenSenders(Volume& volume) {
  senders_.clear();
  const auto add = [&](int file, bool is_session, uint64_t id) {
    senders_.push_back(std::make_unique<Sender>(file, is_session, id, now_));
    const absl::Status opened = senders_.back()->Open(volume);
    if (opened.ok()) return;
    if (!IsDown(opened)) wrong_answers_.push_back(Describe(opened));
    stopped_ = true;
  };
  for (int file = 0; file < kHistoryFiles; ++file) add(file, false, 0);
  for (const int file : kNumberedCallers) add(file, false, next_id_++);
  for (const int file : kSessionFiles) {
    if (!stopped_) add(file, true, next_id_++);
  }
}

void History::Round(Volume& volume) {
  if (Below(12) == 0) shrinks_ = !shrinks_;
  if (Below(15) == 0) return RunRefresh(volume);
  std::vector<Pending> pending;
  const size_t begin = log_.size();
  const std::optional<int64_t> waits = Waits(volume);
  const size_t count = 1 + Below(kMostPending);
  for (size_t i = 0; i < count; ++i) SubmitRequest(volume, pending);
  for (const Pending& request : pending) request.finish();
  const std::optional<int64_t> waits_now = Waits(volume);
  CheckReads(begin, !waits_now.has_value() || waits_now != waits);
}

void History::SubmitRequest(Volume& volume, std::vector<Pending>& pending) {
  const uint64_t dice = Below(100);
  if (dice < 8) return SubmitCommand(volume, pending);
  const int file = RandomFile();
  if (dice < 20 && log_.current(file).exists) return SubmitLoad(volume, file, pending);
  if (dice < 35) return SubmitBatch(volume, *senders_[static_cast<size_t>(file)], pending);
  const size_t numbered = senders_.size() - kHistoryFiles;
  SubmitBatch(volume, *senders_[kHistoryFiles + Below(numbered)], pending);
}

void History::SubmitBatch(Volume& volume, Sender& sender, std::vector<Pending>& pending) {
  std::vector<size_t> changes;
  if (!sender.is_session()) {
    changes.push_back(AddRandomChange(sender.file()));
  } else if (Below(shrinks_ ? 4 : 12) == 0) {
    changes = AddSweep(sender.file());
  } else {
    const size_t count = 1 + Below(kMostOperations);
    for (size_t i = 0; i < count; ++i) changes.push_back(AddRandomChange(sender.file()));
  }
  const uint64_t answered = sender.HasAnswersTo(now_());
  const uint64_t told = sender.ToldUntil(kNever);
  const uint64_t least = answered > told + kMostUntold ? answered : told;
  const std::vector<uint64_t> ends = sender.BatchEnds(least, answered);
  const uint64_t acked = ends[Below(ends.size())];
  const size_t place = sender.sent().size();
  auto answer = std::make_shared<std::future<TimedResult>>(
      sender.Send(volume, BatchOf(changes), changes, acked));
  pending.push_back({[this, &sender, place, answer, changes] {
    const TimedResult timed = answer->get();
    if (timed.result.ok()) sender.Note(place, timed);
    for (size_t i = 0; i < changes.size(); ++i) {
      if (!timed.result.ok()) {
        Answer(changes[i], timed.result.status(), 0, timed.at);
      } else {
        Answer(changes[i], timed.result->results.at(i).status, timed.result->change_sequence,
               timed.at);
      }
    }
  }});
}

// Ascending keys, now and then one that is there already, in one or two chunks.
void History::SubmitLoad(Volume& volume, int file, std::vector<Pending>& pending) {
  std::shared_ptr<LoadStream> load = volume.Load(LoadRequest{ReferenceTo(file), true});
  int key = static_cast<int>(Below(kHistoryKeys));
  const uint64_t chunks = 1 + Below(2);
  ++sights_.loads;
  for (uint64_t chunk = 0; chunk < chunks; ++chunk) {
    RecordChunk records;
    std::vector<size_t> changes;
    const int end = std::min(kHistoryKeys, key + 1 + static_cast<int>(Below(kLongestSweep)));
    for (; key < end; ++key) {
      if (log_.current(file).versions[static_cast<size_t>(key)] != 0 && Below(10) != 0) continue;
      changes.push_back(AddChange(Change::Kind::kWrite, file, key));
      records.Add(RecordText(key, log_[changes.back()].number));
    }
    if (changes.empty()) continue;
    auto promise = std::make_shared<std::promise<Timed<LoadAnswer>>>();
    auto answer = std::make_shared<std::future<Timed<LoadAnswer>>>(promise->get_future());
    load->Send(std::move(records), Into<LoadAnswer>(std::move(promise), now_));
    pending.push_back({[this, load, answer, changes] {
      const Timed<LoadAnswer> timed = answer->get();
      std::vector<absl::Status> statuses(changes.size(), timed.result.status());
      if (timed.result.ok()) {
        for (const auto& [index, status] : timed.result->refused) statuses.at(index) = status;
      }
      for (size_t i = 0; i < changes.size(); ++i) Answer(changes[i], statuses[i], 0, timed.at);
    }});
  }
}

void History::SubmitCommand(Volume& volume, std::vector<Pending>& pending) {
  const int file = kSteadyFiles + static_cast<int>(Below(kHistoryFiles - kSteadyFiles));
  const FileState& state = log_.current(file);
  Change change;
  change.file = file;
  change.submitted = now_();
  change.mode = OtherMode(state.mode);
  if (!state.exists) {
    change.kind = Change::Kind::kCreate;
  } else if (Below(4) == 0) {
    change.kind = Change::Kind::kPurge;
  } else {
    change.kind = Change::Kind::kAlter;
  }
  if (change.kind == Change::Kind::kPurge) ++sights_.purges;
  if (change.kind == Change::Kind::kAlter) ++sights_.alters;
  const size_t place = log_.Add(change);
  auto promise = std::make_shared<std::promise<Timed<bool>>>();
  auto answer = std::make_shared<std::future<Timed<bool>>>(promise->get_future());
  const auto done = [promise, now = now_](absl::Status status) {
    const Moment at = now();
    if (status.ok()) {
      promise->set_value({true, at});
    } else {
      promise->set_value({std::move(status), at});
    }
  };
  if (change.kind == Change::Kind::kCreate) {
    volume.Create(CreateFile(file, change.mode),
                  [done](absl::StatusOr<FileInfo> info) { done(info.status()); });
  } else if (change.kind == Change::Kind::kPurge) {
    volume.Purge(PurgeRequest{ReferenceTo(file), false}, done);
  } else {
    volume.Alter(AlterMode(file, change.mode), done);
  }
  pending.push_back({[this, place, answer] {
    const Timed<bool> timed = answer->get();
    Answer(place, timed.result.status(), 0, timed.at);
  }});
}

void History::RunRefresh(Volume& volume) {
  const absl::StatusOr<RefreshAnswer> answer =
      Await<RefreshAnswer>([&](Done<RefreshAnswer> done) { volume.Refresh("", std::move(done)); });
  if (NumberOf(answer.status()) == ErrorNumber::kNoDiscSpace) return;  // tried again later
  if (!answer.ok()) {
    if (!IsDown(answer.status())) wrong_answers_.push_back(Describe(answer.status()));
    stopped_ = true;
    return;
  }
  ++sights_.refreshes;
  log_.Cover(log_.size(), now_());
  if (answer->change_sequence < log_.highest_sequence()) {
    wrong_answers_.push_back(StrCat("REFRESH covers changes up to ", answer->change_sequence,
                                    "; answers came up to ", log_.highest_sequence()));
  }
}

void HistorySights::Add(const HistorySights& other) {
  index_levels = std::max(index_levels, other.index_levels);
  free_blocks = std::max(free_blocks, other.free_blocks);
  reused_blocks += other.reused_blocks;
  purges += other.purges;
  alters += other.alters;
  loads += other.loads;
  refreshes += other.refreshes;
}

void History::LookAround(Volume& volume) {
  for (int file = 0; file < kSteadyFiles && !stopped_; ++file) {
    const absl::StatusOr<FileDescription> info = Await<FileDescription>(
        [&](Done<FileDescription> done) { volume.Info(ReferenceTo(file), std::move(done)); });
    if (!info.ok()) continue;
    uint64_t& before = free_blocks_[static_cast<size_t>(file)];
    const uint64_t now = info->primary.free_blocks;
    if (now < before) sights_.reused_blocks += before - now;
    before = now;
    sights_.index_levels = std::max<uint64_t>(sights_.index_levels, info->primary.index_levels);
    sights_.free_blocks = std::max(sights_.free_blocks, now);
  }
}

int History::RandomFile() {
  for (;;) {
    const int file = static_cast<int>(Below(kHistoryFiles));
    if (log_.current(file).exists || Below(20) == 0) return file;
  }
}

Mode History::OtherMode(Mode mode) {
  for (;;) {
    const Mode other = static_cast<Mode>(Below(3));
    if (other != mode) return other;
  }
}

size_t History::AddChange(Change::Kind kind, int file, int key) {
  Change change;
  change.kind = kind;
  change.file = file;
  change.key = key;
  change.mode = log_.current(file).mode;
  change.submitted = now_();
  return log_.Add(change);
}

// Mostly one that can be done.
size_t History::AddRandomChange(int file) {
  const int key = static_cast<int>(Below(kHistoryKeys));
  const FileState& state = log_.current(file);
  const bool there = state.exists && state.versions[static_cast<size_t>(key)] != 0;
  const uint64_t dice = Below(100);
  if (dice < 8) return AddChange(Change::Kind::kRead, file, key);
  if (dice < 12) return AddChange(there ? Change::Kind::kWrite : Change::Kind::kUpdate, file, key);
  if (!there) {
    return AddChange(dice < 15 ? Change::Kind::kDelete : Change::Kind::kWrite, file, key);
  }
  return AddChange(dice < (shrinks_ ? 70 : 25) ? Change::Kind::kDelete : Change::Kind::kUpdate,
                   file, key);
}

// Deletes neighbours: blocks become empty.
std::vector<size_t> History::AddSweep(int file) {
  std::vector<size_t> changes;
  const int first = static_cast<int>(Below(kHistoryKeys));
  const int end = std::min(kHistoryKeys, first + 1 + static_cast<int>(Below(kLongestSweep)));
  for (int key = first; key < end; ++key) {
    if (key > first && log_.current(file).versions[static_cast<size_t>(key)] == 0) continue;
    changes.push_back(AddChange(Change::Kind::kDelete, file, key));
  }
  return changes;
}

OperationBatch History::BatchOf(const std::vector<size_t>& changes) const {
  OperationBatch batch;
  for (const size_t place : changes) {
    const Change& change = log_[place];
    const std::string key = KeyText(change.key);
    const std::string record = RecordText(change.key, change.number);
    Operation operation;
    operation.kind = KindOf(change);
    if (HasRecord(operation.kind)) {
      operation.record = record;
    } else {
      operation.key = key;
    }
    batch.Add(operation);
  }
  return batch;
}

void History::Answer(size_t place, const absl::Status& status, uint64_t sequence, Moment answered) {
  if (IsDown(status)) {
    stopped_ = true;
    return;
  }
  const Change change = log_[place];
  log_.Answer(place, status.ok(), sequence, answered);
  if (change.IsCommand() && NumberOf(status) == ErrorNumber::kNoDiscSpace) return;
  if (change.kind == Change::Kind::kRead) {
    answered_reads_.emplace_back(place, NumberOf(status));
  } else if (NumberOf(status) != change.expected) {
    NoteWrongAnswer(place, Describe(status));
  }
}

void History::NoteWrongAnswer(size_t place, const std::string& got) {
  const Change& change = log_[place];
  wrong_answers_.push_back(StrCat("change ", place, " (", static_cast<int>(change.kind),
                                  ") of file ", change.file, ": expected ",
                                  static_cast<int>(change.expected), ", got ", got));
}

}  // namespace quire::test
