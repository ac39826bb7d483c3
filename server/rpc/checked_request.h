// Converts a request that came as one message; refuses it first when it is too big (R-A5).
#ifndef QUIRE_SERVER_RPC_CHECKED_REQUEST_H_
#define QUIRE_SERVER_RPC_CHECKED_REQUEST_H_

#include <cstddef>

#include "client/transport/convert_common.h"
#include "client/transport/convert_file.h"
#include "client/transport/convert_listing.h"
#include "client/transport/convert_record.h"
#include "client/transport/errors.h"
#include "quire/limits.h"

namespace quire {

// 21 above kMaxMessageBytes, else what FromProto answers.
template <typename Request>
auto CheckedRequest(const Request& request) -> decltype(FromProto(request)) {
  const size_t bytes = request.ByteSizeLong();
  if (bytes <= kMaxMessageBytes) return FromProto(request);
  return transport_errors::TooLarge("the size of the message in bytes", bytes, kMaxMessageBytes);
}

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_CHECKED_REQUEST_H_
