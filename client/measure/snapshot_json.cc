#include "client/measure/snapshot_json.h"

#include <iterator>
#include <string>
#include <utility>

#include "client/measure/entity_spec.h"
#include "client/measure/errors.h"
#include "client/measure/snapshot_file.h"
#include "nlohmann/json.hpp"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kFormat[] = "quire-snapshot";

struct KindName {
  CounterKind kind;
  std::string_view name;
};
constexpr KindName kKinds[] = {
    {CounterKind::kIncrementing, "incrementing"},
    {CounterKind::kAccumulating, "accumulating"},
    {CounterKind::kBusy, "busy"},
    {CounterKind::kMax, "max"},
    {CounterKind::kSnapshot, "snapshot"},
};

std::string KindText(CounterKind kind) {
  for (const KindName& one : kKinds) {
    if (one.kind == kind) return std::string(one.name);
  }
  return "";
}

Json RecordToJson(const EntityRecord& record) {
  Json json = {{"entity", std::string(EntityName(record.entity))}};
  if (IsFileEntity(record.entity)) json["file"] = record.file.ToString();
  json["open_id"] = record.open_id;
  json["opener"] = record.opener;
  json["opened_us"] = record.opened_us;
  json["closed_us"] = record.closed_us;
  json["counters"] = Json::array();
  for (const CounterValue& counter : record.counters) {
    json["counters"].push_back({{"name", counter.name},
                                {"kind", KindText(counter.kind)},
                                {"unit", counter.unit},
                                {"value", counter.value}});
  }
  return json;
}

// Takes members out of JSON values and remembers the first that is missing or of another type.
class Reader {
 public:
  std::string Text(const Json& json, const char* name) {
    const Json* member = Find(json, name);
    if (member == nullptr || !member->is_string()) return Fail<std::string>(name, "text");
    return *member->get_ptr<const Json::string_t*>();
  }

  template <typename Number>
  Number Integer(const Json& json, const char* name) {
    const Json* member = Find(json, name);
    if (member == nullptr || !member->is_number_integer()) return Fail<Number>(name, "a number");
    // Positive numbers are kept unsigned, so that one above the signed range would change its sign.
    if (member->is_number_unsigned()) {
      const uint64_t value = *member->get_ptr<const uint64_t*>();
      if (!std::in_range<Number>(value)) return Fail<Number>(name, "a number that fits");
      return static_cast<Number>(value);
    }
    const int64_t value = *member->get_ptr<const int64_t*>();
    if (!std::in_range<Number>(value)) return Fail<Number>(name, "a number that fits");
    return static_cast<Number>(value);
  }

  const Json& List(const Json& json, const char* name) {
    static const Json* const empty = new Json(Json::array());
    const Json* member = Find(json, name);
    if (member != nullptr && member->is_array()) return *member;
    Fail<bool>(name, "a list");
    return *empty;
  }

  template <typename Value>
  Value Fail(std::string_view name, std::string_view wanted) {
    if (fault_.empty()) fault_ = StrCat("\"", name, "\" is not ", wanted);
    return Value();
  }

  const std::string& fault() const { return fault_; }

 private:
  static const Json* Find(const Json& json, const char* name) {
    if (!json.is_object()) return nullptr;
    const auto found = json.find(name);
    return found == json.end() ? nullptr : &*found;
  }

  std::string fault_;
};

CounterValue CounterFromJson(const Json& json, Reader& reader) {
  CounterValue counter;
  counter.name = reader.Text(json, "name");
  counter.unit = reader.Text(json, "unit");
  counter.value = reader.Integer<int64_t>(json, "value");
  const std::string kind = reader.Text(json, "kind");
  for (const KindName& one : kKinds) {
    if (one.name != kind) continue;
    counter.kind = one.kind;
    return counter;
  }
  reader.Fail<bool>("kind", "a kind of counter");
  return counter;
}

EntityRecord RecordFromJson(const Json& json, const std::string& volume, Reader& reader) {
  EntityRecord record;
  record.volume = volume;
  const std::string entity = reader.Text(json, "entity");
  size_t index = 0;
  while (index < EntityNames().size() && EntityNames()[index] != entity) ++index;
  if (index == EntityNames().size()) {
    reader.Fail<bool>("entity", "an entity");
    return record;
  }
  record.entity = EntityAt(index);
  if (IsFileEntity(record.entity)) {
    absl::StatusOr<FileName> file = ParseFileName(reader.Text(json, "file"));
    if (!file.ok()) reader.Fail<bool>("file", "a file name");
    if (file.ok()) record.file = *std::move(file);
  }
  record.open_id = reader.Integer<uint64_t>(json, "open_id");
  record.opener = reader.Text(json, "opener");
  record.opened_us = reader.Integer<int64_t>(json, "opened_us");
  record.closed_us = reader.Integer<int64_t>(json, "closed_us");
  for (const Json& counter : reader.List(json, "counters")) {
    record.counters.push_back(CounterFromJson(counter, reader));
  }
  return record;
}

VolumeSnapshot VolumeFromJson(const Json& json, Reader& reader) {
  VolumeSnapshot volume;
  volume.volume = reader.Text(json, "volume");
  volume.epoch = reader.Integer<uint64_t>(json, "epoch");
  volume.time_us = reader.Integer<int64_t>(json, "time_us");
  for (const Json& record : reader.List(json, "records")) {
    volume.records.push_back(RecordFromJson(record, volume.volume, reader));
    if (!reader.fault().empty()) break;
  }
  return volume;
}

}  // namespace

nlohmann::ordered_json SnapshotToJson(const MeasureSnapshot& snapshot) {
  Json json = {{"format", kFormat}, {"version", kSnapshotFileVersion}};
  json["volumes"] = Json::array();
  for (const VolumeSnapshot& volume : snapshot.volumes) {
    Json one = {{"volume", volume.volume}, {"epoch", volume.epoch}, {"time_us", volume.time_us}};
    one["records"] = Json::array();
    for (const EntityRecord& record : volume.records)
      one["records"].push_back(RecordToJson(record));
    json["volumes"].push_back(std::move(one));
  }
  return json;
}

absl::StatusOr<MeasureSnapshot> SnapshotFromJson(const nlohmann::ordered_json& json,
                                                 std::string_view path) {
  Reader reader;
  if (reader.Text(json, "format") != kFormat) {
    return measure_errors::NotASnapshot(path, StrCat("its \"format\" is not ", kFormat));
  }
  const int64_t version = reader.Integer<int64_t>(json, "version");
  if (reader.fault().empty() && version > kSnapshotFileVersion) {
    return measure_errors::NotASnapshot(path, StrCat("it has version ", version,
                                                     ", made by a newer "
                                                     "MEASCOM"));
  }
  MeasureSnapshot snapshot;
  for (const Json& volume : reader.List(json, "volumes")) {
    snapshot.volumes.push_back(VolumeFromJson(volume, reader));
    if (!reader.fault().empty()) break;
  }
  if (!reader.fault().empty()) return measure_errors::NotASnapshot(path, reader.fault());
  return snapshot;
}

}  // namespace measure
}  // namespace quire
