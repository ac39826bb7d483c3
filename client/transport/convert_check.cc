#include "client/transport/convert_check.h"

#include <utility>

#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"

namespace quire {
namespace {

void LevelToProto(const LevelStatistics& level, v1::LevelStatistics* out) {
  out->set_level(level.level);
  out->set_blocks(level.blocks);
  out->set_records(level.records);
  out->set_free_bytes(level.free_bytes);
}

void PartitionToProto(const PartitionCheck& check, v1::PartitionCheck* out) {
  ToProto(check.file, out->mutable_file());
  out->set_partition(check.partition);
  if (!check.status.ok()) ToProto(check.status, out->mutable_error());
  for (const LevelStatistics& level : check.levels) LevelToProto(level, out->add_levels());
  out->set_block_bytes(check.block_bytes);
  out->set_bitmap_blocks(check.bitmap_blocks);
  out->set_unused_blocks(check.unused_blocks);
  out->set_lsn(check.lsn);
}

PartitionCheck PartitionFromProto(const v1::PartitionCheck& in) {
  PartitionCheck check;
  check.file = FromProto(in.file());
  check.partition = in.partition();
  if (in.has_error()) check.status = FromProto(in.error());
  for (const v1::LevelStatistics& level : in.levels()) {
    check.levels.push_back({level.level(), level.blocks(), level.records(), level.free_bytes()});
  }
  check.block_bytes = in.block_bytes();
  check.bitmap_blocks = in.bitmap_blocks();
  check.unused_blocks = in.unused_blocks();
  check.lsn = in.lsn();
  return check;
}

}  // namespace

void ToProto(const std::vector<PartitionCheck>& checks, v1::CheckResponse* out) {
  for (const PartitionCheck& check : checks) PartitionToProto(check, out->add_partitions());
}

std::vector<PartitionCheck> FromProto(const v1::CheckResponse& in) {
  std::vector<PartitionCheck> checks;
  for (const v1::PartitionCheck& one : in.partitions()) checks.push_back(PartitionFromProto(one));
  return checks;
}

}  // namespace quire
