#include "client/bench/report_text.h"

#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

void PadTo(size_t line_start, size_t columns, std::string* out) {
  const size_t used = out->size() - line_start;
  if (used < columns) out->append(columns - used, ' ');
}

void AppendItem(const PrintedItem& item, const ItemColumns& columns, size_t line_start,
                std::string* out) {
  PadTo(line_start, columns.label - 1, out);
  out->append(item.label);
  if (item.value.empty()) return;
  const size_t used = out->size() - line_start + item.value.size();
  out->append(used < columns.value_end ? columns.value_end - used : 1, ' ');
  out->append(item.value);
  PadTo(line_start, columns.unit - 1, out);
  out->append(item.unit);
}

}  // namespace

void AppendRule(std::string_view title, std::string* out) {
  const size_t line_start = out->size();
  out->append(kRuleHyphens, '-');
  StrAppend(out, " ", title, " ");
  const size_t used = out->size() - line_start;
  out->append(used < kRuleColumns ? kRuleColumns - used : 1, '-');
  out->push_back('\n');
}

void AppendRow(const PrintedItem& left, const PrintedItem& right, std::string* out) {
  const size_t line_start = out->size();
  AppendItem(left, kLeftColumns, line_start, out);
  if (!right.label.empty()) AppendItem(right, kRightColumns, line_start, out);
  out->push_back('\n');
}

std::string WithThousands(uint64_t count) {
  std::string digits = StrCat(count);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string Hundredths(uint64_t hundredths) {
  const uint64_t rest = hundredths % 100;
  return StrCat(hundredths / 100, rest < 10 ? ".0" : ".", rest);
}

}  // namespace bench
}  // namespace quire
