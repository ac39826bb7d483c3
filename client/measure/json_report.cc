#include "client/measure/json_report.h"

#include <string_view>

#include "client/measure/entity_spec.h"
#include "nlohmann/json.hpp"

namespace quire {
namespace measure {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kIndent = 2;

Json NullIfEmpty(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

template <typename Number>
Json NullIfZero(Number value) {
  return value == 0 ? Json(nullptr) : Json(value);
}

Json RecordJson(const WindowRecord& windowed) {
  const EntityRecord& record = windowed.record;
  Json counters = Json::object();
  for (const CounterValue& counter : record.counters) counters[counter.name] = counter.value;
  return {{"entity", std::string(EntityName(record.entity))},
          {"row", windowed.is_total ? "total" : "record"},
          {"volume", NullIfEmpty(record.volume)},
          {"file", NullIfEmpty(windowed.is_total ? "" : RecordFile(record))},
          {"open_id", NullIfZero(record.open_id)},
          {"opener", NullIfEmpty(record.opener)},
          {"opened_us", NullIfZero(record.opened_us)},
          {"closed_us", NullIfZero(record.closed_us)},
          {"from_us", NullIfZero(windowed.from_us)},
          {"to_us", windowed.to_us},
          {"counters", std::move(counters)}};
}

}  // namespace

std::string JsonReport(const std::vector<WindowRecord>& records) {
  Json list = Json::array();
  for (const WindowRecord& windowed : records) list.push_back(RecordJson(windowed));
  return list.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace measure
}  // namespace quire
