#include "tests/conformance/step_words.h"

#include <algorithm>
#include <map>
#include <vector>

#include "quire/text.h"

namespace quire::conformance {
namespace {

enum class Kind : uint8_t {
  kOperation,  // one operation of an open
  kOpen,       // of an open, but not one operation
  kFiles,      // of the file system
};

struct StepWord {
  Kind kind = Kind::kOperation;
  // Plain words: names or bytes first, then flags in any order.
  size_t least = 0;
  size_t most = 0;
  bool answers = false;  // with values: "=>" must say which
  std::vector<std::string_view> flags = {};
  std::vector<std::string_view> options = {};
  bool any_option = false;
};

const std::map<std::string_view, StepWord>& StepWords() {
  static const auto* const words = new std::map<std::string_view, StepWord>{
      {"write", {Kind::kOperation, 1, 1, false, {"unlock"}}},
      {"keyposition",
       {Kind::kOperation,
        1,
        1,
        false,
        {"approximate", "generic", "exact", "reverse", "skip", "last"},
        {"compare", "specifier", "mode"}}},
      {"read", {Kind::kOperation, 0, 0, true}},
      {"readlock", {Kind::kOperation, 0, 0, true}},
      {"readupdate", {Kind::kOperation, 0, 0, true}},
      {"readupdatelock", {Kind::kOperation, 0, 0, true}},
      {"writeupdate", {Kind::kOperation, 1, 1, false}},
      {"writeupdateunlock", {Kind::kOperation, 1, 1, false}},
      {"lockrec", {Kind::kOperation, 0, 1, false}},
      {"unlockrec", {Kind::kOperation, 0, 1, false}},
      {"lockfile", {Kind::kOperation, 0, 0, false}},
      {"unlockfile", {Kind::kOperation, 0, 0, false}},
      {"setmode", {Kind::kOperation, 2, 2, false}},
      {"read-key",
       {Kind::kOperation,
        1,
        1,
        true,
        {"generic", "approximate", "reverse", "skip", "lock"},
        {"mode"}}},
      {"update-key", {Kind::kOperation, 1, 1, false, {"unlock"}}},
      {"delete-key", {Kind::kOperation, 1, 1, false, {"unlock"}}},
      {"reposition", {Kind::kOperation, 0, 1, false, {}, {"bytes"}}},
      {"saveposition", {Kind::kOpen, 1, 1, false}},
      {"close", {Kind::kOpen, 0, 0, false}},
      {"await", {Kind::kOpen, 0, 0, true}},
      {"cancel", {Kind::kOpen, 0, 0, false}},
      {"scan", {Kind::kOpen, 0, 0, true, {"reverse", "exclusive"}, {"from", "to", "max", "chunk"}}},
      {"counter", {Kind::kOpen, 1, 1, true}},
      {"count", {Kind::kOpen, 0, 0, true}},
      {"load", {Kind::kOpen, 1, 1000, true, {}, {"onerror"}}},
      {"fill", {Kind::kOpen, 1, 1, false, {}, {"count", "pad"}}},
      {"clear", {Kind::kOpen, 1, 1, false, {}, {"count"}}},
      {"open",
       {Kind::kFiles,
        1,
        1,
        false,
        {},
        {"access", "exclusion", "depth", "mode", "timeout", "buffer", "file", "name"}}},
      {"create", {Kind::kFiles, 1, 1, false, {}, {}, true}},
      {"purge", {Kind::kFiles, 1, 1, false}},
      {"listlocks", {Kind::kFiles, 0, 0, true, {"granted"}}},
      {"listopens", {Kind::kFiles, 0, 0, true}},
  };
  return *words;
}

absl::Status Wrong(std::string_view what) {
  return absl::InvalidArgumentError(ToAbsl(what));
}

bool IsOneOf(std::string_view text, const std::vector<std::string_view>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

absl::Status CheckArguments(const Step& step, const StepWord& known) {
  size_t plain = 0;
  for (const Word& word : step.arguments) {
    if (!word.option.empty()) {
      if (known.any_option || IsOneOf(word.option, known.options)) continue;
      return Wrong(StrCat(step.word, " has no option ", word.option, "="));
    }
    // What comes behind the names and bytes is a flag.
    if (plain >= known.most) {
      if (!word.quoted && IsOneOf(word.text, known.flags)) continue;
      return Wrong(StrCat(step.word, " takes no ", word.text));
    }
    ++plain;
  }
  if (plain < known.least) return Wrong(StrCat(step.word, " needs more words"));
  return absl::OkStatus();
}

}  // namespace

bool IsFileSystemStep(std::string_view word) {
  const auto known = StepWords().find(word);
  return known != StepWords().end() && known->second.kind == Kind::kFiles;
}

bool IsOperation(std::string_view word) {
  const auto known = StepWords().find(word);
  return known != StepWords().end() && known->second.kind == Kind::kOperation;
}

absl::Status CheckStep(const Step& step, bool has_answer) {
  const auto known = StepWords().find(step.word);
  if (known == StepWords().end() || (known->second.kind == Kind::kFiles) != step.open.empty()) {
    return Wrong(StrCat("no step is called ", step.word));
  }
  if (step.manner != Step::Manner::kBlocking) {
    if (!IsOperation(step.word)) return Wrong(StrCat(step.word, " cannot be started"));
    if (has_answer) return Wrong("the answer of a started step stands behind: OPEN await =>");
  } else if (known->second.answers && !has_answer) {
    return Wrong(StrCat("=> must say what ", step.word, " answers"));
  }
  return CheckArguments(step, known->second);
}

}  // namespace quire::conformance
