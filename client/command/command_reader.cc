#include "client/command/command_reader.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "client/command/errors.h"
#include "quire/text.h"

namespace quire {
namespace {

std::string WithoutComments(std::string_view line) {
  std::string kept;
  bool in_string = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const std::string_view two = line.substr(i, 2);
    if (line[i] == '"') in_string = !in_string;
    if (!in_string && two == "==") break;
    if (in_string || two != "--") {
      kept.push_back(line[i]);
      continue;
    }
    const size_t text = line.find_first_not_of('-', i);
    const size_t close = text == std::string_view::npos ? text : line.find("--", text);
    if (close == std::string_view::npos) break;
    kept.push_back(' ');
    const size_t after = line.find_first_not_of('-', close);
    if (after == std::string_view::npos) break;
    i = after - 1;
  }
  return kept;
}

void AddTrimmed(std::string_view text, std::vector<std::string>& commands) {
  const std::string_view trimmed = ToStd(absl::StripAsciiWhitespace(ToAbsl(text)));
  if (!trimmed.empty()) commands.emplace_back(trimmed);
}

std::vector<std::string> SplitAtSemicolons(std::string_view text) {
  std::vector<std::string> commands;
  bool in_string = false;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (text[i] != ';' || in_string) continue;
    AddTrimmed(text.substr(start, i - start), commands);
    start = i + 1;
  }
  AddTrimmed(text.substr(start), commands);
  return commands;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> CommandReader::AddLine(std::string_view line) {
  std::string text = WithoutComments(line);
  absl::StripTrailingAsciiWhitespace(&text);
  continues_ = !text.empty() && text.back() == '&';
  if (continues_) text.back() = ' ';
  if (too_long_) {
    // The rest of a command that was refused must not be taken for a command of its own.
    too_long_ = continues_;
    return std::vector<std::string>();
  }
  started_ += text;
  if (started_.size() > kLongestCommandBytes) {
    too_long_ = continues_;
    const size_t bytes = std::exchange(started_, "").size();
    return command_errors::CommandTooLong(bytes, kLongestCommandBytes);
  }
  if (continues_) return std::vector<std::string>();
  return SplitAtSemicolons(std::exchange(started_, ""));
}

std::vector<std::string> CommandReader::Finish() {
  continues_ = false;
  too_long_ = false;
  return SplitAtSemicolons(std::exchange(started_, ""));
}

}  // namespace quire
