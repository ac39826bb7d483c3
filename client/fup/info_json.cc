#include "absl/strings/escaping.h"
#include "client/fup/attribute_text.h"
#include "client/fup/listing.h"
#include "nlohmann/json.hpp"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

nlohmann::json ExtentsJson(const ExtentSizes& extents) {
  return {{"primary_pages", extents.primary_pages}, {"secondary_pages", extents.secondary_pages}};
}

nlohmann::json PartitionJson(uint32_t number, const PartitionSpec& partition) {
  nlohmann::json json = {{"partition", number},
                         {"volume", partition.volume},
                         {"extents", ExtentsJson(partition.extents)},
                         {"partial_key_hex", absl::BytesToHexString(partition.partial_key)}};
  // JSON text is Unicode; a key of any other bytes has its hexadecimal form only.
  if (IsPrintable(partition.partial_key)) json["partial_key"] = partition.partial_key;
  return json;
}

}  // namespace

nlohmann::json ErrorJson(const absl::Status& status) {
  return {{"number", static_cast<int32_t>(NumberOf(status))},
          {"name", std::string(ErrorName(NumberOf(status)))},
          {"message", std::string(ToStd(status.message()))}};
}

nlohmann::json FileInfoJson(const FileInfo& info) {
  const FileAttributes& a = info.attributes;
  return {{"name", info.name.ToString()},
          {"partition", info.partition},
          {"primary_volume", info.primary_volume},
          {"type", std::string(1, a.type)},
          {"format", a.format},
          {"code", a.code},
          {"extents",
           ExtentsJson(PartitionCount(a) > info.partition ? PartitionExtents(a, info.partition)
                                                          : a.extents)},
          {"max_extents", a.max_extents},
          {"record_bytes", a.record_bytes},
          {"block_bytes", a.block_bytes},
          {"key_length", a.key_length},
          {"key_offset", a.key_offset},
          {"lock_length", a.lock_length},
          {"buffered", a.buffered},
          {"audit", a.audit},
          {"lookaside", std::string(LookasideName(a.lookaside))},
          {"owner_group", info.owner_group},
          {"owner_user", info.owner_user},
          {"security", info.security},
          {"created_us", info.created_us},
          {"modified_us", info.modified_us},
          {"last_open_us", info.last_open_us},
          {"eof_bytes", info.eof_bytes},
          {"free_blocks", info.free_blocks},
          {"record_count", info.record_count},
          {"extents_allocated", info.extents_allocated},
          {"index_levels", info.index_levels},
          {"label_bytes", info.label_bytes},
          {"open_count", info.open_count},
          {"pending", info.pending},
          {"bad", info.bad}};
}

nlohmann::json DescriptionJson(const FileDescription& description) {
  nlohmann::json json = FileInfoJson(description.primary);
  const FileAttributes& a = description.primary.attributes;
  if (description.primary.partition > 0 || a.partitions.empty()) return json;
  uint64_t aggregate = description.primary.eof_bytes;
  bool complete = description.secondaries.size() == a.partitions.size();
  nlohmann::json partitions = nlohmann::json::array();
  for (size_t i = 0; i < a.partitions.size(); ++i) {
    nlohmann::json part = PartitionJson(static_cast<uint32_t>(i) + 1, a.partitions[i]);
    if (i < description.secondaries.size()) {
      const absl::StatusOr<FileInfo>& secondary = description.secondaries[i];
      if (secondary.ok()) {
        part["info"] = FileInfoJson(*secondary);
        aggregate += secondary->eof_bytes;
      } else {
        complete = false;
        part["error"] = ErrorJson(secondary.status());
      }
    }
    partitions.push_back(std::move(part));
  }
  json["partitions"] = std::move(partitions);
  if (complete) json["aggregate_eof_bytes"] = aggregate;
  return json;
}

std::string JsonText(const nlohmann::json& json) {
  return json.dump(2, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

}  // namespace quire
