#include "client/measure/selection.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "client/command/keyword.h"
#include "client/measure/entity_spec.h"
#include "client/measure/errors.h"

namespace quire {
namespace measure {
namespace {

constexpr std::string_view kNotAdditive[] = {"IPU-NUM", "CURRENT-PRIORITY-END",
                                             "OLDEST-SNAPSHOT-AGE"};

// All records of a window are of one entity and have the same counters.
absl::Status CheckCounter(const std::vector<WindowRecord>& records, std::string_view name) {
  if (records.empty()) return absl::OkStatus();
  const EntityRecord& record = records.front().record;
  std::vector<std::string_view> names;
  for (const CounterValue& counter : record.counters) {
    if (counter.name == name) return absl::OkStatus();
    names.push_back(counter.name);
  }
  return measure_errors::UnknownCounter(name, EntityName(record.entity),
                                        NearestWord(name, names).value_or(""));
}

bool Holds(const Condition& condition, int64_t value) {
  switch (condition.comparison) {
    case Comparison::kEqual:
      return value == condition.value;
    case Comparison::kNotEqual:
      return value != condition.value;
    case Comparison::kLess:
      return value < condition.value;
    case Comparison::kAtMost:
      return value <= condition.value;
    case Comparison::kGreater:
      return value > condition.value;
    case Comparison::kAtLeast:
      return value >= condition.value;
  }
  return false;
}

// Values of a moment, such as EOF, say nothing about whether anything happened.
bool Moved(const WindowRecord& windowed) {
  return std::any_of(windowed.record.counters.begin(), windowed.record.counters.end(),
                     [](const CounterValue& counter) {
                       return counter.kind != CounterKind::kSnapshot && counter.value != 0;
                     });
}

WindowRecord TotalOf(const std::vector<WindowRecord>& records) {
  WindowRecord total;
  total.is_total = true;
  total.added_up = records.size();
  total.from_us = records.front().from_us;
  std::vector<EntityRecord> parts;
  for (const WindowRecord& windowed : records) {
    total.from_us = std::min(total.from_us, windowed.from_us);
    total.to_us = std::max(total.to_us, windowed.to_us);
    parts.push_back(windowed.record);
  }
  total.record = Sum(parts);
  std::erase_if(total.record.counters, [](const CounterValue& counter) {
    return std::find(std::begin(kNotAdditive), std::end(kNotAdditive), counter.name) !=
           std::end(kNotAdditive);
  });
  return total;
}

}  // namespace

absl::StatusOr<std::vector<WindowRecord>> Select(std::vector<WindowRecord> records,
                                                 const ReportOptions& options) {
  if (options.condition) {
    const Condition& condition = *options.condition;
    if (absl::Status s = CheckCounter(records, condition.counter); !s.ok()) return s;
    std::erase_if(records, [&](const WindowRecord& windowed) {
      return !Holds(condition, windowed.record.Value(condition.counter));
    });
  }
  if (options.by) {
    if (absl::Status s = CheckCounter(records, *options.by); !s.ok()) return s;
    std::stable_sort(records.begin(), records.end(),
                     [&](const WindowRecord& a, const WindowRecord& b) {
                       return a.record.Value(*options.by) > b.record.Value(*options.by);
                     });
  }
  if (!options.zero_reports.value_or(true)) {
    std::erase_if(records, [](const WindowRecord& windowed) { return !Moved(windowed); });
  }
  const Totals totals = options.totals.value_or(Totals::kSuppress);
  if (totals == Totals::kSuppress || records.empty()) return records;
  WindowRecord total = TotalOf(records);
  if (totals == Totals::kOnly) records.clear();
  records.push_back(std::move(total));
  return records;
}

}  // namespace measure
}  // namespace quire
