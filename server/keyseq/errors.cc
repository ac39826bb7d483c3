#include "server/keyseq/errors.h"

#include "absl/strings/escaping.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire::keyseq_error {
namespace {

constexpr size_t kShownKeyBytes = 64;  // of a key in a message

absl::Status Count(std::string_view sentence) {
  return MakeError(ErrorNumber::kIllegalCount, sentence);
}

}  // namespace

absl::Status NoCurrentRecord(uint64_t key_bytes, uint32_t key_length) {
  return MakeError(ErrorNumber::kNotFound,
                   StrCat("the open is on no record: the key of its position has ", key_bytes,
                          " bytes, KEYLEN of the file is ", key_length,
                          ". READ a record first, or position by a whole key"));
}

absl::Status EmptyRecord() {
  return Count(
      "the record is empty; a record holds at least its key, and deleting is an operation "
      "of its own");
}

absl::Status RecordShorterThanKey(uint64_t record_bytes, uint32_t key_end) {
  return Count(StrCat("the record has ", record_bytes, " bytes, but its key ends at byte ", key_end,
                      " (KEYOFF + KEYLEN); make it at least that long"));
}

absl::Status RecordTooLong(uint64_t record_bytes, uint32_t record_limit) {
  return Count(StrCat("the record has ", record_bytes, " bytes; REC of the file is ", record_limit,
                      ". Shorten it, or create a file with a larger REC"));
}

absl::Status WrongKeyLength(uint64_t key_bytes, uint32_t key_length) {
  return Count(StrCat("the key has ", key_bytes, " bytes; KEYLEN of the file is ", key_length,
                      ", and this operation takes the whole key"));
}

absl::Status KeyTooLong(uint64_t key_bytes, uint32_t key_length) {
  return Count(StrCat("the key has ", key_bytes, " bytes, more than KEYLEN of the file, which is ",
                      key_length));
}

absl::Status MaxExtentsOutOfRange(uint32_t max_extents, uint32_t least, uint32_t most) {
  return Count(
      StrCat("MAXEXTENTS ", max_extents, " is out of range; it may be ", least, " to ", most));
}

absl::Status MaxExtentsBelowAllocated(uint32_t max_extents, uint32_t allocated) {
  return Count(StrCat("MAXEXTENTS ", max_extents, " is below the ", allocated,
                      " extents that are allocated already"));
}

absl::Status PartitionTooLarge(uint32_t max_extents, uint64_t bytes, uint64_t most_bytes) {
  return Count(StrCat("MAXEXTENTS ", max_extents, " would make a partition of ", bytes,
                      " bytes; in this format it has at most ", most_bytes));
}

absl::Status UnknownOperation(uint32_t kind) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("operation kind ", kind, " is not known; update the server"));
}

absl::Status UnknownReadMode(uint32_t mode) {
  return MakeError(ErrorNumber::kBadParameter, StrCat("read mode ", mode, " does not exist"));
}

absl::Status FileFull(const FileName& name, uint32_t max_extents) {
  return MakeError(ErrorNumber::kFileFull,
                   StrCat(name.ToString(), " is full: all of its ", max_extents,
                          " extents are used; raise MAXEXTENTS with FUP ALTER"));
}

absl::Status KeyOfOtherPartition(std::string_view key, const FileName& name) {
  const std::string shown = absl::CHexEscape(ToAbsl(key.substr(0, kShownKeyBytes)));
  return MakeError(ErrorNumber::kReopen,
                   StrCat("key \"", shown, "\" does not belong to the partition ", name.ToString(),
                          "; open the file again to get its partitions as they are now"),
                   Retry::kReopen);
}

absl::Status FileIsBad(const FileName& name) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat(name.ToString(),
                          " has a damaged block and takes no changes; read what can be read, then "
                          "purge and restore it"));
}

absl::Status BadExtents(const FileName& name, std::string_view reason) {
  return MakeError(ErrorNumber::kFileBad, StrCat("extents of ", name.ToString(), ": ", reason));
}

absl::Status BadLabel(std::string_view reason) {
  return MakeError(ErrorNumber::kFileBad, StrCat("stored label: ", reason));
}

}  // namespace quire::keyseq_error
