#include "client/bench/scale/scale_figures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "client/bench/errors.h"

namespace quire {
namespace bench {
namespace {

using Json = nlohmann::ordered_json;

// Calls visit(name, member) for every member: one list for both directions.
template <typename Figures, typename Visit>
void VisitLoad(Figures& figures, Visit visit) {
  visit("records", figures.records);
  visit("record_bytes", figures.record_bytes);
  visit("answered_s", figures.answered_s);
  visit("placed_s", figures.placed_s);
  visit("cpu_s", figures.cpu_s);
  visit("written_bytes", figures.written_bytes);
  visit("disc_bytes", figures.disc_bytes);
  visit("memory_bytes", figures.memory_bytes);
  visit("memory_limit_bytes", figures.memory_limit_bytes);
  visit("refresh_s", figures.refresh_s);
  visit("control_points", figures.control_points);
  visit("control_point_ms", figures.control_point_ms);
  visit("stall_read_ms", figures.stall_read_ms);
  visit("stall_write_ms", figures.stall_write_ms);
  visit("stall_audit_ms", figures.stall_audit_ms);
  visit("stall_load_ms", figures.stall_load_ms);
  visit("p99_read_ms", figures.p99_read_ms);
  visit("p99_write_ms", figures.p99_write_ms);
  visit("p99_audit_ms", figures.p99_audit_ms);
  visit("probes", figures.probes);
  visit("cached_read_us", figures.cached_read_us);
  visit("scan_us", figures.scan_us);
  visit("unplaced_records", figures.unplaced_records);
}

template <typename Figures, typename Visit>
void VisitReopen(Figures& figures, Visit visit) {
  visit("open_s", figures.open_s);
  visit("recovery_s", figures.recovery_s);
  visit("replayed_records", figures.replayed_records);
  visit("uncached_read_us", figures.uncached_read_us);
  visit("pread_us", figures.pread_us);
  visit("scan_us", figures.scan_us);
  visit("index_levels", figures.index_levels);
}

// Reads a member, and nothing of another type.
class MemberReader {
 public:
  explicit MemberReader(const Json& json) : json_(json) {}

  template <typename Value>
  void operator()(const char* name, Value& value) {
    if (!json_.is_object() || !json_.contains(name)) {
      whole_ = false;
      return;
    }
    try {
      json_.at(name).get_to(value);
    } catch (const Json::exception&) {
      whole_ = false;
    }
  }
  bool whole() const { return whole_; }

 private:
  const Json& json_;
  bool whole_ = true;
};

absl::Status Damaged() {
  return DamagedMeasurements("a step's figures", "something is missing or of another type");
}

}  // namespace

double LoadFigures::longest_stall_ms() const {
  return std::max({stall_read_ms, stall_write_ms, stall_audit_ms, stall_load_ms});
}

std::string EncodeLoad(const LoadFigures& figures) {
  Json json;
  VisitLoad(figures, [&json](const char* name, const auto& value) { json[name] = value; });
  return json.dump(2) + "\n";
}

std::string EncodeReopen(const ReopenFigures& figures) {
  Json json;
  VisitReopen(figures, [&json](const char* name, const auto& value) { json[name] = value; });
  return json.dump(2) + "\n";
}

absl::StatusOr<LoadFigures> DecodeLoad(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  LoadFigures figures;
  MemberReader reader(json);
  VisitLoad(figures, [&reader](const char* name, auto& value) { reader(name, value); });
  if (!reader.whole()) return Damaged();
  return figures;
}

absl::StatusOr<ReopenFigures> DecodeReopen(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  ReopenFigures figures;
  MemberReader reader(json);
  VisitReopen(figures, [&reader](const char* name, auto& value) { reader(name, value); });
  if (!reader.whole()) return Damaged();
  return figures;
}

}  // namespace bench
}  // namespace quire
