// CREATE over volumes, all or nothing (R-D13).
//
//   1. secondaries are made, pending, with a new create id
//   2. the primary's label is written: the commit
//   3. each secondary is told (kConfirm), then the primary that all were (kConfirmed)
//
// A failure before the commit undoes what was made; pending secondaries that cannot be reached for
// that stay invisible and are removed by their volume later. After the commit the file exists, and
// whoever opens it next finishes step 3.
//
// These functions wait for volumes: only on worker threads.
#ifndef QUIRE_CLIENT_FILESYSTEM_CREATE_FILE_H_
#define QUIRE_CLIENT_FILESYSTEM_CREATE_FILE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/filesystem/volume_set.h"
#include "quire/file_info.h"
#include "quire/service.h"

namespace quire {

// The primary's label. Errors of Normalize, and: 10 exists, or two partitions on one volume; 14 a
// volume is not in the map (the message names the PART); 66 a volume does not answer; what a
// volume answers (43, 45 …); 201 when it is not known whether the commit happened.
absl::StatusOr<FileInfo> CreateFile(const VolumeSet& volumes, CreateRequest request);

// Step 3 for the file with this primary label, making secondaries again that are missing. OK when
// the primary knows that all secondaries know.
absl::Status FinishCreate(const VolumeSet& volumes, const FileInfo& primary);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_CREATE_FILE_H_
