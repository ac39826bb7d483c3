// Errors of key-sequenced files: the only place where their numbers and sentences are decided.
#ifndef QUIRE_SERVER_KEYSEQ_ERRORS_H_
#define QUIRE_SERVER_KEYSEQ_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "quire/file_name.h"
#include "server/base/ids.h"

namespace quire::keyseq_error {

// 11: READUPDATE and the like at a position that is on no record.
absl::Status NoCurrentRecord(uint64_t key_bytes, uint32_t key_length);
// 21: counts and lengths.
absl::Status EmptyRecord();
absl::Status RecordShorterThanKey(uint64_t record_bytes, uint32_t key_end);
absl::Status RecordTooLong(uint64_t record_bytes, uint32_t record_limit);
absl::Status WrongKeyLength(uint64_t key_bytes, uint32_t key_length);
absl::Status KeyTooLong(uint64_t key_bytes, uint32_t key_length);
absl::Status MaxExtentsOutOfRange(uint32_t max_extents, uint32_t least, uint32_t most);
absl::Status MaxExtentsBelowAllocated(uint32_t max_extents, uint32_t allocated);
absl::Status PartitionTooLarge(uint32_t max_extents, uint64_t bytes, uint64_t most_bytes);

// 22: an operation kind or read mode this version does not know.
absl::Status UnknownOperation(uint32_t kind);
absl::Status UnknownReadMode(uint32_t mode);
// 45: every extent the file may have is allocated and no block is free.
absl::Status FileFull(const FileName& name, uint32_t max_extents);
// 60: the key lies in another partition of the file; the caller's label is stale.
absl::Status KeyOfOtherPartition(std::string_view key, const FileName& name);
// 59: a block of the file did not check, so it takes no changes.
absl::Status FileIsBad(const FileName& name);
// 59: the label's extents contradict its EOF or its attributes.
absl::Status BadExtents(const FileName& name, std::string_view reason);
// 59: stored bytes are not a label, or not a structural state.
absl::Status BadLabel(std::string_view reason);

}  // namespace quire::keyseq_error

#endif  // QUIRE_SERVER_KEYSEQ_ERRORS_H_
