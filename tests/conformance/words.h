// The words of a line of case text.
//
//   a write "K1 two words"       quoted: blanks stand for themselves; \" \\ \x00
//   a keyposition K compare=1    an option: name=value
//   a write K1{z*60}             {z*60}: sixty times z
//   # to the end of the line     a comment
#ifndef QUIRE_TESTS_CONFORMANCE_WORDS_H_
#define QUIRE_TESTS_CONFORMANCE_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace quire::conformance {

struct Word {
  std::string option;   // "compare" of compare=1; empty for a plain word
  std::string text;     // as meant: without quotes, escapes and repetitions carried out
  bool quoted = false;  // some of it was: never a word of the case language
};

// The words of one line, a comment left out. An error says what is wrong with the line.
absl::StatusOr<std::vector<Word>> ReadWords(std::string_view line);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_WORDS_H_
