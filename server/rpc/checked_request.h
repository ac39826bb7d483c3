// Converts a request that came as one message; refuses it first when it is too big (R-A5).
#ifndef QUIRE_SERVER_RPC_CHECKED_REQUEST_H_
#define QUIRE_SERVER_RPC_CHECKED_REQUEST_H_

#include <cstddef>
#include <new>
#include <utility>

#include "client/transport/convert_common.h"
#include "client/transport/convert_file.h"
#include "client/transport/convert_listing.h"
#include "client/transport/convert_record.h"
#include "client/transport/errors.h"
#include "quire/limits.h"
#include "server/base/activity.h"
#include "server/rpc/errors.h"

namespace quire {

// What FromProto answers; 31 when there is no memory for it.
template <typename Message>
auto Converted(Message&& message) -> decltype(FromProto(std::forward<Message>(message))) {
  const ActivityScope activity(Activity::kRpc);
  try {
    return FromProto(std::forward<Message>(message));
  } catch (const std::bad_alloc&) {
    return rpc_errors::NoMemoryForRequest();
  }
}

// 21 above kMaxMessageBytes, else what Converted answers.
template <typename Request>
auto CheckedRequest(const Request& request) -> decltype(FromProto(request)) {
  const size_t bytes = request.ByteSizeLong();
  if (bytes <= kMaxMessageBytes) return Converted(request);
  return transport_errors::TooLarge("the size of the message in bytes", bytes, kMaxMessageBytes);
}

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_CHECKED_REQUEST_H_
