// Errors of the file system layer: routing, opens over volumes, CREATE and PURGE over volumes. One
// function per error; each sentence says what is wrong and what to do.
#ifndef QUIRE_CLIENT_FILESYSTEM_ERRORS_H_
#define QUIRE_CLIENT_FILESYSTEM_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "quire/file_name.h"

namespace quire::filesystem_errors {

// 14: a name, or a partition of a file, is on a volume that the map does not hold.
absl::Status NoSuchVolume(std::string_view volume);
absl::Status PartOnUnknownVolume(uint32_t part, std::string_view volume);
// 66, retry safe: nothing was done there.
absl::Status VolumeDown(std::string_view volume, std::string_view reason);
absl::Status NoVolumeAnswers(std::string_view reason);
absl::Status RouterSilent(std::string_view address, std::string_view reason);
absl::Status ShuttingDown();
// 66: an open whose connection to a volume (or to the router) broke; open the file again.
absl::Status OpenBroken(std::string_view where, std::string_view reason);
// 66, retry safe: the open's connection broke and cannot be made again; nothing was done.
absl::Status OpenUnreachable(std::string_view where, std::string_view reason);
// 72: the partition could not be opened when the file was.
absl::Status PartitionNotOpen(uint32_t partition, std::string_view volume, std::string_view reason);
// 72: a secondary partition opened by its own name.
absl::Status SecondaryByName(const FileName& name, std::string_view primary_volume);
// 201, outcome unknown: sent, but the connection broke before the answer.
absl::Status OutcomeUnknown(std::string_view where, std::string_view reason);
// 201, outcome unknown: the volume's answer has fewer results than the batch has operations.
absl::Status ResultMissing(std::string_view where);
// 31: more batches without results than the open has credits.
absl::Status TooManyBatches(uint32_t credits);
// 22: an operation behind a failed one in a batch with stop_on_error.
absl::Status NotExecuted();
// 22: a single call must have one operation.
absl::Status NotOneOperation(uint64_t operations);
// 16: a call on a file that was closed.
absl::Status FileClosed(const FileName& name);
// 60, retry REOPEN: the file was replaced by another of the same name.
absl::Status StaleLabel(const FileName& name);

// CREATE, ALTER, PURGE over volumes.
absl::Status FileExists(const FileName& name);                                     // 10
absl::Status PartOnPrimaryVolume(uint32_t part, std::string_view volume);          // 10
absl::Status CreateOutcomeUnknown(const FileName& name, std::string_view reason);  // 201
absl::Status FileIsOpen(const FileName& name, uint32_t opens);                     // 12
// 3: the file is gone, a partition's volume could not be told.
absl::Status PurgedButPartitionRemains(const FileName& name, std::string_view volumes);
// 3: some partitions were altered, some not.
absl::Status AlteredInPart(const FileName& name, std::string_view volumes);
// 22: a step of CREATE's protocol sent to a router, which runs that protocol itself.
absl::Status StepIsInternal();

// 1: reading on after the end of a scan.
absl::Status ScanEnded();
// The number and advice of `cause`, with the last key given (R-S3).
absl::Status ScanBroken(const absl::Status& cause, std::string_view last_key);
// 22: a chunk sent after the load stopped at a refused record.
absl::Status LoadStopped();
// 22: lengths of a chunk do not add up to its data.
absl::Status ChunkMalformed();
// 22: a chunk holds a record that is not the next one of its scan.
absl::Status ChunkOutOfOrder();
// 1: READ behind the last record of the subset.
absl::Status SubsetEnded();
// 22: bytes that are a position, but of a file with longer keys.
absl::Status PositionOfOtherFile(uint64_t key_length, uint32_t file_key_length);
// 21: a sequential buffer above the largest chunk; an operation above the largest batch.
absl::Status BufferTooLarge(uint32_t bytes);
absl::Status OperationTooLarge(uint64_t bytes, uint32_t limit);
// 40, retry safe: cancelled before it was sent.
absl::Status Cancelled();
// 22: the token of a resume is of another file, or of none.
absl::Status BadResumeToken();
// 22: a page token that this service did not give.
absl::Status BadPageToken();

// 22: connection options and volume maps.
absl::Status OneOfRouterAndVolumes();
absl::Status MapUnreadable(std::string_view path, std::string_view reason);
absl::Status MapLine(std::string_view path, uint32_t line, std::string_view reason);

// What a failed call that changes nothing tells its user: a broken connection is 66, since
// nothing can have been left undone; every other status is passed on.
absl::Status AsReadFailure(const absl::Status& status, std::string_view volume);

}  // namespace quire::filesystem_errors

#endif  // QUIRE_CLIENT_FILESYSTEM_ERRORS_H_
