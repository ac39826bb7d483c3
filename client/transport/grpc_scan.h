// The client's end of RecordService.Scan. Reads one page ahead of its user, so that unpacking the
// next page runs beside the use of this one; memory is bounded by two pages.
#ifndef QUIRE_CLIENT_TRANSPORT_GRPC_SCAN_H_
#define QUIRE_CLIENT_TRANSPORT_GRPC_SCAN_H_

#include <memory>
#include <string>

#include "quire/service.h"
#include "quire/v1/record.grpc.pb.h"

namespace quire {

// `context` must be fresh.
std::unique_ptr<ScanStream> StartGrpcScan(std::shared_ptr<v1::RecordService::Stub> stub,
                                          std::unique_ptr<grpc::ClientContext> context,
                                          std::string target, const ScanRequest& request);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_GRPC_SCAN_H_
