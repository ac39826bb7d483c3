#include "client/bench/csv_line.h"

namespace quire {
namespace bench {
namespace {

constexpr std::string_view kEmptyFields = ",,,";

}  // namespace

void AppendCsvLine(const ReportBlock& block, std::string* out) {
  out->append(kEmptyFields);
  for (const ReportItem& item : block.items) {
    if (item.value.empty()) {
      out->append(kEmptyFields);
      continue;
    }
    out->append(item.label);
    out->push_back(',');
    for (char c : item.value) out->push_back(c == ',' ? '.' : c);
    out->push_back(',');
  }
}

}  // namespace bench
}  // namespace quire
