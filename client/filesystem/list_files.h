// FILES, REFRESH and counters over volumes. All wait for volumes: only on worker threads.
#ifndef QUIRE_CLIENT_FILESYSTEM_LIST_FILES_H_
#define QUIRE_CLIENT_FILESYSTEM_LIST_FILES_H_

#include "absl/status/statusor.h"
#include "client/filesystem/volume_set.h"
#include "quire/service.h"

namespace quire {

// One page of the files that match, over the volumes that answer, in name order (which is volume
// by volume); secondaries stand under their own volume. With `pending` only secondaries whose file
// was never finished or is gone, the latter marked `pending` too; on each volume first the ones,
// then the others. 14 when the fileset names one volume that is not in the map; 66 when that one,
// or every one that matches, is down; 22 for a page token that is not ours.
absl::StatusOr<ListPage> ListFiles(const VolumeSet& volumes, const ListRequest& request);

// Control points at once on the volume named, or (empty) on all; the sum of the blocks and the
// highest change sequence. The first error, after all have ended.
absl::StatusOr<RefreshAnswer> RefreshVolumes(const VolumeSet& volumes, const std::string& volume);

// Counters of the volume named (14, 66), or (empty) of those that answer; 66 when none does.
absl::StatusOr<MeasureSnapshot> SnapshotVolumes(const VolumeSet& volumes,
                                                const SnapshotRequest& request);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_LIST_FILES_H_
