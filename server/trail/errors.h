// The errors of the audit trail: one function each, with the Enscribe number it stands for.
#ifndef QUIRE_SERVER_TRAIL_ERRORS_H_
#define QUIRE_SERVER_TRAIL_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "server/base/ids.h"

namespace quire::trail_error {

// 59: bytes that claim to be a batch are not one.
absl::Status BadBatch(std::string_view reason);
// 59: a whole batch of a layout this program does not know; `known` is the newest that it does.
absl::Status UnknownVersion(uint32_t version, uint32_t known);
// 59: acknowledged records are missing in front of a whole batch.
absl::Status Hole(uint64_t segment, uint64_t offset, Lsn first_missing, Lsn found);
// 59: a batch lies on both sides of the LSN a control point is complete to.
absl::Status CutInsideBatch(uint64_t segment, uint64_t offset, Lsn first, Lsn from);
// 59: the store holds records up to `from` and there is no segment at all.
absl::Status Missing(Lsn from);
// 59: the segment was written by another volume.
absl::Status ForeignSegment(uint64_t segment, uint64_t found_volume_id);
// 59: a segment file with a number or size that no trail gives.
absl::Status ImpossibleSegment(uint64_t segment, uint64_t bytes);
// 59: the trail was written in an epoch that the store has not reached.
absl::Status EpochNotAbove(uint64_t epoch, uint64_t trail_epoch);

// 21: a batch above max_batch_bytes.
absl::Status BatchTooLong(uint64_t bytes, uint64_t limit_bytes);
// 22: segment size out of bounds.
absl::Status BadSegmentBytes(uint64_t bytes);
// 22: the file system of the directory cannot do direct writes.
absl::Status NoDirectWrites(std::string_view directory);

// 43: no segment is free and the disc has no room for another.
absl::Status NoRoom(uint64_t bytes);
// 43: the disc refused a new segment.
absl::Status NoSpaceForSegment(uint64_t segment, uint64_t bytes);
// 66: the disc or the file system refused an operation; `error_number` is errno.
absl::Status DiscFailed(std::string_view operation, std::string_view file, int error_number);
// 66: the archive's disc or file system refused an operation; `error_number` is errno.
absl::Status ArchiveFailed(std::string_view operation, std::string_view file, int error_number);
// 66: the archive has a file of that name from another trail.
absl::Status ArchiveHoldsAnother(std::string_view file);
// 66: the simulated disc was cut.
absl::Status DiscCut();
// 66: no such segment, or bytes outside it.
absl::Status OutsideSegment(uint64_t segment, uint64_t offset, uint64_t bytes);
// 2: the trail was opened for reading.
absl::Status ReadOnly();
// 66: the trail is being closed.
absl::Status Closing();

}  // namespace quire::trail_error

#endif  // QUIRE_SERVER_TRAIL_ERRORS_H_
