#include "server/volume/restore.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/time/time.h"
#include "quire/text.h"
#include "server/base/durable_file.h"
#include "server/keyseq/file_label.h"
#include "server/store/lmdb_store.h"
#include "server/trail/file_device.h"
#include "server/trail/read_only_device.h"
#include "server/trail/trail_archive.h"
#include "server/trail/trail_format.h"
#include "server/trail/trail_trim.h"
#include "server/volume/backup_errors.h"
#include "server/volume/backup_manifest.h"
#include "server/volume/control_point.h"
#include "server/volume/errors.h"
#include "server/volume/volume_identity.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

absl::Status Failed(std::string_view action, const std::string& path, int error) {
  return error == 0 ? absl::OkStatus() : volume_error::BackupFailed(action, path, error);
}

class Restore {
 public:
  explicit Restore(const RestoreRequest& request)
      : request_(request),
        directory_(WithoutSlash(request.volume.directory)),
        unfinished_(directory_ + ".unfinished") {}

  absl::StatusOr<RestoreReport> Run();

 private:
  static std::string WithoutSlash(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
  }
  absl::Status CheckTarget() const;
  absl::Status CheckLimit() const;
  absl::Status Make();
  absl::Status CopyBackup();
  absl::Status AddArchive(const std::string& archive);
  absl::Status TakeNewer(const fs::path& segment, TrailDevice& trail);
  absl::Status Trim();
  absl::Status RaiseEpoch();
  absl::Status Recover();
  absl::Status GiveIdentity();
  absl::StatusOr<std::unique_ptr<BlockStore>> OpenStore() const {
    return OpenLmdbStore(LmdbOptions{unfinished_ + "/store", request_.volume.capacity_bytes, 0});
  }
  absl::Status RenewTrail();
  absl::Status Publish();
  void Rename(FileLabel& label) const;

  const RestoreRequest& request_;
  const std::string directory_;
  const std::string unfinished_;
  BackupManifest manifest_;
  std::string name_;
  TrailEnd end_;
};

absl::StatusOr<RestoreReport> Restore::Run() {
  if (absl::Status s = CheckTarget(); !s.ok()) return s;
  absl::StatusOr<BackupManifest> manifest = ReadBackup(request_.backup);
  if (!manifest.ok()) return manifest.status();
  manifest_ = *std::move(manifest);
  name_ = request_.volume.name.empty() ? manifest_.volume : request_.volume.name;
  if (absl::Status s = CheckLimit(); !s.ok()) return s;
  absl::Status status = Make();
  if (status.ok()) status = Publish();
  if (!status.ok()) {
    std::error_code ignored;
    fs::remove_all(unfinished_, ignored);
    return status;
  }
  RestoreReport report;
  report.volume = name_;
  report.last_lsn = end_.last_lsn;
  report.time_us = end_.time_us != 0 ? end_.time_us : manifest_.control_point_time_us;
  report.batches = end_.batches;
  report.stopped = end_.trimmed;
  return report;
}

absl::Status Restore::CheckTarget() const {
  std::error_code error;
  if (fs::exists(directory_, error) && !fs::is_empty(directory_, error)) {
    return volume_error::RestoreTargetInUse(directory_);
  }
  if (error) return Failed("look at", directory_, error.value());
  if (fs::exists(unfinished_, error)) return volume_error::RestoreUnfinished(unfinished_);
  return absl::OkStatus();
}

absl::Status Restore::CheckLimit() const {
  if (request_.limit.lsn < manifest_.control_point_lsn) {
    return volume_error::StopBeforeBackup(request_.limit.lsn, manifest_.control_point_lsn);
  }
  if (request_.limit.time_us < manifest_.control_point_time_us) {
    return volume_error::StopTimeBeforeBackup(TimeText(request_.limit.time_us),
                                              TimeText(manifest_.control_point_time_us));
  }
  return absl::OkStatus();
}

