#include "client/bench/report_reader.h"

#include <algorithm>
#include <cstring>

#include "client/bench/errors.h"
#include "client/bench/report_text.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kBufferBytes = 256 << 10;
constexpr size_t kMaxBlockWordBytes = 32 << 10;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsCapital(char c) {
  return c >= 'A' && c <= 'Z';
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Takes the next word of `line`; empty at its end.
std::string_view TakeWord(std::string_view* line) {
  size_t begin = 0;
  while (begin < line->size() && (*line)[begin] == ' ') ++begin;
  size_t end = begin;
  while (end < line->size() && (*line)[end] != ' ') ++end;
  const std::string_view word = line->substr(begin, end - begin);
  line->remove_prefix(end);
  return word;
}

bool IsLabel(std::string_view word) {
  return IsCapital(word[0]) && std::all_of(word.begin(), word.end(), [](char c) {
           return IsCapital(c) || (c >= 'a' && c <= 'z') || IsDigit(c) || c == '-' || c == '/';
         });
}

// "5", "338,323", "1,234,567", "5.12".
bool IsValue(std::string_view word) {
  const size_t point = word.find('.');
  const std::string_view whole = word.substr(0, point);
  size_t group = 0;  // digits since the last comma
  bool grouped = false;
  for (char c : whole) {
    if (c == ',') {
      if (group == 0 || group > 3 || (grouped && group != 3)) return false;
      grouped = true;
      group = 0;
    } else if (IsDigit(c)) {
      ++group;
    } else {
      return false;
    }
  }
  if (group == 0 || (grouped && group != 3)) return false;
  if (point == std::string_view::npos) return true;
  const std::string_view decimals = word.substr(point + 1);
  return !decimals.empty() && std::all_of(decimals.begin(), decimals.end(), IsDigit);
}

bool IsUnit(std::string_view word) {
  return word == "#" || word == "%" ||
         (!word.empty() && std::all_of(word.begin(), word.end(),
                                       [](char c) { return (c >= 'a' && c <= 'z') || c == '/'; }));
}

bool IsRuleLine(std::string_view line) {
  return line.size() > kRuleHyphens &&
         line.substr(0, kRuleHyphens) == std::string_view("------------") &&
         line[kRuleHyphens] == ' ' && line.back() == '-';
}

bool IsNumberOf(std::string_view word, size_t digits) {
  return word.size() == digits && std::all_of(word.begin(), word.end(), IsDigit);
}

}  // namespace

ReportReader::ReportReader(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {
  buffer_.resize(kBufferBytes);
  words_.reserve(kMaxBlockWordBytes);
}

absl::StatusOr<bool> ReportReader::NextLine(std::string_view* line) {
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const void* found = std::memchr(start, '\n', end_ - begin_);
    size_t length = end_ - begin_;
    if (found != nullptr) length = static_cast<size_t>(static_cast<const char*>(found) - start);
    if (length > kMaxReportLineBytes) {
      return DamagedReport(line_ + 1, StrCat("longer than ", kMaxReportLineBytes, " bytes"));
    }
    if (found != nullptr || exhausted_) {
      if (found == nullptr && length == 0) return false;
      *line = std::string_view(start, length);
      begin_ += length + (found != nullptr ? 1 : 0);
      ++line_;
      while (!line->empty() && (line->back() == '\r' || line->back() == ' ')) {
        line->remove_suffix(1);
      }
      return true;
    }
    std::memmove(buffer_.data(), start, length);
    begin_ = 0;
    end_ = length;
    absl::StatusOr<size_t> got = bytes_->Read(buffer_.data() + end_, buffer_.size() - end_);
    if (!got.ok()) return got.status();
    end_ += *got;
    exhausted_ = *got == 0;
  }
}

std::string_view ReportReader::Keep(std::string_view word) {
  const size_t at = words_.size();
  words_.append(word);
  return std::string_view(words_).substr(at);
}

