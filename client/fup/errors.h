// The error catalogue of FUP: one function per error a command text or a session can have.
//
// Errors of the file system pass through unchanged; OnFile says which file they are about, and is
// what turns an error into the line "ERROR - name: FILE SYSTEM ERROR: ERR n".
#ifndef QUIRE_CLIENT_FUP_ERRORS_H_
#define QUIRE_CLIENT_FUP_ERRORS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace quire {
namespace fup_errors {

// ---- Command text: 22, or 21 where a number is out of bounds ---------------------------------

absl::Status StringNotClosed();
// `wanted` and `found` are phrases: "a number for REC", "\",\"".
absl::Status Expected(std::string_view wanted, std::string_view found);
absl::Status NumberOutOfRange(std::string_view what, std::string_view written, uint64_t least,
                              uint64_t most);
absl::Status VerbMissing(std::string_view name);

// ---- What Quire does not have ----------------------------------------------------------------

absl::Status CommandNotBuilt(std::string_view verb);
absl::Status AttributeNotBuilt(std::string_view attribute, std::string_view reason);
absl::Status CannotBeAltered(std::string_view attribute);
absl::Status AuditIsBuffered();

// ---- Sessions --------------------------------------------------------------------------------

absl::Status PartitionNumberMissing(uint32_t number, uint32_t highest);
absl::Status PurgeNeedsConfirmation();
absl::Status ObeyTooDeep(int limit);
absl::Status CannotReadFile(std::string_view path, std::string_view reason);
absl::Status NoSuchHistory(std::string_view wanted);
absl::Status NoFileMatches(std::string_view fileset);

}  // namespace fup_errors

// ---- About a file ----------------------------------------------------------------------------

// The same error, naming the file; OK stays OK. An error that names a file already keeps it.
absl::Status OnFile(std::string_view file_name, const absl::Status& status);
// The file an error is about, when OnFile named one.
std::optional<std::string> FileOf(const absl::Status& status);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_ERRORS_H_