absl::Status Restore::Make() {
  if (absl::Status s = CopyBackup(); !s.ok()) return s;
  for (const std::string& archive : request_.archives) {
    if (absl::Status s = AddArchive(archive); !s.ok()) return s;
  }
  if (absl::Status s = Trim(); !s.ok()) return s;
  if (absl::Status s = RaiseEpoch(); !s.ok()) return s;
  if (absl::Status s = Recover(); !s.ok()) return s;
  if (absl::Status s = GiveIdentity(); !s.ok()) return s;
  return RenewTrail();
}

absl::Status Restore::CopyBackup() {
  std::error_code error;
  fs::create_directories(unfinished_ + "/store", error);
  if (!error) fs::create_directories(unfinished_ + "/trail", error);
  if (error) return Failed("make", unfinished_, error.value());
  for (const BackupManifest::File& file : manifest_.files) {
    const std::string to = StrCat(unfinished_, "/", file.name);
    FileSum copied;
    const int failed = CopyDurably(StrCat(request_.backup, "/", file.name), to, &copied);
    if (absl::Status s = Failed("write", to, failed); !s.ok()) return s;
    if (copied != file.sum) {
      return volume_error::BackupDamaged(file.name, "it changed while it was copied");
    }
  }
  return absl::OkStatus();
}

// Where the same segment is found twice, the one that goes on further counts: the backup has what
// was written of its last segment then.
absl::Status Restore::TakeNewer(const fs::path& segment, TrailDevice& trail) {
  const std::string to = StrCat(unfinished_, "/trail/", segment.filename().string());
  std::error_code error;
  if (fs::exists(to, error)) {
    const uint64_t number = std::stoull(segment.stem().string(), nullptr, 16);
    const auto have = OpenFileDevice(unfinished_ + "/trail", TrailSync::kFdatasync);
    if (!have.ok()) return have.status();
    const absl::StatusOr<Lsn> mine = LastLsnOf(**have, manifest_.volume_id, number);
    const absl::StatusOr<Lsn> theirs = LastLsnOf(trail, manifest_.volume_id, number);
    if (!mine.ok()) return mine.status();
    if (!theirs.ok()) return theirs.status();
    if (*theirs <= *mine) return absl::OkStatus();
  }
  return Failed("write", to, CopyDurably(segment.string(), to, nullptr));
}

