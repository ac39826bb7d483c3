// Errors as Enscribe programs know them: an absl::Status that carries the Enscribe error number,
// whether a retry is safe, and a sentence that says what is wrong and what to do.
//
// Numbers and meanings: HP Enscribe Programmer's Guide / Guardian Procedure Errors. Every layer
// has one catalogue (errors.h in its folder) whose functions make its errors with MakeError.
// Status codes are those of the table in the API rules (R-A1), so that a gRPC client that knows
// nothing of Enscribe still sees the nearest standard code.
#ifndef QUIRE_ERROR_H_
#define QUIRE_ERROR_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace quire {

// Values are Enscribe's; they travel on the wire and are never reused.
enum class ErrorNumber : int32_t {
  kOk = 0,
  kEndOfFile = 1,              // past the last record of the file or subset
  kInvalidOperation = 2,       // not allowed for this type of file or format
  kPartitionFailure = 3,       // warning: a partition could not be opened or purged
  kNoSequentialBuffering = 5,  // warning: sequential block buffering is not possible
  kReadThroughLock = 9,        // warning: read through another's lock
  kAlreadyExists = 10,         // file or record already exists
  kNotFound = 11,              // file not in directory, record not in file
  kFileInUse = 12,             // exclusion conflict
  kIllegalName = 13,           // malformed file name
  kNoSuchVolume = 14,          // volume not in the volume map
  kNotOpen = 16,               // open id never given or already closed
  kIllegalCount = 21,          // a length or size out of bounds
  kBadParameter = 22,          // parameter out of bounds, unknown enumerator
  kNoBufferSpace = 31,         // file-system buffer space used up
  kNoControlBlock = 35,        // volume server's bounded tables used up
  kTimedOut = 40,              // lock wait or call ran out of time
  kNoDiscSpace = 43,           // the volume has no room
  kFileFull = 45,              // all extents of the partition are used
  kInvalidKey = 46,            // partial keys not rising, key changed by an update
  kSecurityViolation = 48,     // RWEP check failed
  kAccessViolation = 49,       // e.g. a write on a read-only open
  kFileBad = 59,               // a block does not check
  kReopen = 60,                // lease expired, file replaced or volume restarted: open again
  kVolumeDown = 66,            // volume unreachable or latched after a failed sync
  kPartitionMissing = 72,      // partition not open, or structured access to a secondary
  kLocked = 73,                // file or record locked by another open
  kDataLoss = 122,             // acknowledged BUFFERED changes were lost in a restart
  kPathDown = 201,             // connection lost; outcome unknown without sync ids
};

// What a caller may do with a failed operation without asking anybody.
enum class Retry : uint8_t {
  kNever = 0,           // the same call fails the same way
  kSafe = 1,            // nothing was done; the same call may be repeated
  kOutcomeUnknown = 2,  // it may or may not have been done
  kReopen = 3,          // open the file again (fresh label), then repeat
};

// Stable lower-case name of a number, e.g. "already-exists"; "unknown" for numbers not in the enum.
std::string_view ErrorName(ErrorNumber number);

// Status code the number maps to (R-A1); UNKNOWN for numbers not in the enum.
absl::StatusCode StatusCodeOf(ErrorNumber number);

// `sentence` says what is wrong and what to do. kOk is not an error: it is answered with an
// INTERNAL status, so that a wrong call is seen.
absl::Status MakeError(ErrorNumber number, std::string_view sentence, Retry retry = Retry::kNever);

// The number a status carries; kOk for OK, and for a status that did not come from MakeError the
// nearest number of its code (e.g. UNAVAILABLE from a transport is kPathDown).
ErrorNumber NumberOf(const absl::Status& status);

// The retry advice a status carries; a transport's own UNAVAILABLE or DEADLINE_EXCEEDED is
// kOutcomeUnknown, everything else without advice is kNever.
Retry RetryOf(const absl::Status& status);

// Advice as it stands in the `quire-retry` trailer: NEVER, SAFE, OUTCOME_UNKNOWN, REOPEN.
std::string_view RetryName(Retry retry);

// "error 10 (already-exists): sentence", for people.
std::string Describe(const absl::Status& status);

}  // namespace quire

#endif  // QUIRE_ERROR_H_
