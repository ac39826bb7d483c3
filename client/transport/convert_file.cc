#include "client/transport/convert_file.h"

#include <algorithm>
#include <utility>

#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/errors.h"
#include "quire/limits.h"

namespace quire {
namespace {

void ExtentsToProto(const ExtentSizes& extents, v1::ExtentSizes* out) {
  out->set_primary_pages(extents.primary_pages);
  out->set_secondary_pages(extents.secondary_pages);
}

ExtentSizes ExtentsFromProto(const v1::ExtentSizes& in) {
  return ExtentSizes{in.primary_pages(), in.secondary_pages()};
}

v1::Lookaside LookasideToProto(Lookaside lookaside) {
  switch (lookaside) {
    case Lookaside::kNoFreeze:
      return v1::LOOKASIDE_NOFREEZE;
    case Lookaside::kFreeze:
      return v1::LOOKASIDE_FREEZE;
    case Lookaside::kOff:
      break;
  }
  return v1::LOOKASIDE_OFF;
}

// Nothing for UNSPECIFIED.
absl::StatusOr<std::optional<Lookaside>> LookasideFromProto(v1::Lookaside lookaside) {
  switch (lookaside) {
    case v1::LOOKASIDE_UNSPECIFIED:
      return std::optional<Lookaside>();
    case v1::LOOKASIDE_OFF:
      return std::optional<Lookaside>(Lookaside::kOff);
    case v1::LOOKASIDE_NOFREEZE:
      return std::optional<Lookaside>(Lookaside::kNoFreeze);
    case v1::LOOKASIDE_FREEZE:
      return std::optional<Lookaside>(Lookaside::kFreeze);
    default:
      return transport_errors::UnknownEnumerator("lookaside", lookaside);
  }
}

}  // namespace

void ToProto(const FileAttributes& attributes, v1::FileAttributes* out) {
  out->set_type(WireText(std::string(1, attributes.type)));
  out->set_format(attributes.format);
  out->set_code(attributes.code);
  ExtentsToProto(attributes.extents, out->mutable_extents());
  out->set_max_extents(attributes.max_extents);
  out->set_record_bytes(attributes.record_bytes);
  out->set_block_bytes(attributes.block_bytes);
  out->set_key_length(attributes.key_length);
  out->set_key_offset(attributes.key_offset);
  out->set_lock_length(attributes.lock_length);
  out->set_buffered(attributes.buffered);
  out->set_audit(attributes.audit);
  out->set_lookaside(LookasideToProto(attributes.lookaside));
  for (const PartitionSpec& partition : attributes.partitions) {
    v1::Partition* one = out->add_partitions();
    one->set_volume(WireText(partition.volume));
    ExtentsToProto(partition.extents, one->mutable_extents());
    one->set_partial_key(partition.partial_key);
  }
}

absl::StatusOr<FileAttributes> FromProto(const v1::FileAttributes& in) {
  FileAttributes attributes;
  if (in.type().size() > 1) {
    return MakeError(ErrorNumber::kInvalidOperation,
                     "TYPE has more than one letter; K is the only type there is");
  }
  if (!in.type().empty()) attributes.type = in.type().front();
  attributes.format = in.format();
  attributes.code = in.code();
  if (in.has_extents()) attributes.extents = ExtentsFromProto(in.extents());
  if (in.has_max_extents()) attributes.max_extents = in.max_extents();
  if (in.has_record_bytes()) attributes.record_bytes = in.record_bytes();
  if (in.has_block_bytes()) attributes.block_bytes = in.block_bytes();
  attributes.key_length = in.key_length();
  attributes.key_offset = in.key_offset();
  attributes.lock_length = in.lock_length();
  attributes.buffered = in.buffered();
  attributes.audit = in.audit();
  const absl::StatusOr<std::optional<Lookaside>> lookaside = LookasideFromProto(in.lookaside());
  if (!lookaside.ok()) return lookaside.status();
  attributes.lookaside = lookaside->value_or(Lookaside::kOff);
  for (const v1::Partition& one : in.partitions()) {
    PartitionSpec partition;
    partition.volume = one.volume();
    if (one.has_extents()) partition.extents = ExtentsFromProto(one.extents());
    partition.partial_key = one.partial_key();
    attributes.partitions.push_back(std::move(partition));
  }
  return attributes;
}

void ToProto(const FileInfo& info, v1::FileInfo* out) {
  ToProto(info.name, out->mutable_name());
  ToProto(info.attributes, out->mutable_attributes());
  out->set_partition(info.partition);
  out->set_primary_volume(WireText(info.primary_volume));
  out->set_create_id(info.create_id);
  out->set_pending(info.pending);
  out->set_confirmed(info.confirmed);
  out->set_owner_group(info.owner_group);
  out->set_owner_user(info.owner_user);
  out->set_security(WireText(info.security));
  out->set_created_us(info.created_us);
  out->set_modified_us(info.modified_us);
  out->set_last_open_us(info.last_open_us);
  out->set_eof_bytes(info.eof_bytes);
  out->set_free_blocks(info.free_blocks);
  out->set_record_count(info.record_count);
  out->set_extents_allocated(info.extents_allocated);
  out->set_index_levels(info.index_levels);
  out->set_label_bytes(info.label_bytes);
  out->set_open_count(info.open_count);
  out->set_bad(info.bad);
}

absl::StatusOr<FileInfo> FromProto(const v1::FileInfo& in) {
  absl::StatusOr<FileAttributes> attributes = FromProto(in.attributes());
  if (!attributes.ok()) return attributes.status();
  FileInfo info;
  info.name = FromProto(in.name());
  info.attributes = *std::move(attributes);
  info.partition = in.partition();
  info.primary_volume = in.primary_volume();
  info.create_id = in.create_id();
  info.pending = in.pending();
  info.confirmed = in.confirmed();
  info.owner_group = in.owner_group();
  info.owner_user = in.owner_user();
  info.security = in.security();
  info.created_us = in.created_us();
  info.modified_us = in.modified_us();
  info.last_open_us = in.last_open_us();
  info.eof_bytes = in.eof_bytes();
  info.free_blocks = in.free_blocks();
  info.record_count = in.record_count();
  info.extents_allocated = in.extents_allocated();
  info.index_levels = in.index_levels();
  info.label_bytes = in.label_bytes();
  info.open_count = in.open_count();
  info.bad = in.bad();
  return info;
}

void ToProto(const FileDescription& description, v1::InfoResponse* out) {
  ToProto(description.primary, out->mutable_primary());
  for (const absl::StatusOr<FileInfo>& secondary : description.secondaries) {
    v1::SecondaryInfo* one = out->add_secondaries();
    if (secondary.ok()) {
      ToProto(*secondary, one->mutable_info());
    } else {
      ToProto(secondary.status(), one->mutable_error());
    }
  }
}

absl::StatusOr<FileDescription> FromProto(const v1::InfoResponse& in) {
  absl::StatusOr<FileInfo> primary = FromProto(in.primary());
  if (!primary.ok()) return primary.status();
  FileDescription description;
  description.primary = *std::move(primary);
  for (const v1::SecondaryInfo& one : in.secondaries()) {
    if (one.has_error()) {
      description.secondaries.push_back(FromProto(one.error()));
    } else {
      description.secondaries.push_back(FromProto(one.info()));
    }
  }
  return description;
}

void ToProto(const CreateRequest& request, v1::CreateRequest* out) {
  ToProto(request.name, out->mutable_name());
  ToProto(request.attributes, out->mutable_attributes());
  if (request.owner_group) out->set_owner_group(*request.owner_group);
  if (request.owner_user) out->set_owner_user(*request.owner_user);
  out->set_security(WireText(request.security));
  out->set_partition_only(request.partition_only);
  out->set_partition(request.partition);
  out->set_primary_volume(WireText(request.primary_volume));
  out->set_create_id(request.create_id);
}

absl::StatusOr<CreateRequest> FromProto(const v1::CreateRequest& in) {
  absl::StatusOr<FileName> name = CheckedFileName(in.name());
  if (!name.ok()) return name.status();
  absl::StatusOr<FileAttributes> attributes = FromProto(in.attributes());
  if (!attributes.ok()) return attributes.status();
  CreateRequest request;
  request.name = *std::move(name);
  request.attributes = *std::move(attributes);
  if (in.has_owner_group()) request.owner_group = in.owner_group();
  if (in.has_owner_user()) request.owner_user = in.owner_user();
  request.security = in.security();
  request.partition_only = in.partition_only();
  request.partition = in.partition();
  request.primary_volume = in.primary_volume();
  request.create_id = in.create_id();
  return request;
}

void ToProto(const AlterRequest& request, v1::AlterRequest* out) {
  ToProto(request.file, out->mutable_file());
  if (request.buffered) out->set_buffered(*request.buffered);
  if (request.audit) out->set_audit(*request.audit);
  if (request.max_extents) out->set_max_extents(*request.max_extents);
  if (request.lookaside) out->set_lookaside(LookasideToProto(*request.lookaside));
  if (request.step == PartitionStep::kConfirm) out->set_step(v1::PARTITION_STEP_CONFIRM);
  if (request.step == PartitionStep::kConfirmed) out->set_step(v1::PARTITION_STEP_CONFIRMED);
}

absl::StatusOr<AlterRequest> FromProto(const v1::AlterRequest& in) {
  absl::StatusOr<FileReference> file = FromProto(in.file());
  if (!file.ok()) return file.status();
  AlterRequest request;
  request.file = *std::move(file);
  if (in.has_buffered()) request.buffered = in.buffered();
  if (in.has_audit()) request.audit = in.audit();
  if (in.has_max_extents()) request.max_extents = in.max_extents();
  const absl::StatusOr<std::optional<Lookaside>> lookaside = LookasideFromProto(in.lookaside());
  if (!lookaside.ok()) return lookaside.status();
  request.lookaside = *lookaside;
  switch (in.step()) {
    case v1::PARTITION_STEP_UNSPECIFIED:
      break;
    case v1::PARTITION_STEP_CONFIRM:
      request.step = PartitionStep::kConfirm;
      break;
    case v1::PARTITION_STEP_CONFIRMED:
      request.step = PartitionStep::kConfirmed;
      break;
    default:
      return transport_errors::UnknownEnumerator("step", in.step());
  }
  return request;
}

void ToProto(const PurgeRequest& request, v1::PurgeRequest* out) {
  ToProto(request.file, out->mutable_file());
  out->set_partition_only(request.partition_only);
}

absl::StatusOr<PurgeRequest> FromProto(const v1::PurgeRequest& in) {
  absl::StatusOr<FileReference> file = FromProto(in.file());
  if (!file.ok()) return file.status();
  return PurgeRequest{*std::move(file), in.partition_only()};
}

void ToProto(const ListRequest& request, v1::ListRequest* out) {
  ToProto(request.fileset, out->mutable_fileset());
  out->set_pending(request.pending);
  out->set_page_size(request.page_size);
  out->set_page_token(request.page_token);
}

absl::StatusOr<ListRequest> FromProto(const v1::ListRequest& in) {
  absl::StatusOr<FileName> fileset = CheckedFileset(in.fileset());
  if (!fileset.ok()) return fileset.status();
  return ListRequest{*std::move(fileset), in.pending(), std::min(in.page_size(), kListPageSize),
                     in.page_token()};
}

void ToProto(const ListPage& page, v1::ListResponse* out) {
  for (const FileInfo& info : page.files) ToProto(info, out->add_files());
  out->set_next_page_token(page.next_page_token);
}

absl::StatusOr<ListPage> FromProto(const v1::ListResponse& in) {
  ListPage page;
  for (const v1::FileInfo& one : in.files()) {
    absl::StatusOr<FileInfo> info = FromProto(one);
    if (!info.ok()) return info.status();
    page.files.push_back(*std::move(info));
  }
  page.next_page_token = in.next_page_token();
  return page;
}

void ToProto(const std::vector<std::string>& volumes, v1::VolumesResponse* out) {
  for (const std::string& volume : volumes) out->add_volumes(WireText(volume));
}

std::vector<std::string> FromProto(const v1::VolumesResponse& in) {
  return {in.volumes().begin(), in.volumes().end()};
}

void ToProto(const RefreshAnswer& answer, v1::RefreshResponse* out) {
  out->set_blocks_written(answer.blocks_written);
  out->set_change_sequence(answer.change_sequence);
}

RefreshAnswer FromProto(const v1::RefreshResponse& in) {
  return RefreshAnswer{in.blocks_written(), in.change_sequence()};
}

void ToProto(const BackupRequest& request, v1::BackupRequest* out) {
  out->set_volume(WireText(request.volume));
  out->set_directory(WireText(request.directory));
}

BackupRequest FromProto(const v1::BackupRequest& in) {
  return BackupRequest{in.volume(), in.directory()};
}

void ToProto(const BackupAnswer& answer, v1::BackupResponse* out) {
  out->set_control_point_lsn(answer.control_point_lsn);
  out->set_last_lsn(answer.last_lsn);
  out->set_time_us(answer.time_us);
  out->set_bytes(answer.bytes);
}

BackupAnswer FromProto(const v1::BackupResponse& in) {
  return BackupAnswer{in.control_point_lsn(), in.last_lsn(), in.time_us(), in.bytes()};
}

}  // namespace quire
