// Where released segments of a trail are kept for a restore, beyond the life of their volume:
// --trail-archive. One directory may serve several volumes; each has a folder in it, named by its
// id in 16 hex digits, with files named as in the trail's own directory.
//
// A segment stands there whole and on disc before the trail may use it again.
#ifndef QUIRE_SERVER_TRAIL_TRAIL_ARCHIVE_H_
#define QUIRE_SERVER_TRAIL_TRAIL_ARCHIVE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/trail/trail_device.h"

namespace quire {

class TrailArchive {
 public:
  // Makes the volume's folder; `directory` itself must exist. 66 when it cannot.
  static absl::StatusOr<std::unique_ptr<TrailArchive>> Open(const std::string& directory,
                                                            uint64_t volume_id);

  // Copies the first `bytes` of a segment, which is not written meanwhile. One that is there
  // already is left alone. 66: not copied, to be tried again; also when the archive has other
  // content under that number, written by another copy of the volume. One thread.
  absl::Status Add(TrailDevice& trail, uint64_t segment, uint64_t bytes);

  // Of a volume in an archive's directory.
  static std::string FolderOf(const std::string& directory, uint64_t volume_id);

 private:
  explicit TrailArchive(std::string folder) : folder_(std::move(folder)) {}
  // Whether the segment is there; 66 when something else is.
  absl::StatusOr<bool> Has(TrailDevice& trail, uint64_t segment) const;

  const std::string folder_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_TRAIL_ARCHIVE_H_
