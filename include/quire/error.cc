#include "quire/error.h"

#include <array>
#include <optional>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr std::string_view kNumberPayload = "quire/error-number";
constexpr std::string_view kRetryPayload = "quire/retry";

struct ErrorRow {
  ErrorNumber number;
  std::string_view name;
  absl::StatusCode code;
};

using Code = absl::StatusCode;

constexpr std::array kRows = {
    ErrorRow{ErrorNumber::kOk, "ok", Code::kOk},
    ErrorRow{ErrorNumber::kEndOfFile, "end-of-file", Code::kOutOfRange},
    ErrorRow{ErrorNumber::kInvalidOperation, "invalid-operation", Code::kInvalidArgument},
    ErrorRow{ErrorNumber::kPartitionFailure, "partition-failure", Code::kUnavailable},
    ErrorRow{ErrorNumber::kNoSequentialBuffering, "no-sequential-buffering",
             Code::kFailedPrecondition},
    ErrorRow{ErrorNumber::kReadThroughLock, "read-through-lock", Code::kAborted},
    ErrorRow{ErrorNumber::kAlreadyExists, "already-exists", Code::kAlreadyExists},
    ErrorRow{ErrorNumber::kNotFound, "not-found", Code::kNotFound},
    ErrorRow{ErrorNumber::kFileInUse, "file-in-use", Code::kFailedPrecondition},
    ErrorRow{ErrorNumber::kIllegalName, "illegal-name", Code::kInvalidArgument},
    ErrorRow{ErrorNumber::kNoSuchVolume, "no-such-volume", Code::kNotFound},
    ErrorRow{ErrorNumber::kNotOpen, "not-open", Code::kFailedPrecondition},
    ErrorRow{ErrorNumber::kIllegalCount, "illegal-count", Code::kInvalidArgument},
    ErrorRow{ErrorNumber::kBadParameter, "bad-parameter", Code::kInvalidArgument},
    ErrorRow{ErrorNumber::kNoBufferSpace, "no-buffer-space", Code::kResourceExhausted},
    ErrorRow{ErrorNumber::kNoControlBlock, "no-control-block", Code::kResourceExhausted},
    ErrorRow{ErrorNumber::kTimedOut, "timed-out", Code::kDeadlineExceeded},
    ErrorRow{ErrorNumber::kNoDiscSpace, "no-disc-space", Code::kResourceExhausted},
    ErrorRow{ErrorNumber::kFileFull, "file-full", Code::kResourceExhausted},
    ErrorRow{ErrorNumber::kInvalidKey, "invalid-key", Code::kInvalidArgument},
    ErrorRow{ErrorNumber::kSecurityViolation, "security-violation", Code::kPermissionDenied},
    ErrorRow{ErrorNumber::kAccessViolation, "access-violation", Code::kPermissionDenied},
    ErrorRow{ErrorNumber::kFileBad, "file-bad", Code::kDataLoss},
    ErrorRow{ErrorNumber::kReopen, "reopen", Code::kAborted},
    ErrorRow{ErrorNumber::kVolumeDown, "volume-down", Code::kUnavailable},
    ErrorRow{ErrorNumber::kPartitionMissing, "partition-missing", Code::kUnavailable},
    ErrorRow{ErrorNumber::kLocked, "locked", Code::kAborted},
    ErrorRow{ErrorNumber::kDataLoss, "data-loss", Code::kDataLoss},
    ErrorRow{ErrorNumber::kPathDown, "path-down", Code::kUnavailable},
};

const ErrorRow* FindRow(ErrorNumber number) {
  for (const ErrorRow& row : kRows) {
    if (row.number == number) return &row;
  }
  return nullptr;
}

// A status that another library made has no number of its own.
ErrorNumber NearestNumber(absl::StatusCode code) {
  switch (code) {
    case Code::kOk:
      return ErrorNumber::kOk;
    case Code::kOutOfRange:
      return ErrorNumber::kEndOfFile;
    case Code::kAlreadyExists:
      return ErrorNumber::kAlreadyExists;
    case Code::kNotFound:
      return ErrorNumber::kNotFound;
    case Code::kFailedPrecondition:
      return ErrorNumber::kNotOpen;
    case Code::kInvalidArgument:
      return ErrorNumber::kBadParameter;
    case Code::kUnimplemented:
      return ErrorNumber::kInvalidOperation;
    case Code::kDeadlineExceeded:
      return ErrorNumber::kTimedOut;
    case Code::kResourceExhausted:
      return ErrorNumber::kNoBufferSpace;
    case Code::kPermissionDenied:
    case Code::kUnauthenticated:
      return ErrorNumber::kSecurityViolation;
    case Code::kDataLoss:
      return ErrorNumber::kFileBad;
    case Code::kAborted:
      return ErrorNumber::kReopen;
    default:
      return ErrorNumber::kPathDown;
  }
}

std::optional<int32_t> Payload(const absl::Status& status, std::string_view url) {
  const absl::optional<absl::Cord> cord = status.GetPayload(ToAbsl(url));
  int32_t value = 0;
  if (!cord || !absl::SimpleAtoi(std::string(*cord), &value)) return std::nullopt;
  return value;
}

}  // namespace

std::string_view ErrorName(ErrorNumber number) {
  const ErrorRow* row = FindRow(number);
  return row == nullptr ? "unknown" : row->name;
}

absl::StatusCode StatusCodeOf(ErrorNumber number) {
  const ErrorRow* row = FindRow(number);
  return row == nullptr ? Code::kUnknown : row->code;
}

absl::Status MakeError(ErrorNumber number, std::string_view sentence, Retry retry) {
  if (number == ErrorNumber::kOk) {
    return absl::InternalError(StrCat("MakeError called with number 0: ", sentence));
  }
  absl::Status status(StatusCodeOf(number), ToAbsl(sentence));
  status.SetPayload(ToAbsl(kNumberPayload), absl::Cord(StrCat(static_cast<int32_t>(number))));
  status.SetPayload(ToAbsl(kRetryPayload), absl::Cord(StrCat(static_cast<int32_t>(retry))));
  return status;
}

ErrorNumber NumberOf(const absl::Status& status) {
  if (status.ok()) return ErrorNumber::kOk;
  const std::optional<int32_t> number = Payload(status, kNumberPayload);
  return number ? static_cast<ErrorNumber>(*number) : NearestNumber(status.code());
}

Retry RetryOf(const absl::Status& status) {
  if (const std::optional<int32_t> retry = Payload(status, kRetryPayload)) {
    return static_cast<Retry>(*retry);
  }
  const bool transport = status.code() == Code::kUnavailable ||
                         status.code() == Code::kDeadlineExceeded ||
                         status.code() == Code::kCancelled;
  return transport ? Retry::kOutcomeUnknown : Retry::kNever;
}

std::string_view RetryName(Retry retry) {
  switch (retry) {
    case Retry::kNever:
      return "NEVER";
    case Retry::kSafe:
      return "SAFE";
    case Retry::kOutcomeUnknown:
      return "OUTCOME_UNKNOWN";
    case Retry::kReopen:
      return "REOPEN";
  }
  return "NEVER";
}

std::string Describe(const absl::Status& status) {
  if (status.ok()) return "ok";
  const ErrorNumber number = NumberOf(status);
  return StrCat("error ", static_cast<int32_t>(number), " (", ErrorName(number),
                "): ", status.message());
}

}  // namespace quire
