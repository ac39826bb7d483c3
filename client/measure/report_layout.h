// What the text report of an entity looks like: headings and which counter stands where.
#ifndef QUIRE_CLIENT_MEASURE_REPORT_LAYOUT_H_
#define QUIRE_CLIENT_MEASURE_REPORT_LAYOUT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quire/measure.h"

namespace quire {
namespace measure {

enum class RowWhen : uint8_t {
  kAlways,
  kNotZero,  // only when one of the row's counters is not zero
};

// Two counters side by side, by their MEASURE names; an empty name leaves its place empty. A
// counter that records do not have prints its label alone, as a zero one does.
struct ReportRow {
  std::string_view left;
  std::string_view right;
  RowWhen when = RowWhen::kAlways;
};

struct ReportSection {
  std::string_view title;
  std::vector<ReportRow> rows;
};

struct ReportLayout {
  std::string_view title;  // "Discopen"
  // Lines, each with its end, that say which entity a record is about.
  std::string (*heading)(const EntityRecord& record);
  std::vector<ReportSection> sections;
};

const ReportLayout& DiscLayout();
const ReportLayout& DiscopenLayout();
const ReportLayout& DiskfileLayout();
const ReportLayout& ProcessLayout();

const ReportLayout& LayoutOf(Entity entity);

// The name a client gave itself, with everything unprintable replaced: it goes to a terminal.
std::string Printable(std::string_view text);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_REPORT_LAYOUT_H_
