#include "tests/conformance/case_runner.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/conformance/file_words.h"
#include "tests/conformance/listing.h"
#include "tests/conformance/named_open.h"
#include "tests/conformance/operation_step.h"
#include "tests/conformance/outcome.h"
#include "tests/conformance/partition_cut.h"
#include "tests/support/process_child.h"

namespace quire::conformance {
namespace {

// Long enough for every wait that a case ends by a step; a case shows time-outs with its own.
constexpr uint64_t kLockTimeoutMs = 10000;

// What a refused step must leave as it was.
struct State {
  std::string position;
  std::string locks;
  std::string data;
};

class CaseRun {
 public:
  CaseRun(const Case& which, const Place& place, uint32_t number)
      : case_(which), place_(place), file_(NameOf('C', number)), other_(NameOf('D', number)) {}

  std::vector<Failure> Run() {
    if (Prepare()) {
      for (const Step& step : case_.steps) {
        RunStep(step);
        if (!failures_.empty()) break;
      }
    }
    CleanUp();
    return std::move(failures_);
  }

 private:
  FileName NameOf(char kind, uint32_t number) const {
    return {.node = "",
            .volume = place_.volumes[0],
            .subvolume = "CASES",
            .file = StrCat(std::string(1, kind), number)};
  }
  void Fail(int line, std::string what) { failures_.push_back({line, std::move(what)}); }

  bool Prepare();
  void CleanUp();
  void RunStep(const Step& step);
  void StartStep(const Step& step);
  Outcome RunFileSystemStep(const Step& step);
  Outcome Open(const Step& step);
  Outcome Create(const Step& step);
  Outcome ListLocks(bool granted_only);
  Outcome ListOpens();
  Outcome CounterOf(const Step& step, uint64_t open_id);
  FileName FileNamed(std::string_view word) const;

  NamedOpen* FindOpen(const Step& step);
  bool Waits(uint64_t open_id);
  State StateOf(NamedOpen* open);
  void CompareStates(const Step& step, const State& before, const State& after);
  OpenNames Names() const;
  std::map<std::string, uint64_t> Numbers() const;

