#include "server/volume/volume_backup.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "quire/text.h"
#include "server/base/durable_file.h"
#include "server/base/huge_memory.h"
#include "server/trail/file_device.h"
#include "server/volume/backup_errors.h"
#include "server/volume/backup_manifest.h"
#include "server/volume/control_point.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kStepBytes = uint64_t{1} << 20;
constexpr mode_t kDirectoryMode = 0750;

// One copy, made under "<directory>.unfinished" and renamed when it is whole.
class BackupCopy {
 public:
  BackupCopy(const VolumeState& state, std::string directory)
      : state_(state), directory_(std::move(directory)), unfinished_(directory_ + ".unfinished") {}

  absl::StatusOr<BackupAnswer> Make() {
    absl::Status status = Write();
    if (status.ok()) status = Publish();
    if (!status.ok()) {
      std::error_code ignored;
      fs::remove_all(unfinished_, ignored);
      return status;
    }
    return BackupAnswer{manifest_.control_point_lsn, manifest_.last_lsn, manifest_.last_time_us,
                        manifest_.bytes()};
  }

 private:
  static absl::Status Failed(std::string_view action, const std::string& path, int error) {
    return error == 0 ? absl::OkStatus() : volume_error::BackupFailed(action, path, error);
  }
  static absl::Status MakeDirectory(const std::string& path) {
    return Failed("make", path, mkdir(path.c_str(), kDirectoryMode) == 0 ? 0 : errno);
  }

  absl::Status Write();
  absl::Status CopyStore();
  absl::Status CopyTrail();
  absl::Status CopyPart(const TrailPart& part);
  absl::Status Publish();

  const VolumeState& state_;
  const std::string directory_;
  const std::string unfinished_;
  BackupManifest manifest_;
};

absl::Status BackupCopy::Write() {
  std::error_code error;
  fs::remove_all(unfinished_, error);  // of a server that was killed while it copied
  if (absl::Status s = Failed("remove", unfinished_, error.value()); !s.ok()) return s;
  if (absl::Status s = MakeDirectory(unfinished_); !s.ok()) return s;
  manifest_.volume = state_.options.name;
  manifest_.volume_id = state_.volume_id;
  if (absl::Status s = CopyStore(); !s.ok()) return s;
  return CopyTrail();
}

absl::Status BackupCopy::CopyStore() {
  // Whatever the copy holds was cut before now.
  manifest_.control_point_time_us = state_.options.clock->WallMicros();
  absl::StatusOr<BlockStore::MetaValues> meta = state_.store->CopyTo(unfinished_ + "/store");
  if (!meta.ok()) return meta.status();
  // A later control point than the one asked for may have come between.
  const absl::StatusOr<ControlPointMeta> control_point =
      DecodeControlPointMeta((*meta)[meta_key::kControlPoint]);
  if (!control_point.ok()) return control_point.status();
  manifest_.control_point_lsn = control_point->lsn;
  FileSum sum;
  const std::string path = unfinished_ + "/store/data.mdb";
  if (absl::Status s = Failed("read", path, SumFile(path, &sum)); !s.ok()) return s;
  manifest_.files.push_back({"store/data.mdb", sum});
  return absl::OkStatus();
}

absl::Status BackupCopy::CopyTrail() {
  if (absl::Status s = MakeDirectory(unfinished_ + "/trail"); !s.ok()) return s;
  manifest_.last_lsn = manifest_.control_point_lsn;
  // Everything acknowledged by now is durable by now: the end that is read here is the backup's.
  const std::vector<TrailPart> parts = state_.trail->DurableParts();
  manifest_.last_time_us = state_.options.clock->WallMicros();
  for (const TrailPart& part : parts) {
    if (part.last_lsn <= manifest_.control_point_lsn) continue;
    if (absl::Status s = CopyPart(part); !s.ok()) return s;
    manifest_.last_lsn = part.last_lsn;
  }
  return absl::OkStatus();
}

absl::Status BackupCopy::CopyPart(const TrailPart& part) {
  const std::string name = StrCat("trail/", SegmentFileName(part.segment));
  const std::string path = StrCat(unfinished_, "/", name);
  const HugeMemory step(std::min(part.bytes, kStepBytes));
  DurableFile copy(path);
  int error = step.data() == nullptr ? ENOMEM : copy.Open();
  for (uint64_t offset = 0; error == 0 && offset < part.bytes; offset += kStepBytes) {
    const absl::Span<char> to(step.data(), std::min(kStepBytes, part.bytes - offset));
    if (absl::Status s = state_.trail->ReadPart(part.segment, offset, to); !s.ok()) return s;
    error = copy.Append({to.data(), to.size()});
  }
  if (error == 0) error = copy.Finish();
  manifest_.files.push_back({name, copy.sum()});
  return Failed("write", path, error);
}