absl::Status Restore::AddArchive(const std::string& archive) {
  std::error_code error;
  const std::string folder = TrailArchive::FolderOf(archive, manifest_.volume_id);
  const bool is_archive = fs::is_directory(folder, error);
  const std::string from = is_archive ? folder : archive;
  const std::unique_ptr<TrailDevice> trail = OpenReadOnlyDevice(from);
  const absl::StatusOr<std::vector<uint64_t>> segments = trail->List();
  if (!segments.ok()) return segments.status();
  // An archive that has nothing yet is right: no segment was done with.
  if (segments->empty() && !is_archive) return volume_error::NoSuchArchive(archive);
  for (const uint64_t number : *segments) {
    const absl::StatusOr<Lsn> last = LastLsnOf(*trail, manifest_.volume_id, number);
    if (!last.ok()) return last.status();
    if (*last <= manifest_.control_point_lsn) continue;
    const fs::path segment = StrCat(from, "/", SegmentFileName(number));
    if (absl::Status s = TakeNewer(segment, *trail); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status Restore::Trim() {
  const auto device = OpenFileDevice(unfinished_ + "/trail", TrailSync::kFdatasync);
  if (!device.ok()) return device.status();
  const absl::StatusOr<std::vector<uint64_t>> segments = (*device)->List();
  if (!segments.ok()) return segments.status();
  if (segments->empty()) {
    // Nothing was written after the control point. A store that has records wants a trail.
    end_.last_lsn = manifest_.control_point_lsn;
    if (absl::Status s = (*device)->Create(1, kMinSegmentBytes); !s.ok()) return s;
  } else {
    absl::StatusOr<TrailEnd> end =
        TrimTrail(**device, manifest_.volume_id, manifest_.control_point_lsn, request_.limit);
    if (!end.ok()) return end.status();
    end_ = *end;
  }
  if (request_.limit.lsn != ReplayLimit().lsn && !end_.trimmed &&
      end_.last_lsn < request_.limit.lsn) {
    return volume_error::StopBeyondTrail(request_.limit.lsn, end_.last_lsn);
  }
  return absl::OkStatus();
}

// Clients may know epochs that came after the backup, also such as the limit cuts off: the starts
// of the new volume must give none of them again.
absl::Status Restore::RaiseEpoch() {
  const absl::StatusOr<std::unique_ptr<BlockStore>> store = OpenStore();
  if (!store.ok()) return store.status();
  const auto bytes = (*store)->ReadMeta(meta_key::kControlPoint);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return volume_error::BadStore("the backup has no control point");
  absl::StatusOr<ControlPointMeta> meta = DecodeControlPointMeta(**bytes);
  if (!meta.ok()) return meta.status();
  if (meta->epoch >= end_.epoch) return absl::OkStatus();
  meta->epoch = end_.epoch;
  ControlPoint content;
  content.meta[meta_key::kControlPoint] = EncodeControlPointMeta(*meta);
  return (*store)->Commit(content).status();
}

// What any start after a crash does: replay, a control point, an end in good order.
absl::Status Restore::Recover() {
  VolumeOptions options = request_.volume;
  options.name = manifest_.volume;
  options.directory = unfinished_;
  options.trail_directory.clear();
  options.archive_directory.clear();
  options.backup_directory.clear();
  return Volume::Open(std::move(options)).status();
}

void Restore::Rename(FileLabel& label) const {
  const std::string& old = manifest_.volume;
  if (label.name.volume == old) label.name.volume = name_;
  if (label.primary_volume == old) label.primary_volume = name_;
  for (PartitionSpec& partition : label.attributes.partitions) {
    if (partition.volume == old) partition.volume = name_;
  }
}

absl::Status Restore::GiveIdentity() {
  const absl::StatusOr<std::unique_ptr<BlockStore>> store = OpenStore();
  if (!store.ok()) return store.status();
  ControlPoint content;
  content.meta[meta_key::kVolume] = EncodeIdentity({NewVolumeId(), name_, kVolumeFormat});
  const absl::StatusOr<std::map<FileId, std::string>> labels = (*store)->ReadLabels();
  if (!labels.ok()) return labels.status();
  for (const auto& [id, encoded] : *labels) {
    absl::StatusOr<FileLabel> label = DecodeLabel(encoded);
    if (!label.ok()) return label.status();
    Rename(*label);
    content.labels[id] = EncodeLabel(*label);
  }
  return (*store)->Commit(content).status();
}

// The old volume's segments are all in the store now; the new one begins with an empty trail, which
// need not be large: the first start makes another of its own size.
absl::Status Restore::RenewTrail() {
  std::error_code error;
  fs::remove_all(unfinished_ + "/trail", error);
  if (error) return Failed("remove", unfinished_ + "/trail", error.value());
  const auto device = OpenFileDevice(unfinished_ + "/trail", TrailSync::kFdatasync);
  if (!device.ok()) return device.status();
  return (*device)->Create(1, kMinSegmentBytes);
}

absl::Status Restore::Publish() {
  int error = SyncPath(unfinished_);
  if (error == 0 && std::rename(unfinished_.c_str(), directory_.c_str()) != 0) error = errno;
  if (error == EEXIST || error == ENOTEMPTY) return volume_error::RestoreTargetInUse(directory_);
  const std::string parent = fs::absolute(directory_).parent_path().string();
  if (error == 0) error = SyncPath(parent);
  return Failed("name", directory_, error);
}

}  // namespace

absl::StatusOr<RestoreReport> RestoreVolume(const RestoreRequest& request) {
  return Restore(request).Run();
}

std::string TimeText(int64_t time_us) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%E6S", absl::FromUnixMicros(time_us),
                          absl::LocalTimeZone());
}

}  // namespace quire
