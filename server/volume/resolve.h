// From a FileReference to the file and the open it means. Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_RESOLVE_H_
#define QUIRE_SERVER_VOLUME_RESOLVE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/service.h"
#include "server/volume/open_table.h"
#include "server/volume/volume_state.h"

namespace quire {

// The file of that name, without any check but the name: nullptr when this volume has none.
FileEntry* FindFile(const VolumeState& state, const FileName& name);

// 14 another volume's, 11 no such file, 72 a secondary by name, 60 replaced since.
absl::StatusOr<FileEntry*> ResolveFile(const VolumeState& state, const FileReference& reference);

// The file for INFO and CHECK, which may name a secondary by its own name: 11 also while pending.
absl::StatusOr<FileEntry*> ResolveNamed(const VolumeState& state, const FileReference& reference);

// The file for record access: 72 also when the partition is pending.
absl::StatusOr<FileEntry*> ResolveForAccess(const VolumeState& state,
                                            const FileReference& reference);

// The open a record request runs under: the one named, else the implicit one. 16, 12, 35.
absl::StatusOr<OpenEntry*> ResolveOpen(VolumeState& state, const FileReference& reference);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_RESOLVE_H_
