// A scan over the partitions of a file.
#ifndef QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SCAN_H_
#define QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SCAN_H_

#include <memory>

#include "client/filesystem/routing.h"
#include "quire/service.h"

namespace quire {

// Records in key order over all borders, one partition after the other, each asked only for its
// part of the range. A partition that fails ends the scan with its number and the last key given
// (R-S3); a label found stale before the first record is fetched again once. Does not block.
std::unique_ptr<ScanStream> ScanPartitions(std::shared_ptr<Routing> routing, ScanRequest request);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_PARTITIONED_SCAN_H_
