#include "client/transport/convert_error.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "client/transport/errors.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr std::string_view kDetailType = "type.googleapis.com/quire.v1.ErrorDetail";

// Length of the UTF-8 sequence at the start of `text`, 0 when there is none.
size_t SequenceBytes(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and values beyond the last code point.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

v1::Retry RetryToProto(Retry retry) {
  switch (retry) {
    case Retry::kNever:
      return v1::RETRY_UNSPECIFIED;
    case Retry::kSafe:
      return v1::RETRY_SAFE;
    case Retry::kOutcomeUnknown:
      return v1::RETRY_OUTCOME_UNKNOWN;
    case Retry::kReopen:
      return v1::RETRY_REOPEN;
  }
  return v1::RETRY_UNSPECIFIED;
}

Retry RetryFromProto(v1::Retry retry) {
  switch (retry) {
    case v1::RETRY_SAFE:
      return Retry::kSafe;
    case v1::RETRY_OUTCOME_UNKNOWN:
      return Retry::kOutcomeUnknown;
    case v1::RETRY_REOPEN:
      return Retry::kReopen;
    default:
      return Retry::kNever;
  }
}

// True when gRPC says that the call waited for a connection until there was none to be had. It has
// no code for that, only these sentences; another wording would be taken for "sent", which is the
// safe side, and the unit tests would notice. The call's peer is no evidence by itself: it stays
// unknown until the server's first bytes arrive.
bool NeverPicked(const grpc::Status& status) {
  const std::string message = status.error_message();
  return status.error_code() == grpc::StatusCode::UNAVAILABLE &&
         (message.starts_with("failed to connect to all addresses") ||
          message.starts_with("DNS resolution failed"));
}

}  // namespace

std::string WireText(std::string_view text, size_t limit) {
  std::string out;
  out.reserve(std::min(text.size(), limit));
  while (!text.empty()) {
    const size_t length = SequenceBytes(text);
    const std::string piece = length > 0 ? std::string(text.substr(0, length))
                                         : absl::CHexEscape(ToAbsl(text.substr(0, 1)));
    if (out.size() + piece.size() > limit) break;
    out += piece;
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

void ToProto(const absl::Status& status, v1::ErrorDetail* out) {
  const ErrorNumber number = NumberOf(status);
  out->set_number(static_cast<int32_t>(number));
  out->set_name(std::string(ErrorName(number)));
  out->set_retry(RetryToProto(RetryOf(status)));
  out->set_sentence(WireText(ToStd(status.message())));
}

absl::Status FromProto(const v1::ErrorDetail& in) {
  if (in.number() == 0) return transport_errors::MalformedAnswer("an error without its number");
  return MakeError(static_cast<ErrorNumber>(in.number()), in.sentence(),
                   RetryFromProto(in.retry()));
}

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  v1::StatusDetails details;
  const absl::StatusCode code = status.code();
  details.set_code(static_cast<int32_t>(code));
  details.set_message(WireText(ToStd(status.message())));
  v1::ErrorDetail detail;
  ToProto(status, &detail);
  auto* any = details.add_details();
  any->set_type_url(std::string(kDetailType));
  any->set_value(detail.SerializeAsString());
  return grpc::Status(static_cast<grpc::StatusCode>(code), details.message(),
                      details.SerializeAsString());
}

grpc::Status ToGrpc(const absl::Status& status, grpc::ServerContextBase* context) {
  if (!status.ok()) {
    const ErrorNumber number = NumberOf(status);
    context->AddTrailingMetadata("quire-error", StrCat(static_cast<int32_t>(number)));
    context->AddTrailingMetadata("quire-error-name", std::string(ErrorName(number)));
    context->AddTrailingMetadata("quire-retry", std::string(RetryName(RetryOf(status))));
  }
  return ToGrpc(status);
}

absl::Status FromGrpc(const grpc::Status& status, const CallTrace& trace) {
  if (status.ok()) return absl::OkStatus();
  v1::StatusDetails details;
  if (!status.error_details().empty() && details.ParseFromString(status.error_details())) {
    for (const auto& any : details.details()) {
      v1::ErrorDetail detail;
      if (any.type_url() == kDetailType && detail.ParseFromString(any.value()) &&
          detail.number() != 0) {
        return FromProto(detail);
      }
    }
  }
  const grpc::StatusCode code = status.error_code();
  if (code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::CANCELLED) {
    return trace.sent ? transport_errors::ConnectionLost(trace.target, status.error_message())
                      : transport_errors::Unreachable(trace.target, status.error_message());
  }
  return absl::Status(static_cast<absl::StatusCode>(code), status.error_message());
}

absl::Status FromGrpc(const grpc::Status& status, const grpc::ClientContext& context,
                      std::string_view target) {
  const bool sent = !(NeverPicked(status) && std::string_view(context.peer()).starts_with("dns:"));
  return FromGrpc(status, CallTrace{std::string(target), sent});
}

}  // namespace quire
