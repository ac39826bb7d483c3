// A conformance case: a file, the steps done with it by named opens, and what each must answer.
// README.md describes the text they are read from.
#ifndef QUIRE_TESTS_CONFORMANCE_CASE_H_
#define QUIRE_TESTS_CONFORMANCE_CASE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "quire/attributes.h"
#include "tests/conformance/words.h"

namespace quire::conformance {

// What a step must answer.
struct Expectation {
  int32_t error = 0;    // 0: none
  int32_t warning = 0;  // of an answer without error
  // What an error's text must contain; {a} stands for the number of the open a.
  std::vector<std::string> fragments;
  // The records, or the lines of a listing, in order; left out: the step answers with none.
  std::optional<std::vector<std::string>> values;
};

struct Step {
  enum class Manner : uint8_t {
    kBlocking,    // a read
    kStart,       // a> read: started; `a await` asks for the answer
    kStartWaits,  // a& read: started, and waits for a lock, which LISTLOCKS must show
  };

  int line = 0;
  std::string open;  // empty: a step of the file system
  Manner manner = Manner::kBlocking;
  std::string word;
  std::vector<Word> arguments;
  Expectation expected;

  // The argument-th plain word; empty when there is none.
  std::string_view Plain(size_t argument) const;
  size_t PlainCount() const;
  // The value of option name=value; null when it is not given.
  const std::string* Option(std::string_view name) const;
  // Whether a plain word of this name, not quoted, stands among the arguments.
  bool Has(std::string_view name) const;
};

struct Case {
  std::string path = {};  // of the text, relative to cases/
  int line = 0;
  std::string id = {};
  std::string title = {};
  std::vector<std::string> shows = {};  // rows of README.md
  FileAttributes attributes = {};
  std::vector<std::string> records = {};  // in the file before the first step
  // Set-ups the case is for; empty: all. `because` says why not all.
  std::vector<std::string> only = {};
  std::string because = {};
  std::vector<std::string> cut = {};  // partial keys of the partitioned set-up; empty: chosen
  std::vector<Step> steps = {};
};

// Every case of one text. An error names path and line.
absl::StatusOr<std::vector<Case>> ReadCases(std::string_view path, std::string_view text);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_CASE_H_