  const Case& case_;
  const Place& place_;
  const FileName file_;
  const FileName other_;  // what `create other` makes
  std::map<std::string, std::unique_ptr<NamedOpen>> opens_;
  std::vector<Failure> failures_;
};

bool CaseRun::Prepare() {
  FileAttributes attributes = case_.attributes;
  attributes.audit = attributes.audit || (place_.audit && attributes.buffered);
  if (place_.volumes.size() > 1) {
    const auto borders = ChooseBorders(case_, place_.volumes.size() - 1);
    if (!borders.ok()) {
      Fail(case_.line, std::string(ToStd(borders.status().message())));
      return false;
    }
    for (size_t i = 0; i < borders->size(); ++i) {
      attributes.partitions.push_back({.volume = place_.volumes[i + 1],
                                       .extents = attributes.extents,
                                       .partial_key = (*borders)[i]});
    }
  }
  const absl::StatusOr<FileInfo> created = place_.files->Create(file_, attributes);
  if (!created.ok()) {
    Fail(case_.line, StrCat("its file: ", Describe(created.status())));
    return false;
  }
  if (case_.records.empty()) return true;
  auto opened = place_.files->Open(file_, {});
  absl::Status status = opened.status();
  for (size_t i = 0; status.ok() && i < case_.records.size(); ++i) {
    status = (*opened)->Write(case_.records[i]);
  }
  if (status.ok()) status = (*opened)->Close();
  if (!status.ok()) Fail(case_.line, StrCat("its records: ", Describe(status)));
  return status.ok();
}

void CaseRun::CleanUp() {
  opens_.clear();
  for (const FileName& name : {file_, other_}) {
    const absl::Status purged = place_.files->Purge(name);
    // An open that its owner closed and that still holds the file would show here, as 12.
    if (!purged.ok() && NumberOf(purged) != ErrorNumber::kNotFound) {
      Fail(case_.line, StrCat("purging at the end: ", Describe(purged)));
    }
  }
}

NamedOpen* CaseRun::FindOpen(const Step& step) {
  const auto found = opens_.find(step.open);
  if (found != opens_.end()) return found->second.get();
  Fail(step.line, StrCat("no open is called ", step.open));
  return nullptr;
}

void CaseRun::RunStep(const Step& step) {
  if (step.manner != Step::Manner::kBlocking) return StartStep(step);
  NamedOpen* open = nullptr;
  if (!step.open.empty() && (open = FindOpen(step)) == nullptr) return;
  if (step.word == "cancel") return open->Cancel();
  // A step of an open behind one that waits would wait too, and so would the look at its state.
  const bool compares = step.expected.error != 0 && step.word != "await" && step.word != "fill" &&
                        (open == nullptr || open->started() == 0);
  const State before = compares ? StateOf(open) : State();
  Outcome outcome;
  if (open == nullptr) {
    outcome = RunFileSystemStep(step);
  } else {
    outcome = step.word == "await"     ? open->Await()
              : step.word == "counter" ? CounterOf(step, open->id())
                                       : open->Run(step);
  }
  const std::string difference = Difference(outcome, step.expected, Numbers());
  if (!difference.empty()) return Fail(step.line, difference);
  if (compares) CompareStates(step, before, StateOf(open));
}

void CaseRun::StartStep(const Step& step) {
  NamedOpen* open = FindOpen(step);
  if (open == nullptr) return;
  open->Start(step);
  if (step.manner == Step::Manner::kStart) return;
  const bool ended = WaitUntil([&] { return open->LastDone() || Waits(open->id()); });
  if (!ended || open->LastDone()) {
    Fail(step.line, open->LastDone()
                        ? StrCat("it must wait, but answered: ", Describe(open->Await()))
                        : "LISTLOCKS shows no lock that it waits for");
  }
}

bool CaseRun::Waits(uint64_t open_id) {
  const auto locks = place_.files->ListLocks(file_, false);
  return locks.ok() && std::any_of(locks->begin(), locks->end(), [&](const LockInfo& lock) {
           return lock.open_id == open_id && !lock.granted;
         });
}

State CaseRun::StateOf(NamedOpen* open) {
  State state;
  state.locks = Describe(ListLocks(false));
  if (open == nullptr) {
    state.data = Describe(ListOpens());
  } else {
    state.position = open->Position();
    state.data = open->Data();
  }
  return state;
}

void CaseRun::CompareStates(const Step& step, const State& before, const State& after) {
  const auto compare = [&](std::string_view what, const std::string& was, const std::string& is) {
    if (was == is) return;
    Fail(step.line, StrCat("refused, but changed ", what, "\n  before: ", was, "\n  after:  ", is));
  };
  compare("the position", before.position, after.position);
  compare("locks", before.locks, after.locks);
  compare(step.open.empty() ? "opens" : "records", before.data, after.data);
}

Outcome CaseRun::RunFileSystemStep(const Step& step) {
  if (step.word == "open") return Open(step);
  if (step.word == "create") return Create(step);
  if (step.word == "listlocks") return ListLocks(step.Has("granted"));
  if (step.word == "listopens") return ListOpens();
  return {.status = place_.files->Purge(FileNamed(step.Plain(0)))};  // purge
}

FileName CaseRun::FileNamed(std::string_view word) const {
  if (word == "self") return file_;
  if (word == "other") return other_;
  // A secondary partition by its own name, or the file on a volume that nobody has.
  return file_.OnVolume(word);
}

Outcome CaseRun::Open(const Step& step) {
  static const std::map<std::string, AccessMode> accesses = {{"read-write", AccessMode::kReadWrite},
                                                             {"read", AccessMode::kRead},
                                                             {"write", AccessMode::kWrite}};
  static const std::map<std::string, Exclusion> exclusions = {{"shared", Exclusion::kShared},
                                                              {"exclusive", Exclusion::kExclusive},
                                                              {"protected", Exclusion::kProtected}};
  FileOpenOptions options;
  if (const std::string* access = step.Option("access")) {
    if (!accesses.contains(*access)) return {.status = absl::InternalError("no such access")};
    options.access = accesses.at(*access);
  }
  if (const std::string* exclusion = step.Option("exclusion")) {
    if (!exclusions.contains(*exclusion)) return {.status = absl::InternalError("no exclusion")};
    options.exclusion = exclusions.at(*exclusion);
  }
  options.sync_depth = static_cast<uint32_t>(NumberOption(step, "depth", 1));
  options.lock_mode = static_cast<LockMode>(NumberOption(step, "mode", 0));
  options.lock_timeout = absl::Milliseconds(NumberOption(step, "timeout", kLockTimeoutMs));
  options.sequential_buffer_bytes = static_cast<uint32_t>(NumberOption(step, "buffer", 0));
  const std::string* name = step.Option("name");
  const std::string* file = step.Option("file");
  auto opened = name != nullptr
                    ? place_.files->Open(std::string_view(*name), options)
                    : place_.files->Open(file != nullptr ? FileNamed(*file) : file_, options);
  if (!opened.ok()) return {.status = opened.status()};
  Outcome outcome{.warning = static_cast<int32_t>((*opened)->open_warning())};
  opens_[std::string(step.Plain(0))] = std::make_unique<NamedOpen>(*std::move(opened));
  return outcome;
}

Outcome CaseRun::Create(const Step& step) {
  std::vector<Word> words;
  for (const Word& word : step.arguments) {
    if (!word.option.empty()) words.push_back(word);
  }
  absl::StatusOr<FileAttributes> attributes = ReadAttributes(words);
  if (!attributes.ok()) return {.status = attributes.status()};
  attributes->audit = attributes->audit || (place_.audit && attributes->buffered);
  return {.status = place_.files->Create(FileNamed(step.Plain(0)), *attributes).status()};
}

// "a holds A1, b waits A1" as one value for each word, as the case's line has them.
Outcome AsWords(const std::vector<std::string>& lines) {
  Outcome outcome{.values = std::vector<std::string>()};
  if (lines.empty()) return outcome;
  for (const absl::string_view word : absl::StrSplit(absl::StrJoin(lines, ", "), ' ')) {
    outcome.values->emplace_back(word);
  }
  return outcome;
}

Outcome CaseRun::ListLocks(bool granted_only) {
  const auto locks = place_.files->ListLocks(file_, granted_only);
  if (!locks.ok()) return {.status = locks.status()};
  return AsWords(LockLines(*locks, Names(), static_cast<uint32_t>(place_.volumes.size())));
}

Outcome CaseRun::ListOpens() {
  const auto opens = place_.files->ListOpens(file_);
  if (!opens.ok()) return {.status = opens.status()};
  return AsWords(OpenLines(*opens, Names()));
}

// Of one open, over all partitions.
Outcome CaseRun::CounterOf(const Step& step, uint64_t open_id) {
  const absl::StatusOr<MeasureSnapshot> snapshot = place_.files->Snapshot("");
  if (!snapshot.ok()) return {.status = snapshot.status()};
  int64_t sum = 0;
  for (const VolumeSnapshot& volume : snapshot->volumes) {
    for (const EntityRecord& record : volume.records) {
      if (record.entity == Entity::kDiscopen && record.open_id == open_id) {
        sum += record.Value(step.Plain(0));
      }
    }
  }
  return {.values = std::vector<std::string>{StrCat(sum)}};
}

OpenNames CaseRun::Names() const {
  OpenNames names;
  for (const auto& [name, open] : opens_) names[open->id()] = name;
  return names;
}

std::map<std::string, uint64_t> CaseRun::Numbers() const {
  std::map<std::string, uint64_t> numbers;
  for (const auto& [name, open] : opens_) numbers[name] = open->id();
  return numbers;
}

}  // namespace

std::vector<Failure> RunCase(const Case& which, const Place& place, uint32_t number) {
  return CaseRun(which, place, number).Run();
}

}  // namespace quire::conformance
