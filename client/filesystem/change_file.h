// PURGE and ALTER over volumes. Both wait for volumes: only on worker threads.
#ifndef QUIRE_CLIENT_FILESYSTEM_CHANGE_FILE_H_
#define QUIRE_CLIENT_FILESYSTEM_CHANGE_FILE_H_

#include "absl/status/status.h"
#include "client/filesystem/volume_set.h"
#include "quire/service.h"

namespace quire {

// Removes the primary's label first, which ends the file, then the secondaries. Before anything is
// removed every volume must answer (else 66; 14 when one is not in the map) and nobody may have
// the file open (12). 3 when a secondary's volume failed afterwards: the file is gone, that
// partition is an invisible orphan and will be removed later.
absl::Status PurgeFile(const VolumeSet& volumes, const PurgeRequest& request);

// BUFFERED and MAXEXTENTS on every partition, the primary last, so that a label that shows the
// change is true of all. Every volume must answer before anything is changed (66, 14). 3 when a
// partition failed afterwards: repeat the ALTER.
absl::Status AlterFile(const VolumeSet& volumes, const AlterRequest& request);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_CHANGE_FILE_H_