absl::Status ReportReader::ReadIdentity(std::string_view line, ReportBlock* block) {
  const std::string_view kind = TakeWord(&line);
  std::string_view cpu;
  std::string_view pin;
  if (kind == "CPU") {
    cpu = TakeWord(&line);
    if (TakeWord(&line) != "Pin") return DamagedReport(line_, "'Pin' expected after the processor");
    pin = TakeWord(&line);
  } else if (kind == "Opener") {
    const std::string_view both = TakeWord(&line);
    cpu = both.substr(0, both.find(','));
    pin = both.substr(std::min(both.size(), cpu.size() + 1));
  } else {
    return DamagedReport(line_, "identity line expected ('CPU … Pin …' or 'Opener …')");
  }
  std::string_view word = TakeWord(&line);
  while (!word.empty() && word != "Interval") word = TakeWord(&line);
  const std::string_view interval = TakeWord(&line);
  if (!IsNumberOf(cpu, kCpuDigits) || !IsNumberOf(pin, kPinDigits) ||
      !IsNumberOf(interval, kIntervalDigits)) {
    return DamagedReport(
        line_, StrCat("the key needs a processor of ", kCpuDigits, " digits, a pin of ", kPinDigits,
                      " and an Interval of ", kIntervalDigits));
  }
  block->key.clear();
  StrAppend(&block->key, cpu, pin, interval);
  return absl::OkStatus();
}

absl::Status ReportReader::ReadRow(std::string_view line, ReportBlock* block) {
  std::string_view word = TakeWord(&line);
  while (!word.empty()) {
    if (!IsLabel(word)) return DamagedReport(line_, StrCat("label expected, found '", word, "'"));
    if (block->items.size() == kMaxBlockItems ||
        words_.capacity() - words_.size() < kMaxReportLineBytes) {
      return DamagedReport(line_, StrCat("a block of more than ", kMaxBlockItems, " items"));
    }
    ReportItem item;
    item.label = Keep(word);
    word = TakeWord(&line);
    if (!word.empty() && !IsCapital(word[0])) {
      if (!IsValue(word)) return DamagedReport(line_, StrCat("'", word, "' is not a value"));
      item.value = Keep(word);
      word = TakeWord(&line);
      if (!IsUnit(word)) {
        return DamagedReport(line_, StrCat("unit expected after '", item.value, "'"));
      }
      word = TakeWord(&line);
    }
    block->items.push_back(item);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> ReportReader::Next(ReportBlock* block) {
  block->items.clear();
  words_.clear();
  std::string_view line;
  do {  // blank lines between blocks
    absl::StatusOr<bool> more = NextLine(&line);
    if (!more.ok() || !*more) return more;
  } while (line.empty());
  if (!StartsWith(line, "Process ") && !StartsWith(line, "Discopen ")) {
    return DamagedReport(line_, "a block must begin with 'Process …' or 'Discopen …'");
  }
  block->first_line = line_;
  const auto needed_line = [&]() -> absl::Status {
    absl::StatusOr<bool> more = NextLine(&line);
    if (!more.ok()) return more.status();
    return *more ? absl::OkStatus() : DamagedReport(line_, "the text ends inside a heading");
  };
  if (absl::Status read = needed_line(); !read.ok()) return read;
  if (absl::Status read = ReadIdentity(line, block); !read.ok()) return read;
  if (absl::Status read = needed_line(); !read.ok()) return read;
  if (!StartsWith(line, "Local System ")) {
    return DamagedReport(line_, "'Local System …' expected after the identity line");
  }
  bool in_section = false;
  for (;;) {
    absl::StatusOr<bool> more = NextLine(&line);
    if (!more.ok()) return more;
    if (!*more || line.empty()) break;
    if (line[0] == '-') {
      if (!IsRuleLine(line)) return DamagedReport(line_, "a section rule is cut or overwritten");
      in_section = true;
      continue;
    }
    if (!in_section) return DamagedReport(line_, "items outside a section");
    if (absl::Status read = ReadRow(line, block); !read.ok()) return read;
  }
  if (block->items.empty()) {
    return DamagedReport(line_, StrCat("the block of line ", block->first_line, " has no items"));
  }
  return true;
}

}  // namespace bench
}  // namespace quire
