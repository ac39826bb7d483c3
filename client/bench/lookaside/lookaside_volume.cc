#include "client/bench/lookaside/lookaside_volume.h"

#include <map>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/bench/errors.h"
#include "client/bench/run_counters.h"
#include "client/transport/embedded.h"
#include "quire/error.h"

namespace quire {
namespace bench {
namespace {

constexpr char kVolume[] = "$DATA01";
constexpr char kFile[] = "$DATA01.BENCH.LOOKASID";
constexpr int kDigits = 10;
constexpr uint64_t kLoadCacheBytes = uint64_t{64} << 20;
constexpr uint64_t kSegmentBytes = uint64_t{1} << 20;

absl::StatusOr<std::unique_ptr<FileSystem>> OpenVolume(VolumeOptions options,
                                                       const std::string& directory) {
  EmbeddedOptions embedded;
  embedded.directory = directory;
  embedded.volumes = {kVolume};
  embedded.volume = std::move(options);
  embedded.volume.trail_segment_bytes = kSegmentBytes;
  embedded.volume.program = "quire-bench";
  absl::StatusOr<std::map<std::string, std::shared_ptr<Service>>> volumes =
      OpenEmbeddedVolumes(embedded);
  if (!volumes.ok()) return volumes.status();
  return FileSystem::Over(*std::move(volumes), "quire-bench");
}

FileAttributes AttributesOf(const LookasideFile& file) {
  FileAttributes attributes;
  attributes.format = 2;
  attributes.key_length = file.key_bytes;
  attributes.record_bytes = file.record_bytes;
  attributes.block_bytes = file.block_bytes;
  attributes.extents = ExtentSizes{10000, 10000};
  attributes.max_extents = 900;
  attributes.buffered = true;
  return attributes;
}

}  // namespace

std::string LookasideKey(const LookasideFile& file, uint64_t rank) {
  const std::string digits = absl::StrFormat("%0*d", kDigits, rank);
  return std::string(file.key_bytes - digits.size(), 'K') + digits;
}

absl::Status LookasideVolume::Load(const LookasideFile& file, const std::string& directory) {
  VolumeOptions options;
  options.cache_bytes = kLoadCacheBytes;
  absl::StatusOr<std::unique_ptr<FileSystem>> opened = OpenVolume(options, directory);
  if (!opened.ok()) return opened.status();
  const FileName name = *ParseFileName(kFile);
  absl::Status status = (*opened)->Create(name, AttributesOf(file)).status();
  if (!status.ok()) return status;
  absl::StatusOr<std::unique_ptr<File>> handle = (*opened)->Open(name, {});
  if (!handle.ok()) return handle.status();
  absl::Status first_failure;
  for (uint64_t rank = 0; rank < file.records; ++rank) {
    std::string record = LookasideKey(file, rank);
    record.resize(file.record_bytes, 'x');
    (*handle)->WriteNowait(record, [&](const absl::Status& written, std::string_view) {
      first_failure.Update(written);
    });
  }
  status = (*handle)->Wait();
  first_failure.Update(status);
  if (!first_failure.ok()) return first_failure;
  return (*opened)->Refresh("").status();
}

absl::StatusOr<LookasideVolume> LookasideVolume::Open(const LookasideFile& file,
                                                      const LookasideWay& way,
                                                      const std::string& directory) {
  VolumeOptions options;
  options.cache_bytes = file.cache_bytes;
  options.data_keeping = way.data_keeping;
  options.before_cached_use = way.before_cached_use;
  LookasideVolume volume;
  volume.description_ = &file;
  absl::StatusOr<std::unique_ptr<FileSystem>> opened = OpenVolume(options, directory);
  if (!opened.ok()) return opened.status();
  volume.file_system_ = *std::move(opened);
  const FileName name = *ParseFileName(kFile);
  FileSystem::Changes changes;
  changes.lookaside = way.lookaside;
  if (absl::Status s = volume.file_system_->Alter(name, changes); !s.ok()) return s;
  absl::StatusOr<std::unique_ptr<File>> handle = volume.file_system_->Open(name, {});
  if (!handle.ok()) return handle.status();
  volume.file_ = *std::move(handle);
  return volume;
}

absl::Status LookasideVolume::Read(uint64_t rank) {
  const std::string key = LookasideKey(*description_, rank);
  const absl::StatusOr<std::string> record = file_->Read(key);
  if (!record.ok()) return record.status();
  const bool same = record->size() == description_->record_bytes && record->starts_with(key);
  return same ? absl::OkStatus() : OtherRecordRead(rank);
}

absl::StatusOr<int64_t> LookasideVolume::Disc(std::string_view counter) {
  const absl::StatusOr<MeasureSnapshot> snapshot = TakeSnapshot(file_system_.get(), {kVolume});
  if (!snapshot.ok()) return snapshot.status();
  for (const EntityRecord& record : snapshot->volumes.at(0).records) {
    if (record.entity != Entity::kDisc) continue;
    for (const CounterValue& value : record.counters) {
      if (value.name == counter) return value.value;
    }
  }
  return MakeError(ErrorNumber::kNotFound, "the volume has no such counter");
}

}  // namespace bench
}  // namespace quire
