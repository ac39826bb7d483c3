// The error catalogue of MEASCOM: one function per error its command text, its files and its
// windows can have. Errors of the file system pass through unchanged.
#ifndef QUIRE_CLIENT_MEASURE_ERRORS_H_
#define QUIRE_CLIENT_MEASURE_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace quire {
namespace measure_errors {

// ---- Command text ----------------------------------------------------------------------------

absl::Status StringNotClosed();  // 22
// `wanted` and `found` are phrases: "a file name", "the end". 22.
absl::Status Expected(std::string_view wanted, std::string_view found);
absl::Status NotANumber(std::string_view written);                                        // 22
absl::Status NumberTooLarge(std::string_view written);                                    // 21
absl::Status IllegalVolumeSpecification(std::string_view entity, std::string_view text);  // 13
// `nearest` is empty when no counter of the entity comes near. 22.
absl::Status UnknownCounter(std::string_view counter, std::string_view entity,
                            std::string_view nearest);

// ---- Windows ---------------------------------------------------------------------------------

// RATE ON for `subject` whose window has no known start, or no length. 22.
absl::Status RateNeedsWindow(std::string_view subject);
absl::Status SnapshotsSwapped(std::string_view volume);         // 22
absl::Status VolumeNotInLastSnapshot(std::string_view volume);  // 22
absl::Status VolumeDoesNotAnswer(std::string_view volume);      // 66

// ---- Snapshot files --------------------------------------------------------------------------

absl::Status CannotReadFile(std::string_view path, std::string_view reason);   // 11
absl::Status CannotWriteFile(std::string_view path, std::string_view reason);  // 43
absl::Status NotASnapshot(std::string_view path, std::string_view reason);     // 22

}  // namespace measure_errors
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_ERRORS_H_
