#include "tests/conformance/operation_step.h"

#include <map>
#include <string>

#include "absl/strings/numbers.h"
#include "quire/text.h"

namespace quire::conformance {
namespace {

struct Form {
  OperationKind kind;
  bool lock = false;
  bool unlock = false;
};

Form FormOf(const Step& step) {
  static const std::map<std::string_view, Form> forms = {
      {"write", {OperationKind::kWrite}},
      {"keyposition", {OperationKind::kSetPosition}},
      {"read", {OperationKind::kReadNext}},
      {"readlock", {OperationKind::kReadNext, true}},
      {"readupdate", {OperationKind::kReadUpdate}},
      {"readupdatelock", {OperationKind::kReadUpdate, true}},
      {"writeupdate", {OperationKind::kWriteUpdate}},
      {"writeupdateunlock", {OperationKind::kWriteUpdate, false, true}},
      {"lockrec", {OperationKind::kLockRecord}},
      {"unlockrec", {OperationKind::kUnlockRecord}},
      {"lockfile", {OperationKind::kLockFile}},
      {"unlockfile", {OperationKind::kUnlockFile}},
      {"setmode", {OperationKind::kSetLockMode}},
      {"read-key", {OperationKind::kRead}},
      {"update-key", {OperationKind::kUpdate}},
      {"delete-key", {OperationKind::kDelete}},
      {"reposition", {OperationKind::kRestorePosition}},
  };
  Form form = forms.at(step.word);
  // The WRITEUPDATE call with count 0 deletes (R-S7); as an operation that is a kind of its own.
  if (form.kind == OperationKind::kWriteUpdate && step.Plain(0).empty()) {
    form.kind = OperationKind::kDeleteCurrent;
  }
  return form;
}

// mode=N gives one that may not exist. KEYPOSITION is approximate, a keyed read exact, unless a
// flag says otherwise.
ReadMode ModeOf(const Step& step, OperationKind kind) {
  const bool positions = kind == OperationKind::kSetPosition;
  ReadMode mode = positions && !step.Has("exact") ? ReadMode::kApproximate : ReadMode::kByKey;
  if (step.Has("generic")) mode = ReadMode::kGeneric;
  if (step.Has("approximate")) mode = ReadMode::kApproximate;
  return static_cast<ReadMode>(NumberOption(step, "mode", static_cast<uint64_t>(mode)));
}

PositioningMode PositioningModeOf(ReadMode mode) {
  if (mode == ReadMode::kByKey) return PositioningMode::kExact;
  return mode == ReadMode::kGeneric ? PositioningMode::kGeneric : PositioningMode::kApproximate;
}

absl::StatusOr<std::string> NoRecord(absl::Status status) {
  if (!status.ok()) return status;
  return std::string();
}

absl::StatusOr<std::string> SetPosition(File& file, const Operation& operation) {
  return NoRecord(file.SetPosition({.key = operation.key,
                                    .mode = PositioningModeOf(operation.mode),
                                    .compare_length = operation.compare_length,
                                    .reverse = operation.reverse,
                                    .skip_exact = operation.skip_exact,
                                    .last_of_set = operation.last_of_set,
                                    .key_specifier = operation.key_specifier}));
}

absl::StatusOr<std::string> ReadKey(File& file, const Operation& operation) {
  return file.Read(operation.key, operation.mode, operation.reverse);
}

}  // namespace

uint64_t NumberOption(const Step& step, std::string_view name, uint64_t otherwise) {
  const std::string* text = step.Option(name);
  uint64_t number = 0;
  return text != nullptr && absl::SimpleAtoi(*text, &number) ? number : otherwise;
}

Operation OperationOf(const Step& step, std::string_view saved) {
  const Form form = FormOf(step);
  Operation operation;
  operation.kind = form.kind;
  operation.lock = form.lock || step.Has("lock");
  operation.unlock = form.unlock || step.Has("unlock");
  operation.mode = ModeOf(step, form.kind);
  operation.reverse = step.Has("reverse");
  operation.skip_exact = step.Has("skip");
  operation.last_of_set = step.Has("last");
  operation.compare_length = static_cast<uint32_t>(NumberOption(step, "compare", 0));
  operation.key_specifier = static_cast<uint32_t>(NumberOption(step, "specifier", 0));
  if (form.kind == OperationKind::kSetLockMode) {
    // A text that is no number is one that is no mode either.
    if (!absl::SimpleAtoi(ToAbsl(step.Plain(1)), &operation.lock_mode)) operation.lock_mode = 99;
  } else if (HasRecord(form.kind)) {
    operation.record = step.Plain(0);
  } else {
    operation.key = form.kind == OperationKind::kRestorePosition ? saved : step.Plain(0);
  }
  return operation;
}

BlockingCall BlockingCallOf(const Step& step, const Operation& operation) {
  using Op = const Operation&;
  static const std::map<std::string_view, BlockingCall> calls = {
      {"write", [](File& f, Op op) { return NoRecord(f.Write(op.record)); }},
      {"update-key", [](File& f, Op op) { return NoRecord(f.Update(op.record)); }},
      {"delete-key", [](File& f, Op op) { return NoRecord(f.Delete(op.key)); }},
      {"keyposition", SetPosition},
      {"read", [](File& f, Op) { return f.ReadNext(); }},
      {"readlock", [](File& f, Op) { return f.ReadNextLock(); }},
      {"readupdate", [](File& f, Op) { return f.ReadUpdate(); }},
      {"readupdatelock", [](File& f, Op) { return f.ReadUpdateLock(); }},
      {"writeupdate", [](File& f, Op op) { return NoRecord(f.WriteUpdate(op.record)); }},
      {"writeupdateunlock",
       [](File& f, Op op) { return NoRecord(f.WriteUpdateUnlock(op.record)); }},
      {"lockrec", [](File& f, Op) { return NoRecord(f.LockRecord()); }},
      {"unlockrec", [](File& f, Op) { return NoRecord(f.UnlockRecord()); }},
      {"lockfile", [](File& f, Op) { return NoRecord(f.LockFile()); }},
      {"unlockfile", [](File& f, Op) { return NoRecord(f.UnlockFile()); }},
      {"setmode",
       [](File& f, Op op) { return NoRecord(f.SetLockMode(static_cast<LockMode>(op.lock_mode))); }},
      {"read-key", ReadKey},
      {"reposition", [](File& f, Op op) { return NoRecord(f.RestorePosition(op.key)); }},
  };
  const bool names_record =
      !operation.key.empty() && (operation.kind == OperationKind::kLockRecord ||
                                 operation.kind == OperationKind::kUnlockRecord);
  const bool locks_by_key =
      operation.kind == OperationKind::kRead && (operation.lock || operation.skip_exact);
  const bool unlocks = operation.unlock && step.word != "writeupdateunlock";
  const bool unknown_mode = step.Option("mode") != nullptr;
  if (names_record || locks_by_key || unlocks || unknown_mode) return nullptr;
  return calls.at(step.word);
}

bool GivesRecord(OperationKind kind) {
  return kind == OperationKind::kRead || kind == OperationKind::kReadNext ||
         kind == OperationKind::kReadUpdate || kind == OperationKind::kSavePosition;
}

}  // namespace quire::conformance
