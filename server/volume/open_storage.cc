#include "server/volume/open_storage.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "server/store/lmdb_store.h"
#include "server/trail/file_device.h"
#include "server/volume/backup_errors.h"
#include "server/volume/control_point.h"
#include "server/volume/errors.h"
#include "server/volume/volume_identity.h"

namespace quire {
namespace {

std::string TrailDirectoryOf(const VolumeOptions& options) {
  return options.trail_directory.empty() ? options.directory + "/trail" : options.trail_directory;
}

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

absl::Status Lock(const std::string& directory, std::unique_ptr<DirectoryLock>* to) {
  absl::StatusOr<std::unique_ptr<DirectoryLock>> lock = DirectoryLock::Take(directory);
  if (!lock.ok()) return lock.status();
  *to = *std::move(lock);
  return absl::OkStatus();
}

// The volume's directory, and that of a trail of its own if there is one: two new volumes on one
// could not yet tell each other's segments from their own.
absl::Status LockDirectories(VolumeState& state) {
  const VolumeOptions& options = state.options;
  if (absl::Status s = Lock(options.directory, &state.lock); !s.ok()) return s;
  if (options.trail_directory.empty() || !Exists(options.trail_directory)) return absl::OkStatus();
  return Lock(options.trail_directory, &state.trail_lock);
}

// The store is made before the trail: one that is missing beside a trail was taken away, and a new
// one would only hide that.
absl::Status CheckStoreIsThere(const VolumeOptions& options) {
  if (Exists(options.directory + "/store/data.mdb")) return absl::OkStatus();
  std::error_code error;
  const std::string trail = TrailDirectoryOf(options);
  std::filesystem::directory_iterator entry(trail, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename() != "lock") {
      return volume_error::StoreMissing(options.directory, trail);
    }
  }
  return absl::OkStatus();
}

// A trail with a directory of its own. Made here if missing, but not when the store says that it
// was there: then the option is wrong, or its disc is not mounted.
absl::StatusOr<std::unique_ptr<TrailDevice>> OpenTrailDirectory(VolumeState& state) {
  const VolumeOptions& options = state.options;
  const bool own = !options.trail_directory.empty();
  const std::string directory = TrailDirectoryOf(options);
  const absl::StatusOr<std::optional<std::string>> bytes =
      state.store->ReadMeta(meta_key::kControlPoint);
  if (!bytes.ok()) return bytes.status();
  if (bytes->has_value() && !Exists(directory)) {
    const absl::StatusOr<ControlPointMeta> meta = DecodeControlPointMeta(**bytes);
    if (!meta.ok()) return meta.status();
    if (meta->lsn > 0) return volume_error::NoTrailDirectory(directory, meta->lsn);
  }
  absl::StatusOr<std::unique_ptr<TrailDevice>> device =
      OpenFileDevice(directory, options.trail_sync);
  if (!device.ok() || !own || state.trail_lock != nullptr) return device;
  if (absl::Status s = Lock(directory, &state.trail_lock); !s.ok()) return s;
  return device;
}

}  // namespace

absl::Status OpenStoreAndTrail(VolumeState& state) {
  const VolumeOptions& options = state.options;
  if (!options.open_store) {
    if (absl::Status s = LockDirectories(state); !s.ok()) return s;
    if (absl::Status s = CheckStoreIsThere(options); !s.ok()) return s;
  }
  absl::StatusOr<std::unique_ptr<BlockStore>> store =
      options.open_store
          ? options.open_store()
          : OpenLmdbStore(LmdbOptions{options.directory + "/store", options.capacity_bytes, 0});
  if (!store.ok()) return store.status();
  state.store = *std::move(store);
  const absl::StatusOr<VolumeIdentity> identity = ReadOrMakeIdentity(*state.store, options);
  if (!identity.ok()) return identity.status();
  state.volume_id = identity->volume_id;
  absl::StatusOr<std::unique_ptr<TrailDevice>> device =
      options.open_trail_device ? options.open_trail_device() : OpenTrailDirectory(state);
  if (!device.ok()) return device.status();
  TrailOptions trail_options;
  trail_options.volume_id = state.volume_id;
  trail_options.segment_bytes = options.trail_segment_bytes;
  trail_options.clock = options.clock;
  trail_options.archive_directory = options.archive_directory;
  trail_options.report_archive_failure = options.report;
  absl::StatusOr<std::unique_ptr<Trail>> trail = Trail::Open(*std::move(device), trail_options);
  if (!trail.ok()) return trail.status();
  state.trail = *std::move(trail);
  return absl::OkStatus();
}

}  // namespace quire
