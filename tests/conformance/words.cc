#include "tests/conformance/words.h"

#include <cctype>
#include <utility>

#include "absl/strings/numbers.h"
#include "quire/text.h"

namespace quire::conformance {
namespace {

constexpr uint32_t kMostRepeats = 1 << 20;

bool IsBlank(char c) {
  return c == ' ' || c == '\t';
}

class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) {}

  absl::StatusOr<std::vector<Word>> Read() {
    std::vector<Word> words;
    for (SkipBlanks(); !AtEnd() && line_[at_] != '#'; SkipBlanks()) {
      absl::StatusOr<Word> word = ReadWord();
      if (!word.ok()) return word.status();
      words.push_back(*std::move(word));
    }
    return words;
  }

 private:
  bool AtEnd() const { return at_ >= line_.size(); }
  void SkipBlanks() {
    while (!AtEnd() && IsBlank(line_[at_])) ++at_;
  }

  absl::StatusOr<Word> ReadWord() {
    Word word;
    while (!AtEnd() && !IsBlank(line_[at_])) {
      const char c = line_[at_++];
      absl::Status read = absl::OkStatus();
      if (c == '"') {
        word.quoted = true;
        read = ReadQuoted(&word.text);
      } else if (c == '{') {
        read = ReadRepetition(&word.text);
      } else if (c == '=' && !word.quoted && word.option.empty() && !word.text.empty() &&
                 std::isalpha(static_cast<unsigned char>(word.text[0])) != 0) {
        word.option = std::exchange(word.text, std::string());
      } else {
        word.text.push_back(c);
      }
      if (!read.ok()) return read;
    }
    return word;
  }

  absl::Status ReadQuoted(std::string* text) {
    while (!AtEnd()) {
      const char c = line_[at_++];
      if (c == '"') return absl::OkStatus();
      if (c != '\\') {
        text->push_back(c);
        continue;
      }
      const char escaped = AtEnd() ? '\0' : line_[at_++];
      if (escaped == '"' || escaped == '\\') {
        text->push_back(escaped);
      } else if (escaped == 'x' && HexAt(at_) >= 0 && HexAt(at_ + 1) >= 0) {
        text->push_back(static_cast<char>(HexAt(at_) * 16 + HexAt(at_ + 1)));
        at_ += 2;
      } else {
        return absl::InvalidArgumentError("after \\ stands \", \\ or x and two hex digits");
      }
    }
    return absl::InvalidArgumentError("a quote is not closed");
  }

  int HexAt(size_t at) const {
    if (at >= line_.size()) return -1;
    const char c = line_[at];
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  }

  // "z*60}" behind the brace.
  absl::Status ReadRepetition(std::string* text) {
    const size_t end = line_.find('}', at_);
    const size_t star = line_.find('*', at_);
    uint32_t count = 0;
    if (end == std::string_view::npos || star >= end || star == at_ ||
        !absl::SimpleAtoi(ToAbsl(line_.substr(star + 1, end - star - 1)), &count) ||
        count > kMostRepeats) {
      return absl::InvalidArgumentError("a repetition is {text*count}");
    }
    const std::string_view piece = line_.substr(at_, star - at_);
    for (uint32_t i = 0; i < count; ++i) text->append(piece);
    at_ = end + 1;
    return absl::OkStatus();
  }

  const std::string_view line_;
  size_t at_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<Word>> ReadWords(std::string_view line) {
  return LineReader(line).Read();
}

}  // namespace quire::conformance
