// The serving end of RecordService.Scan: while the connection takes one page the next is made, and
// none behind it is asked for, so a slow reader holds two pages of memory.
#ifndef QUIRE_SERVER_RPC_SCAN_REACTOR_H_
#define QUIRE_SERVER_RPC_SCAN_REACTOR_H_

#include <memory>

#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"
#include "quire/service.h"

namespace quire {

// A request that did not convert ends the call with its error.
grpc::ServerWriteReactor<grpc::ByteBuffer>* StartScan(std::shared_ptr<Service> service,
                                                      grpc::CallbackServerContext* context,
                                                      absl::StatusOr<ScanRequest> request);

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_SCAN_REACTOR_H_
