#include "server/trail/trail_archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "quire/text.h"
#include "server/base/durable_file.h"
#include "server/base/huge_memory.h"
#include "server/trail/errors.h"
#include "server/trail/file_device.h"

namespace quire {
namespace {

constexpr uint64_t kStepBytes = uint64_t{1} << 20;
constexpr mode_t kDirectoryMode = 0750;

}  // namespace

std::string TrailArchive::FolderOf(const std::string& directory, uint64_t volume_id) {
  return StrCat(directory, "/", absl::Hex(volume_id, absl::kZeroPad16));
}

absl::StatusOr<std::unique_ptr<TrailArchive>> TrailArchive::Open(const std::string& directory,
                                                                 uint64_t volume_id) {
  const std::string folder = FolderOf(directory, volume_id);
  if (mkdir(folder.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
    return trail_error::ArchiveFailed("creation", folder, errno);
  }
  if (const int error = SyncPath(directory)) {
    return trail_error::ArchiveFailed("sync", directory, error);
  }
  return std::unique_ptr<TrailArchive>(new TrailArchive(folder));
}

// The first batch tells: its header has epoch, LSN and time.
absl::StatusOr<bool> TrailArchive::Has(TrailDevice& trail, uint64_t segment) const {
  const std::string path = StrCat(folder_, "/", SegmentFileName(segment));
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT) return false;
    return trail_error::ArchiveFailed("reading", path, errno);
  }
  std::vector<char> kept(kTrailBlockBytes);
  const ssize_t got = read(descriptor, kept.data(), kept.size());
  close(descriptor);
  HugeMemory first(kTrailBlockBytes);
  if (absl::Status s = trail.Read(segment, 0, absl::MakeSpan(first.data(), kTrailBlockBytes));
      !s.ok()) {
    return s;
  }
  if (got != static_cast<ssize_t>(kept.size()) ||
      std::memcmp(kept.data(), first.data(), kept.size()) != 0) {
    return trail_error::ArchiveHoldsAnother(path);
  }
  return true;
}

absl::Status TrailArchive::Add(TrailDevice& trail, uint64_t segment, uint64_t bytes) {
  const absl::StatusOr<bool> has = Has(trail, segment);
  if (!has.ok()) return has.status();
  if (*has) return absl::OkStatus();
  const std::string path = StrCat(folder_, "/", SegmentFileName(segment));
  DurableFile copy(path);
  int error = copy.Open();
  const HugeMemory step(std::min(bytes, kStepBytes));
  if (step.data() == nullptr) error = ENOMEM;
  for (uint64_t offset = 0; error == 0 && offset < bytes; offset += kStepBytes) {
    const absl::Span<char> part(step.data(), std::min(kStepBytes, bytes - offset));
    if (absl::Status s = trail.Read(segment, offset, part); !s.ok()) return s;
    error = copy.Append({part.data(), part.size()});
  }
  if (error == 0) error = copy.Finish();
  if (error != 0) return trail_error::ArchiveFailed("writing", path, error);
  return absl::OkStatus();
}

}  // namespace quire