absl::Status BackupCopy::Publish() {
  const std::string path = StrCat(unfinished_, "/", kManifestName);
  DurableFile manifest(path);
  int error = manifest.Open();
  if (error == 0) error = manifest.Append(EncodeManifest(manifest_));
  if (error == 0) error = manifest.Finish();
  if (absl::Status s = Failed("write", path, error); !s.ok()) return s;
  // Fails when somebody made a folder of that name meanwhile and put something into it.
  if (std::rename(unfinished_.c_str(), directory_.c_str()) != 0) error = errno;
  if (error == EEXIST || error == ENOTEMPTY) return volume_error::BackupExists(directory_);
  if (error == 0) error = SyncPath(fs::path(directory_).parent_path().string());
  return Failed("name", directory_, error);
}

}  // namespace

VolumeBackup::VolumeBackup(VolumeState* state) : state_(state) {}

absl::StatusOr<std::string> VolumeBackup::Resolve(const BackupRequest& request) const {
  const std::string& name = state_->options.name;
  if (!request.volume.empty() && request.volume != name) {
    return volume_error::WrongVolume(FileName{"", request.volume, "*", "*"}, name);
  }
  const std::string& allowed = state_->options.backup_directory;
  if (allowed.empty()) return volume_error::NoBackupDirectory(name);
  std::error_code error;
  const fs::path root = fs::canonical(allowed, error);
  if (error) return volume_error::BackupFailed("find", allowed, error.value());
  const fs::path wanted(request.directory);
  const bool climbs = std::find(wanted.begin(), wanted.end(), "..") != wanted.end();
  // Links are followed, so that none leads out of the directory that was allowed.
  const fs::path target = fs::weakly_canonical(root / wanted, error);
  if (error) return volume_error::BackupFailed("find", request.directory, error.value());
  const fs::path below = target.lexically_relative(root);
  if (climbs || request.directory.empty() || below.empty() || *below.begin() == "." ||
      *below.begin() == "..") {
    return volume_error::BackupOutside(request.directory, allowed);
  }
  if (fs::exists(target, error)) return volume_error::BackupExists(target.string());
  return target.string();
}

absl::Status VolumeBackup::Begin() {
  const MutexLock lock(&mutex_);
  if (stopping_) return volume_error::VolumeStopping(state_->options.name);
  if (std::exchange(under_way_, true)) {
    return volume_error::BackupUnderWay(state_->options.name);
  }
  // Before the control point: what it releases may be what the copied store still needs.
  hold_ = state_->trail->Hold();
  return absl::OkStatus();
}

void VolumeBackup::End() {
  const MutexLock lock(&mutex_);
  under_way_ = false;
  hold_.reset();
}

void VolumeBackup::Start(BackupRequest request, Done<BackupAnswer> done, TakeControlPoint take) {
  absl::StatusOr<std::string> directory = Resolve(request);
  absl::Status status = directory.status();
  if (status.ok()) status = Begin();
  if (!status.ok()) {
    std::move(done)(status);
    return;
  }
  auto job = std::make_shared<Job>(Job{*std::move(directory), std::move(done)});
  take([this, job = std::move(job)](absl::StatusOr<RefreshAnswer> taken) {
    ControlPointTaken(std::move(*job), taken.status());
  });
}

void VolumeBackup::ControlPointTaken(Job job, const absl::Status& status) {
  absl::Status refusal = status;
  {
    const MutexLock lock(&mutex_);
    if (refusal.ok() && stopping_) refusal = volume_error::VolumeStopping(state_->options.name);
    if (refusal.ok()) {
      if (thread_.joinable()) thread_.join();  // of a backup before, which has ended
      thread_ = std::thread([this, job = std::move(job)]() mutable {
        absl::StatusOr<BackupAnswer> answer = BackupCopy(*state_, job.directory).Make();
        End();
        std::move(job.done)(std::move(answer));
      });
      return;
    }
  }
  End();
  std::move(job.done)(refusal);
}

void VolumeBackup::Stop() {
  std::thread thread;
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
    thread = std::move(thread_);
  }
  if (thread.joinable()) thread.join();
  End();
}

}  // namespace quire
