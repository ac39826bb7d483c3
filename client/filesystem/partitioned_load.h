// A load over the partitions of a file.
//
// The records of a chunk go to their partitions side by side; each partition inserts its records
// in the order of the load. A chunk's answer comes when all its partitions have answered, in the
// order of the chunks, refused records by their index in the chunk.
//
// Stopping (R-A3): from the moment the first refusal is known here, nothing more is sent to any
// partition, and chunks not yet sent are answered with 22. Within the partition that refused,
// nothing behind the refused record is inserted. What had been sent to other partitions by then
// (records of the same chunk and of chunks under way) is inserted and counted as accepted.
//
// A partition that fails as a whole (66, 72, 201) refuses its records: with continue_on_error each
// one, else the first of the chunk, which stops the load.
#ifndef QUIRE_CLIENT_FILESYSTEM_PARTITIONED_LOAD_H_
#define QUIRE_CLIENT_FILESYSTEM_PARTITIONED_LOAD_H_

#include <memory>

#include "client/filesystem/routing.h"
#include "quire/service.h"

namespace quire {

std::unique_ptr<LoadStream> LoadPartitions(std::shared_ptr<Routing> routing, LoadRequest request);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_PARTITIONED_LOAD_H_
