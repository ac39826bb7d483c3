// CREATE, INFO, ALTER, PURGE and LIST at one volume. Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_FILE_COMMANDS_H_
#define QUIRE_SERVER_VOLUME_FILE_COMMANDS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/service.h"
#include "server/volume/disc_process.h"
#include "server/volume/request.h"

namespace quire {

// One partition, or a whole file that has no secondaries. Answering the same partition and
// create_id twice is OK: CREATE's protocol repeats itself after a failure (R-D13). A secondary
// left over from a file that was never finished, or whose primary is gone, makes way.
absl::StatusOr<FileInfo> CreateFile(VolumeState& state, DiscProcess& process, Request& request,
                                    const CreateRequest& create);

absl::StatusOr<FileDescription> DescribeFile(VolumeState& state, DiscProcess& process,
                                             Request& request, const FileReference& file);

// MAXEXTENTS, LOOKASIDE and the steps of CREATE's protocol, which are logged. AUDIT and BUFFERED
// are AlterMode.
absl::Status AlterFile(VolumeState& state, DiscProcess& process, Request& request,
                       const AlterRequest& alter);

// The barrier of R-D6: requests on the file wait, a control point completes and holds the new
// mode, then `done` is called. Other changes of `alter` are made first. AUDIT with NO BUFFERED: 2.
void AlterMode(VolumeState& state, DiscProcess& process, Request& request,
               const AlterRequest& alter, DoneStatus done);

absl::Status PurgeFile(VolumeState& state, DiscProcess& process, Request& request,
                       const PurgeRequest& purge);

absl::StatusOr<ListPage> ListFiles(VolumeState& state, const ListRequest& list);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_FILE_COMMANDS_H_
