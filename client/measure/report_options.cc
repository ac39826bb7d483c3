#include "client/measure/report_options.h"

#include <charconv>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "client/measure/errors.h"

namespace quire {
namespace measure {
namespace {

struct Scale {
  std::string_view unit;
  int64_t factor;
};

constexpr Scale kScales[] = {
    {"US", 1},   {"MS", 1000},   {"SEC", 1000000},  {"HR", 3600000000},
    {"K", 1000}, {"M", 1000000}, {"G", 1000000000}, {"T", 1000000000000},
};

struct ComparisonSymbol {
  std::string_view symbol;
  Comparison comparison;
};

constexpr ComparisonSymbol kComparisons[] = {
    {"=", Comparison::kEqual},   {"<>", Comparison::kNotEqual}, {"<", Comparison::kLess},
    {"<=", Comparison::kAtMost}, {">", Comparison::kGreater},   {">=", Comparison::kAtLeast},
};

absl::StatusOr<std::string> TakeCounter(TokenCursor& cursor) {
  absl::StatusOr<std::string> word = cursor.TakeWord("a counter name");
  if (!word.ok()) return word.status();
  return absl::AsciiStrToUpper(*word);
}

absl::StatusOr<int64_t> TakeValue(TokenCursor& cursor) {
  absl::StatusOr<std::string> word = cursor.TakeWord("a number");
  if (!word.ok()) return word.status();
  int64_t value = 0;
  const char* const end = word->data() + word->size();
  const auto [stopped, error] = std::from_chars(word->data(), end, value);
  if (error == std::errc::result_out_of_range) return measure_errors::NumberTooLarge(*word);
  if (error != std::errc() || stopped != end || value < 0) return measure_errors::NotANumber(*word);
  for (const Scale& scale : kScales) {
    if (!cursor.TakeIfWord(scale.unit)) continue;
    if (value > std::numeric_limits<int64_t>::max() / scale.factor) {
      return measure_errors::NumberTooLarge(*word);
    }
    return value * scale.factor;
  }
  return value;
}

absl::StatusOr<Condition> TakeCondition(TokenCursor& cursor) {
  absl::StatusOr<std::string> counter = TakeCounter(cursor);
  if (!counter.ok()) return counter.status();
  for (const ComparisonSymbol& one : kComparisons) {
    if (!cursor.TakeSymbol(one.symbol)) continue;
    absl::StatusOr<int64_t> value = TakeValue(cursor);
    if (!value.ok()) return value.status();
    return Condition{*std::move(counter), one.comparison, *value};
  }
  return measure_errors::Expected("one of = <> < <= > >=", TokenText(cursor.Peek()));
}

// Index of the next word in `words`, as a value of the enumeration or flag it stands for.
template <typename T>
absl::Status TakeChoice(TokenCursor& cursor, std::string_view kind,
                        absl::Span<const std::string_view> words, std::optional<T>* choice) {
  absl::StatusOr<size_t> index = cursor.TakeKeyword(kind, words);
  if (!index.ok()) return index.status();
  *choice = static_cast<T>(*index);
  return absl::OkStatus();
}

absl::Status TakeFile(TokenCursor& cursor, std::optional<std::string>* path) {
  if (absl::Status s = cursor.ExpectWord("FILE"); !s.ok()) return s;
  absl::StatusOr<std::string> taken = cursor.TakePath("the path of a snapshot");
  if (!taken.ok()) return taken.status();
  *path = *std::move(taken);
  return absl::OkStatus();
}

// Stores a parsed value in the option it belongs to.
template <typename T>
absl::Status Store(absl::StatusOr<T> parsed, std::optional<T>* option) {
  if (!parsed.ok()) return parsed.status();
  *option = *std::move(parsed);
  return absl::OkStatus();
}

template <typename T>
void Lay(const std::optional<T>& over, std::optional<T>* base) {
  if (over) *base = over;
}

enum class Option : uint8_t { kBy, kFrom, kIf, kRate, kTo, kTotals, kZeroReports };
constexpr std::string_view kOptions[] = {"BY", "FROM",   "IF",          "RATE",
                                         "TO", "TOTALS", "ZERO-REPORTS"};
constexpr std::string_view kTotals[] = {"SUPPRESS", "INCLUDE", "ONLY"};  // as Totals
constexpr std::string_view kOffOn[] = {"OFF", "ON"};                     // as bool
constexpr std::string_view kInclude[] = {"SUPPRESS", "INCLUDE"};         // as bool

}  // namespace

ReportOptions Laid(const ReportOptions& over, ReportOptions base) {
  Lay(over.totals, &base.totals);
  Lay(over.zero_reports, &base.zero_reports);
  Lay(over.rate, &base.rate);
  Lay(over.by, &base.by);
  Lay(over.condition, &base.condition);
  Lay(over.from_file, &base.from_file);
  Lay(over.to_file, &base.to_file);
  return base;
}

absl::Status ParseReportOption(TokenCursor& cursor, ReportOptions* options) {
  absl::StatusOr<size_t> option = cursor.TakeKeyword("report option", kOptions);
  if (!option.ok()) return option.status();
  switch (static_cast<Option>(*option)) {
    case Option::kBy:
      return Store(TakeCounter(cursor), &options->by);
    case Option::kFrom:
      return TakeFile(cursor, &options->from_file);
    case Option::kIf:
      return Store(TakeCondition(cursor), &options->condition);
    case Option::kRate:
      return TakeChoice(cursor, "setting of RATE", kOffOn, &options->rate);
    case Option::kTo:
      return TakeFile(cursor, &options->to_file);
    case Option::kTotals:
      return TakeChoice(cursor, "setting of TOTALS", kTotals, &options->totals);
    case Option::kZeroReports:
      return TakeChoice(cursor, "setting of ZERO-REPORTS", kInclude, &options->zero_reports);
  }
  return measure_errors::Expected("a report option", TokenText(cursor.Peek()));
}

absl::StatusOr<ReportOptions> ParseReportOptions(TokenCursor& cursor) {
  ReportOptions options;
  do {
    if (absl::Status s = ParseReportOption(cursor, &options); !s.ok()) return s;
  } while (cursor.TakeSymbol(","));
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return options;
}

std::string_view ReportOptionsUsage() {
  return "  TOTALS SUPPRESS|INCLUDE|ONLY    add a record of all others together, or show it alone\n"
         "  ZERO-REPORTS INCLUDE|SUPPRESS   records whose counters did not move\n"
         "  RATE OFF|ON                     totals, or per second and percent of the window\n"
         "  BY counter                      the highest first\n"
         "  IF counter op value [ unit ]    only these; op is = <> < <= > >=; unit is US MS SEC "
         "HR\n"
         "                                  for times, K M G T for counts; none: us, #, bytes\n"
         "  FROM FILE path, TO FILE path    the window: from a snapshot, to another or to now\n";
}

}  // namespace measure
}  // namespace quire
