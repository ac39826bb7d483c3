#include "client/fup/command_history.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "client/fup/errors.h"
#include "quire/text.h"

namespace quire {
namespace {

std::optional<uint64_t> Number(std::string_view text) {
  uint64_t number = 0;
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
  if (!digits || !absl::SimpleAtoi(ToAbsl(text), &number)) return std::nullopt;
  return number;
}

}  // namespace

void CommandHistory::Add(std::string text) {
  entries_.push_back({next_number_++, std::move(text)});
  if (entries_.size() > kKept) entries_.pop_front();
}

std::vector<CommandHistory::Entry> CommandHistory::Last(uint64_t count) const {
  const size_t shown = static_cast<size_t>(std::min<uint64_t>(count, entries_.size()));
  return std::vector<Entry>(entries_.end() - static_cast<std::ptrdiff_t>(shown), entries_.end());
}

absl::StatusOr<std::string> CommandHistory::Find(std::string_view wanted) const {
  wanted = ToStd(absl::StripAsciiWhitespace(ToAbsl(wanted)));
  if (wanted.empty() && !entries_.empty()) return entries_.back().text;
  if (wanted.starts_with("-")) {
    const std::optional<uint64_t> back = Number(wanted.substr(1));
    if (back && *back >= 1 && *back <= entries_.size()) {
      return entries_[entries_.size() - *back].text;
    }
    return fup_errors::NoSuchHistory(wanted);
  }
  const std::optional<uint64_t> number = Number(wanted);
  const bool anywhere = wanted.size() >= 2 && wanted.front() == '"' && wanted.back() == '"';
  const std::string_view text = anywhere ? wanted.substr(1, wanted.size() - 2) : wanted;
  const std::string upper = absl::AsciiStrToUpper(ToAbsl(text));
  for (auto entry = entries_.rbegin(); entry != entries_.rend() && !wanted.empty(); ++entry) {
    const std::string candidate = absl::AsciiStrToUpper(entry->text);
    const bool matches = number     ? entry->number == *number
                         : anywhere ? absl::StrContains(candidate, upper)
                                    : absl::StartsWith(candidate, upper);
    if (matches) return entry->text;
  }
  return fup_errors::NoSuchHistory(wanted.empty() ? "(there is none yet)" : wanted);
}

}  // namespace quire
