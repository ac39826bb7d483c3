// The layout of a MEASURE report text in ZMS style.
//
//   Process  Program $DATA01.MEASURE.FORMAT              entity line
//   CPU 00 Pin 45 Interval 0000123                       identity line: carries the key
//   Local System \NODE1 From 17 Dec 2019, 7:37:29 For 32.5 Minutes
//   ------------ Processor -----------------------------------------------------
//   Cpu-Busy-Time                    5.12 sec  Dispatches                  338,323 #
//   …
//   (blank line)
//
// A section rule is 12 hyphens, a blank, the title, a blank and hyphens up to column 76. A row
// holds two items: label, value and unit from column 1, right-aligned to 37, from 39; and from
// column 44, right-aligned to 78, from 80. Trailing blanks are not written. Zero counters are
// blank.
#ifndef QUIRE_CLIENT_BENCH_REPORT_TEXT_H_
#define QUIRE_CLIENT_BENCH_REPORT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace quire {
namespace bench {

inline constexpr size_t kRuleColumns = 76;
inline constexpr size_t kRuleHyphens = 12;

// Columns of an item, counting from 1.
struct ItemColumns {
  size_t label;
  size_t value_end;
  size_t unit;
};
inline constexpr ItemColumns kLeftColumns = {1, 37, 39};
inline constexpr ItemColumns kRightColumns = {44, 78, 80};

// An item to print; an empty value prints the label alone.
struct PrintedItem {
  std::string_view label;
  std::string_view value;
  std::string_view unit;
};

void AppendRule(std::string_view title, std::string* out);
// `right` with an empty label: a row of one item.
void AppendRow(const PrintedItem& left, const PrintedItem& right, std::string* out);

// 338323 -> "338,323".
std::string WithThousands(uint64_t count);
// 512 -> "5.12".
std::string Hundredths(uint64_t hundredths);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_REPORT_TEXT_H_
