#include "client/measure/csv_report.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "client/measure/entity_spec.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

std::vector<std::string> CounterColumns(const std::vector<WindowRecord>& records) {
  std::vector<std::string> names;
  for (const WindowRecord& windowed : records) {
    for (const CounterValue& counter : windowed.record.counters) {
      if (std::find(names.begin(), names.end(), counter.name) == names.end()) {
        names.push_back(counter.name);
      }
    }
  }
  return names;
}

template <typename Number>
std::string EmptyIfZero(Number value) {
  return value == 0 ? "" : StrCat(value);
}

std::string CounterField(const EntityRecord& record, std::string_view name) {
  for (const CounterValue& counter : record.counters) {
    if (counter.name == name) return StrCat(counter.value);
  }
  return "";
}

std::string Line(std::vector<std::string> fields) {
  for (std::string& field : fields) field = CsvField(field);
  return absl::StrJoin(fields, ",") + "\n";
}

std::vector<std::string> IdentityFields(const WindowRecord& windowed) {
  const EntityRecord& record = windowed.record;
  return {std::string(EntityName(record.entity)),
          windowed.is_total ? "total" : "record",
          record.volume,
          windowed.is_total ? "" : RecordFile(record),
          EmptyIfZero(record.open_id),
          record.opener,
          EmptyIfZero(record.opened_us),
          EmptyIfZero(record.closed_us),
          EmptyIfZero(windowed.from_us),
          StrCat(windowed.to_us)};
}

}  // namespace

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::string CsvReport(const std::vector<WindowRecord>& records) {
  const std::vector<std::string> counters = CounterColumns(records);
  std::vector<std::string> header = {"entity", "row",       "volume",    "file",    "open_id",
                                     "opener", "opened_us", "closed_us", "from_us", "to_us"};
  header.insert(header.end(), counters.begin(), counters.end());
  std::string report = Line(std::move(header));
  for (const WindowRecord& windowed : records) {
    std::vector<std::string> fields = IdentityFields(windowed);
    for (const std::string& name : counters) fields.push_back(CounterField(windowed.record, name));
    report += Line(std::move(fields));
  }
  return report;
}

}  // namespace measure
}  // namespace quire
