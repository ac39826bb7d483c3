#include "client/measure/text_report.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/measure/errors.h"
#include "client/measure/report_layout.h"
#include "client/measure/value_text.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

constexpr size_t kRuleColumns = 76;
constexpr size_t kRuleHyphens = 12;

// Columns of an item, counted from 1. The second is narrower, so that a line has 80 columns with
// the unit "#".
struct ItemColumns {
  size_t label;
  size_t value_end;
  size_t unit;
};
constexpr ItemColumns kFirstItem = {1, 37, 39};
constexpr ItemColumns kSecondItem = {44, 78, 80};

// Words of counter names that are abbreviations and keep their capitals.
constexpr std::string_view kCapitals[] = {"DBIO", "EOF", "SQL"};
// Values that identify something and so are printed when they are 0, too.
constexpr std::string_view kPrintedWhenZero[] = {"IPU-NUM"};

template <size_t kSize>
bool IsIn(const std::string_view (&names)[kSize], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

const CounterValue* FindCounter(const EntityRecord& record, std::string_view name) {
  for (const CounterValue& counter : record.counters) {
    if (counter.name == name) return &counter;
  }
  return nullptr;
}

std::string Rule(std::string_view title) {
  std::string rule = StrCat(std::string(kRuleHyphens, '-'), " ", title, " ");
  rule.resize(std::max(rule.size(), kRuleColumns), '-');
  return rule + "\n";
}

// Draws one record.
class Drawing {
 public:
  Drawing(const WindowRecord& windowed, const TextReportOptions& options)
      : windowed_(windowed), options_(options), layout_(LayoutOf(windowed.record.entity)) {}

  std::string Draw() {
    text_ = windowed_.is_total ? TotalHeading() : layout_.heading(windowed_.record);
    DrawWindow();
    for (const ReportSection& section : layout_.sections) DrawSection(section);
    DrawOther();
    return std::move(text_);
  }

 private:
  std::string TotalHeading() const {
    return StrCat(layout_.title, " Totals  ",
                  CountText(static_cast<int64_t>(windowed_.added_up)).value,
                  windowed_.added_up == 1 ? " record\n" : " records\n");
  }

  void DrawWindow() {
    const std::string& node = windowed_.record.file.node;
    StrAppend(&text_, "Local System ", node.empty() ? options_.system : node);
    if (windowed_.from_us == 0) {
      StrAppend(&text_, " From Start Of Volume To ",
                MomentText(windowed_.to_us, options_.time_zone), "\n");
      return;
    }
    StrAppend(&text_, " From ", MomentText(windowed_.from_us, options_.time_zone), " For ",
              DurationText(windowed_.LengthMicros()), "\n");
  }

  void DrawSection(const ReportSection& section) {
    std::string rows;
    for (const ReportRow& row : section.rows) {
      const bool moved = IsNotZero(row.left) || IsNotZero(row.right);
      if (row.when == RowWhen::kAlways || moved) rows += Row(row.left, row.right);
    }
    if (!rows.empty()) StrAppend(&text_, Rule(section.title), rows);
  }

  // A counter newer than this program must not go unseen.
  void DrawOther() {
    std::set<std::string_view> placed;
    for (const ReportSection& section : layout_.sections) {
      for (const ReportRow& row : section.rows) placed.insert({row.left, row.right});
    }
    ReportSection other{"Other", {}};
    for (const CounterValue& counter : windowed_.record.counters) {
      if (placed.contains(counter.name) || counter.value == 0) continue;
      if (other.rows.empty() || !other.rows.back().right.empty()) {
        other.rows.push_back({counter.name, ""});
      } else {
        other.rows.back().right = counter.name;
      }
    }
    DrawSection(other);
  }

  bool IsNotZero(std::string_view name) const { return windowed_.record.Value(name) != 0; }

  std::string Row(std::string_view left, std::string_view right) const {
    std::string row;
    AppendItem(left, kFirstItem, &row);
    if (!right.empty()) AppendItem(right, kSecondItem, &row);
    return row + "\n";
  }

  void AppendItem(std::string_view name, const ItemColumns& columns, std::string* row) const {
    if (name.empty()) return;
    row->resize(std::max(row->size(), columns.label - 1), ' ');
    StrAppend(row, CounterLabel(name));
    const CounterValue* counter = FindCounter(windowed_.record, name);
    if (counter == nullptr || (counter->value == 0 && !IsIn(kPrintedWhenZero, name))) return;
    const PrintedValue printed =
        CounterText(*counter, windowed_.record, options_.rate, windowed_.LengthMicros());
    const size_t used = row->size() + printed.value.size();
    row->append(columns.value_end > used ? columns.value_end - used : 1, ' ');
    StrAppend(row, printed.value);
    row->resize(std::max(row->size() + 1, columns.unit - 1), ' ');
    StrAppend(row, printed.unit);
  }

  const WindowRecord& windowed_;
  const TextReportOptions& options_;
  const ReportLayout& layout_;
  std::string text_;
};

}  // namespace

std::string CounterLabel(std::string_view counter) {
  std::vector<std::string> words = absl::StrSplit(ToAbsl(counter), '-');
  for (std::string& word : words) {
    if (IsIn(kCapitals, word)) continue;
    absl::AsciiStrToLower(&word);
    if (!word.empty()) word.front() = absl::ascii_toupper(static_cast<unsigned char>(word.front()));
  }
  return absl::StrJoin(words, "-");
}

absl::StatusOr<std::string> TextReport(const std::vector<WindowRecord>& records,
                                       const TextReportOptions& options) {
  std::string report;
  for (const WindowRecord& windowed : records) {
    if (options.rate && windowed.LengthMicros() == 0) {
      return measure_errors::RateNeedsWindow(
          StrCat(LayoutOf(windowed.record.entity).title, " ", windowed.record.volume));
    }
    if (!report.empty()) report += "\n";
    report += Drawing(windowed, options).Draw();
  }
  return report;
}

}  // namespace measure
}  // namespace quire
