// What is known of a file: its label and those of all its partitions. Waits for volumes: only on
// worker threads.
#ifndef QUIRE_CLIENT_FILESYSTEM_DESCRIBE_FILE_H_
#define QUIRE_CLIENT_FILESYSTEM_DESCRIBE_FILE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "client/filesystem/volume_set.h"
#include "quire/file_info.h"
#include "quire/service.h"

namespace quire {

// The label of the one partition that file.name is, from its volume. 11, 14, 60, 66, 72.
absl::StatusOr<FileInfo> PartitionInfo(const VolumeSet& volumes, const FileReference& file);

// Of each secondary, in partition order, asked for at once.
std::vector<absl::StatusOr<FileInfo>> SecondaryInfos(const VolumeSet& volumes,
                                                     const FileInfo& primary);

// INFO: the primary's label, or an error when its volume does not give it; of the secondaries,
// each its own label or error. A CREATE interrupted after its commit is finished first.
absl::StatusOr<FileDescription> DescribeFile(const VolumeSet& volumes, const FileReference& file);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_DESCRIBE_FILE_H_
