// A page of a scan as the bytes of a v1::ScanResponse, without a copy of its records.
#ifndef QUIRE_SERVER_RPC_SCAN_MESSAGE_H_
#define QUIRE_SERVER_RPC_SCAN_MESSAGE_H_

#include "grpcpp/support/byte_buffer.h"
#include "quire/service.h"

namespace quire {

// What the serialization of such a message would give, byte for byte. The buffer holds the
// page's string of records itself, and frees it when gRPC has sent it. Throws std::bad_alloc.
grpc::ByteBuffer ScanMessage(ScanPage&& page);

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_SCAN_MESSAGE_H_
