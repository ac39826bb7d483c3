// The records of a source, packed into chunks and loaded.
#ifndef QUIRE_CLIENT_FILESYSTEM_LOAD_FILE_H_
#define QUIRE_CLIENT_FILESYSTEM_LOAD_FILE_H_

#include "absl/status/statusor.h"
#include "quire/filesystem.h"
#include "quire/service.h"

namespace quire {

// Keeps a few chunks under way and waits for all of them. Stopping at a refused record (see
// LoadPartitions for what may still be inserted behind it) is an OK answer with `stopped`; the
// source is then not asked again. Errors are those of the stream: records may have been inserted.
absl::StatusOr<LoadSummary> LoadRecords(Service& service, FileReference file,
                                        File::RecordSource source, const LoadOptions& options);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_LOAD_FILE_H_
