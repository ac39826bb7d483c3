// What a check of a file found, between proto messages and Quire's own types.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_CHECK_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_CHECK_H_

#include <vector>

#include "quire/service.h"
#include "quire/v1/file.pb.h"

namespace quire {

void ToProto(const std::vector<PartitionCheck>& checks, v1::CheckResponse* out);
std::vector<PartitionCheck> FromProto(const v1::CheckResponse& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_CHECK_H_
