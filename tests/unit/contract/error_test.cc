#include "quire/error.h"

#include <map>
#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "gtest/gtest.h"
#include "quire/text.h"

namespace quire {
namespace {

using Code = absl::StatusCode;

struct Row {
  std::string name;
  Code code;
};

// R-A1. Numbers are Enscribe's and travel on the wire: a changed row breaks clients.
const std::map<int32_t, Row>& Expected() {
  static const auto* const rows = new std::map<int32_t, Row>{
      {0, {"ok", Code::kOk}},
      {1, {"end-of-file", Code::kOutOfRange}},
      {2, {"invalid-operation", Code::kInvalidArgument}},
      {3, {"partition-failure", Code::kUnavailable}},
      {5, {"no-sequential-buffering", Code::kFailedPrecondition}},
      {9, {"read-through-lock", Code::kAborted}},
      {10, {"already-exists", Code::kAlreadyExists}},
      {11, {"not-found", Code::kNotFound}},
      {12, {"file-in-use", Code::kFailedPrecondition}},
      {13, {"illegal-name", Code::kInvalidArgument}},
      {14, {"no-such-volume", Code::kNotFound}},
      {16, {"not-open", Code::kFailedPrecondition}},
      {21, {"illegal-count", Code::kInvalidArgument}},
      {22, {"bad-parameter", Code::kInvalidArgument}},
      {31, {"no-buffer-space", Code::kResourceExhausted}},
      {35, {"no-control-block", Code::kResourceExhausted}},
      {40, {"timed-out", Code::kDeadlineExceeded}},
      {43, {"no-disc-space", Code::kResourceExhausted}},
      {45, {"file-full", Code::kResourceExhausted}},
      {46, {"invalid-key", Code::kInvalidArgument}},
      {48, {"security-violation", Code::kPermissionDenied}},
      {49, {"access-violation", Code::kPermissionDenied}},
      {59, {"file-bad", Code::kDataLoss}},
      {60, {"reopen", Code::kAborted}},
      {66, {"volume-down", Code::kUnavailable}},
      {72, {"partition-missing", Code::kUnavailable}},
      {73, {"locked", Code::kAborted}},
      {122, {"data-loss", Code::kDataLoss}},
      {201, {"path-down", Code::kUnavailable}},
  };
  return *rows;
}

TEST(ErrorTest, EveryNumberHasItsNameAndStatusCode) {  // R-A1
  for (int32_t number = -1; number <= 1000; ++number) {
    const auto row = Expected().find(number);
    const auto as_enum = static_cast<ErrorNumber>(number);
    if (row == Expected().end()) {
      EXPECT_EQ(ErrorName(as_enum), "unknown") << number;
      EXPECT_EQ(StatusCodeOf(as_enum), Code::kUnknown) << number;
    } else {
      EXPECT_EQ(ErrorName(as_enum), row->second.name) << number;
      EXPECT_EQ(StatusCodeOf(as_enum), row->second.code) << number;
    }
  }
}

TEST(ErrorTest, NamesAreDistinctAndLowerCase) {
  std::set<std::string> names;
  for (const auto& [number, row] : Expected()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name, absl::AsciiStrToLower(row.name));
  }
}

TEST(ErrorTest, NumberAndAdviceComeBackFromTheStatus) {
  for (const auto& [number, row] : Expected()) {
    if (number == 0) continue;
    for (Retry retry : {Retry::kNever, Retry::kSafe, Retry::kOutcomeUnknown, Retry::kReopen}) {
      const absl::Status status = MakeError(static_cast<ErrorNumber>(number), "why", retry);
      EXPECT_EQ(static_cast<int32_t>(NumberOf(status)), number);
      EXPECT_EQ(RetryOf(status), retry);
      EXPECT_EQ(status.code(), row.code);
      EXPECT_EQ(ToStd(status.message()), "why");
      EXPECT_EQ(Describe(status), StrCat("error ", number, " (", row.name, "): why"));
    }
  }
}

TEST(ErrorTest, NumberZeroIsNotAnError) {
  EXPECT_EQ(MakeError(ErrorNumber::kOk, "oops").code(), Code::kInternal);
  EXPECT_EQ(NumberOf(absl::OkStatus()), ErrorNumber::kOk);
  EXPECT_EQ(RetryOf(absl::OkStatus()), Retry::kNever);
  EXPECT_EQ(Describe(absl::OkStatus()), "ok");
}

TEST(ErrorTest, StatusOfAnotherLibraryGetsTheNearestNumber) {
  EXPECT_EQ(NumberOf(absl::UnavailableError("")), ErrorNumber::kPathDown);
  EXPECT_EQ(NumberOf(absl::DeadlineExceededError("")), ErrorNumber::kTimedOut);
  EXPECT_EQ(NumberOf(absl::ResourceExhaustedError("")), ErrorNumber::kNoBufferSpace);
  EXPECT_EQ(NumberOf(absl::UnimplementedError("")), ErrorNumber::kInvalidOperation);
  EXPECT_EQ(NumberOf(absl::UnknownError("")), ErrorNumber::kPathDown);
  EXPECT_EQ(RetryOf(absl::UnavailableError("")), Retry::kOutcomeUnknown);
  EXPECT_EQ(RetryOf(absl::DeadlineExceededError("")), Retry::kOutcomeUnknown);
  EXPECT_EQ(RetryOf(absl::NotFoundError("")), Retry::kNever);
}

TEST(ErrorTest, AdviceNamesAreThoseOfTheTrailer) {  // R-A1
  EXPECT_EQ(RetryName(Retry::kNever), "NEVER");
  EXPECT_EQ(RetryName(Retry::kSafe), "SAFE");
  EXPECT_EQ(RetryName(Retry::kOutcomeUnknown), "OUTCOME_UNKNOWN");
  EXPECT_EQ(RetryName(Retry::kReopen), "REOPEN");
}

}  // namespace
}  // namespace quire
