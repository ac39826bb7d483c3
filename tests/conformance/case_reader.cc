#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "quire/text.h"
#include "tests/conformance/case.h"
#include "tests/conformance/file_words.h"
#include "tests/conformance/step_words.h"

namespace quire::conformance {
namespace {

absl::Status Wrong(std::string_view what) {
  return absl::InvalidArgumentError(ToAbsl(what));
}

bool Is(const Word& word, std::string_view text) {
  return !word.quoted && word.option.empty() && word.text == text;
}

absl::Status ReadNumber(const std::vector<Word>& words, size_t at, int32_t* number) {
  if (at >= words.size() || !absl::SimpleAtoi(words[at].text, number) || *number <= 0) {
    return Wrong(StrCat("a number must follow ", words[at - 1].text));
  }
  return absl::OkStatus();
}

// What stands behind "=>": ok | error 73 ["text"]… | nothing | value… [warning 9]
absl::StatusOr<Expectation> ReadExpectation(const std::vector<Word>& words) {
  Expectation expected;
  if (words.empty()) return Wrong("nothing stands behind =>");
  if (Is(words[0], "ok") && words.size() == 1) return expected;
  if (Is(words[0], "error")) {
    absl::Status read = ReadNumber(words, 1, &expected.error);
    if (!read.ok()) return read;
    for (size_t i = 2; i < words.size(); ++i) expected.fragments.push_back(words[i].text);
    return expected;
  }
  std::vector<std::string> values;
  size_t at = 0;
  for (; at < words.size() && !Is(words[at], "warning"); ++at) values.push_back(words[at].text);
  if (at < words.size()) {
    absl::Status read = ReadNumber(words, at + 1, &expected.warning);
    if (!read.ok()) return read;
    if (at + 2 != words.size()) return Wrong("warning and its number stand last");
  }
  if (at == 1 && (Is(words[0], "nothing") || Is(words[0], "ok"))) values.clear();
  if (at > 0 && !Is(words[0], "ok")) expected.values = std::move(values);
  return expected;
}

// "a", "a>", "a&"
bool ReadOpenName(std::string_view text, Step* step) {
  if (text.ends_with('>')) step->manner = Step::Manner::kStart;
  if (text.ends_with('&')) step->manner = Step::Manner::kStartWaits;
  if (step->manner != Step::Manner::kBlocking) text.remove_suffix(1);
  step->open = text;
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

absl::StatusOr<Step> ReadStep(std::vector<Word> words) {
  Step step;
  const auto arrow =
      std::find_if(words.begin(), words.end(), [](const Word& word) { return Is(word, "=>"); });
  if (arrow != words.end()) {
    absl::StatusOr<Expectation> expected = ReadExpectation({arrow + 1, words.end()});
    if (!expected.ok()) return expected.status();
    step.expected = *std::move(expected);
  }
  const bool has_answer = arrow != words.end();
  words.erase(arrow, words.end());
  if (words.empty()) return Wrong("no step stands before =>");
  if (IsFileSystemStep(words[0].text)) {
    step.word = words[0].text;
    step.arguments.assign(words.begin() + 1, words.end());
  } else {
    if (!ReadOpenName(words[0].text, &step) || words.size() < 2) {
      return Wrong(StrCat(words[0].text, " is neither a step nor an open and its step"));
    }
    step.word = words[1].text;
    step.arguments.assign(words.begin() + 2, words.end());
  }
  absl::Status checked = CheckStep(step, has_answer);
  if (!checked.ok()) return checked;
  return step;
}

class CaseReader {
 public:
  explicit CaseReader(std::string_view path) : path_(path) {}

  absl::Status ReadLine(int number, std::string_view line) {
    line_ = number;
    absl::StatusOr<std::vector<Word>> words = ReadWords(line);
    if (!words.ok()) return words.status();
    if (words->empty()) return absl::OkStatus();
    const std::string word = (*words)[0].quoted ? "" : (*words)[0].text;
    if (word == "case") return StartCase(*std::move(words));
    if (cases_.empty()) return Wrong("a text begins with: case ID");
    if (cases_.back().steps.empty() && IsHeading(word)) return ReadHeading(*std::move(words));
    absl::StatusOr<Step> step = ReadStep(*std::move(words));
    if (!step.ok()) return step.status();
    step->line = number;
    cases_.back().steps.push_back(*std::move(step));
    return absl::OkStatus();
  }

  absl::Status Finish() {
    if (!cases_.empty() && cases_.back().steps.empty()) return Wrong("the case has no step");
    if (!cases_.empty() && cases_.back().shows.empty()) return Wrong("the case shows no row");
    return absl::OkStatus();
  }
  std::vector<Case> Take() { return std::move(cases_); }

 private:
  static bool IsHeading(std::string_view word) {
    static const std::set<std::string_view> headings = {"title",   "shows", "file",
                                                        "records", "cut",   "only"};
    return headings.contains(word);
  }

  absl::Status StartCase(std::vector<Word> words) {
    absl::Status finished = Finish();
    if (!finished.ok()) return finished;
    if (words.size() != 2) return Wrong("a case has one id");
    const auto is_id = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    };
    if (!std::all_of(words[1].text.begin(), words[1].text.end(), is_id)) {
      return Wrong("an id has small letters, digits and -");
    }
    cases_.push_back(
        {.path = path_, .line = line_, .id = words[1].text, .attributes = DefaultAttributes()});
    return absl::OkStatus();
  }

  absl::Status ReadHeading(std::vector<Word> words) {
    Case& now = cases_.back();
    const std::string heading = words[0].text;
    words.erase(words.begin());
    if (words.empty()) return Wrong(StrCat("nothing stands behind ", heading));
    if (heading == "file") {
      absl::StatusOr<FileAttributes> attributes = ReadAttributes(words);
      if (!attributes.ok()) return attributes.status();
      now.attributes = *std::move(attributes);
    } else if (heading == "only") {
      return ReadOnly(words);
    } else if (heading == "title") {
      for (const Word& word : words) StrAppend(&now.title, now.title.empty() ? "" : " ", word.text);
    } else {
      std::vector<std::string>& list = heading == "shows" ? now.shows
                                       : heading == "cut" ? now.cut
                                                          : now.records;
      for (const Word& word : words) list.push_back(word.text);
    }
    return absl::OkStatus();
  }

  // only SET-UP… because "why"
  absl::Status ReadOnly(const std::vector<Word>& words) {
    Case& now = cases_.back();
    size_t at = 0;
    for (; at < words.size() && !Is(words[at], "because"); ++at) now.only.push_back(words[at].text);
    if (at + 2 != words.size() || !words[at + 1].quoted) {
      return Wrong("only SET-UP because \"the reason\"");
    }
    now.because = words[at + 1].text;
    return absl::OkStatus();
  }

  const std::string path_;
  int line_ = 0;
  std::vector<Case> cases_;
};

}  // namespace

std::string_view Step::Plain(size_t argument) const {
  for (const Word& each : arguments) {
    if (each.option.empty() && argument-- == 0) return each.text;
  }
  return {};
}

size_t Step::PlainCount() const {
  return static_cast<size_t>(std::count_if(arguments.begin(), arguments.end(),
                                           [](const Word& each) { return each.option.empty(); }));
}

const std::string* Step::Option(std::string_view name) const {
  for (const Word& each : arguments) {
    if (each.option == name) return &each.text;
  }
  return nullptr;
}

bool Step::Has(std::string_view name) const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const Word& each) { return Is(each, name); });
}

absl::StatusOr<std::vector<Case>> ReadCases(std::string_view path, std::string_view text) {
  CaseReader reader(path);
  int number = 0;
  absl::Status read = absl::OkStatus();
  for (const absl::string_view line : absl::StrSplit(ToAbsl(text), '\n')) {
    read = reader.ReadLine(++number, ToStd(line));
    if (!read.ok()) break;
  }
  if (read.ok()) read = reader.Finish();
  if (read.ok()) return reader.Take();
  return absl::InvalidArgumentError(StrCat(path, ":", number, ": ", ToStd(read.message())));
}

}  // namespace quire::conformance
