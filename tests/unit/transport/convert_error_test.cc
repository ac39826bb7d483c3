#include "client/transport/convert_error.h"

#include "gtest/gtest.h"

namespace quire {
namespace {

// H8, R-A1: over the whole list of numbers and every advice, there and back.
TEST(ConvertErrorTest, RA1EveryErrorRoundTrips) {
  int known = 0;
  for (int number = 1; number <= 201; ++number) {
    const auto error = static_cast<ErrorNumber>(number);
    if (ErrorName(error) == "unknown") continue;
    ++known;
    for (const Retry retry :
         {Retry::kNever, Retry::kSafe, Retry::kOutcomeUnknown, Retry::kReopen}) {
      const absl::Status status = MakeError(error, "what is wrong, what to do", retry);
      v1::ErrorDetail detail;
      ToProto(status, &detail);
      EXPECT_EQ(detail.name(), ErrorName(error));
      EXPECT_EQ(FromProto(detail), status);
      const grpc::Status sent = ToGrpc(status);
      EXPECT_EQ(static_cast<int>(sent.error_code()), static_cast<int>(StatusCodeOf(error)));
      EXPECT_EQ(FromGrpc(sent, CallTrace{"host:1", true}), status);
    }
  }
  EXPECT_EQ(known, 28);
}

TEST(ConvertErrorTest, OkStaysOk) {
  EXPECT_TRUE(ToGrpc(absl::OkStatus()).ok());
  EXPECT_TRUE(FromGrpc(grpc::Status::OK, CallTrace()).ok());
}

TEST(ConvertErrorTest, NumbersOfLaterVersionsAreKept) {
  v1::ErrorDetail detail;
  detail.set_number(4711);
  detail.set_retry(static_cast<v1::Retry>(99));
  const absl::Status status = FromProto(detail);
  EXPECT_EQ(static_cast<int>(NumberOf(status)), 4711);
  EXPECT_EQ(RetryOf(status), Retry::kNever);
  EXPECT_EQ(NumberOf(FromProto(v1::ErrorDetail())), ErrorNumber::kBadParameter);
}

TEST(ConvertErrorTest, BrokenConnectionIs66BeforeAnd201AfterSending) {
  for (const auto code : {grpc::StatusCode::UNAVAILABLE, grpc::StatusCode::CANCELLED}) {
    const grpc::Status lost(code, "socket closed");
    const absl::Status before = FromGrpc(lost, CallTrace{"host:1", false});
    EXPECT_EQ(NumberOf(before), ErrorNumber::kVolumeDown);
    EXPECT_EQ(RetryOf(before), Retry::kSafe);
    const absl::Status after = FromGrpc(lost, CallTrace{"host:1", true});
    EXPECT_EQ(NumberOf(after), ErrorNumber::kPathDown);
    EXPECT_EQ(RetryOf(after), Retry::kOutcomeUnknown);
  }
}

TEST(ConvertErrorTest, DetailsOfOthersAreIgnored) {
  const grpc::Status odd(grpc::StatusCode::RESOURCE_EXHAUSTED, "too big", "\xFF\xFF garbage");
  const absl::Status status = FromGrpc(odd, CallTrace());
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kNoBufferSpace);
}

TEST(ConvertErrorTest, WireTextIsUtf8AndBounded) {
  EXPECT_EQ(WireText("plain \xC3\xBC \xE2\x82\xAC \xF0\x9F\x8D\x80"),
            "plain \xC3\xBC \xE2\x82\xAC \xF0\x9F\x8D\x80");
  EXPECT_EQ(WireText("key \xFF\x80"), "key \\xff\\x80");
  EXPECT_EQ(WireText("\xC0\xAF"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(WireText("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(WireText("\xF4\x90\x80\x80").size(), 16u);     // beyond the last code point
  EXPECT_EQ(WireText("ab\xC3"), "ab\\xc3");                // cut off
  EXPECT_EQ(WireText("ab\xC3\xBC", 3), "ab");              // never half a letter
  EXPECT_EQ(WireText(std::string(5000, 'x')).size(), kMaxSentenceBytes);
}

TEST(ConvertErrorTest, LongBinarySentenceFitsIntoMetadata) {
  const absl::Status status = MakeError(ErrorNumber::kFileBad, std::string(100000, '\xFE'));
  const grpc::Status sent = ToGrpc(status);
  EXPECT_LE(sent.error_message().size(), kMaxSentenceBytes);
  EXPECT_EQ(NumberOf(FromGrpc(sent, CallTrace())), ErrorNumber::kFileBad);
}

}  // namespace
}  // namespace quire
