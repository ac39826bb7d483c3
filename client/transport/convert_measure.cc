#include "client/transport/convert_measure.h"

#include <utility>

#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/errors.h"

namespace quire {
namespace {

// Both enumerations have Quire's own numbers, so a cast is the conversion.
static_assert(v1::ENTITY_DISCOPEN == static_cast<int>(Entity::kDiscopen));
static_assert(v1::ENTITY_DISKFILE == static_cast<int>(Entity::kDiskfile));
static_assert(v1::ENTITY_DISC == static_cast<int>(Entity::kDisc));
static_assert(v1::ENTITY_PROCESS == static_cast<int>(Entity::kProcess));
static_assert(v1::COUNTER_KIND_INCREMENTING == static_cast<int>(CounterKind::kIncrementing));
static_assert(v1::COUNTER_KIND_ACCUMULATING == static_cast<int>(CounterKind::kAccumulating));
static_assert(v1::COUNTER_KIND_BUSY == static_cast<int>(CounterKind::kBusy));
static_assert(v1::COUNTER_KIND_MAX == static_cast<int>(CounterKind::kMax));
static_assert(v1::COUNTER_KIND_SNAPSHOT == static_cast<int>(CounterKind::kSnapshot));

void RecordToProto(const EntityRecord& record, v1::EntityRecord* out) {
  out->set_entity(static_cast<v1::Entity>(record.entity));
  out->set_volume(WireText(record.volume));
  ToProto(record.file, out->mutable_file());
  out->set_open_id(record.open_id);
  out->set_opener(WireText(record.opener));
  out->set_opened_us(record.opened_us);
  out->set_closed_us(record.closed_us);
  for (const CounterValue& counter : record.counters) {
    v1::Counter* one = out->add_counters();
    one->set_name(WireText(counter.name));
    one->set_kind(static_cast<v1::CounterKind>(counter.kind));
    one->set_unit(WireText(counter.unit));
    one->set_value(counter.value);
  }
}

absl::StatusOr<EntityRecord> RecordFromProto(const v1::EntityRecord& in) {
  if (!v1::Entity_IsValid(in.entity()) || in.entity() == v1::ENTITY_UNSPECIFIED) {
    return transport_errors::UnknownEnumerator("entity", in.entity());
  }
  EntityRecord record;
  record.entity = static_cast<Entity>(in.entity());
  record.volume = in.volume();
  record.file = FromProto(in.file());
  record.open_id = in.open_id();
  record.opener = in.opener();
  record.opened_us = in.opened_us();
  record.closed_us = in.closed_us();
  record.counters.reserve(static_cast<size_t>(in.counters_size()));
  for (const v1::Counter& one : in.counters()) {
    if (!v1::CounterKind_IsValid(one.kind()) || one.kind() == v1::COUNTER_KIND_UNSPECIFIED) {
      return transport_errors::UnknownEnumerator("kind", one.kind());
    }
    record.counters.push_back(
        {one.name(), static_cast<CounterKind>(one.kind()), one.unit(), one.value()});
  }
  return record;
}

}  // namespace

void ToProto(const MeasureSnapshot& snapshot, v1::SnapshotResponse* out) {
  for (const VolumeSnapshot& volume : snapshot.volumes) {
    v1::VolumeSnapshot* one = out->add_volumes();
    one->set_volume(WireText(volume.volume));
    one->set_epoch(volume.epoch);
    one->set_time_us(volume.time_us);
    for (const EntityRecord& record : volume.records) RecordToProto(record, one->add_records());
  }
}

absl::StatusOr<MeasureSnapshot> FromProto(const v1::SnapshotResponse& in) {
  MeasureSnapshot snapshot;
  for (const v1::VolumeSnapshot& one : in.volumes()) {
    VolumeSnapshot& volume = snapshot.volumes.emplace_back();
    volume.volume = one.volume();
    volume.epoch = one.epoch();
    volume.time_us = one.time_us();
    for (const v1::EntityRecord& entity : one.records()) {
      absl::StatusOr<EntityRecord> record = RecordFromProto(entity);
      if (!record.ok()) return record.status();
      volume.records.push_back(*std::move(record));
    }
  }
  return snapshot;
}

}  // namespace quire
