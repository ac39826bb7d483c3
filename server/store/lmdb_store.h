// BlockStore on LMDB: one environment in one directory (R-D14).
//
//   database  key                                           value
//   blocks    file id (8 bytes, big-endian) + block (4, b-e)  sealed image, BLOCK - 16 bytes
//   labels    file id (8 bytes, big-endian)                  label bytes
//   meta      name                                           value bytes
//
// An image of BLOCK - 16 bytes behind LMDB's 16-byte page header takes whole 4 KiB pages from
// BLOCK 4096 on (2048 takes a page of its own, 512 and 1024 lie in LMDB's leaves).
#ifndef QUIRE_SERVER_STORE_LMDB_STORE_H_
#define QUIRE_SERVER_STORE_LMDB_STORE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/store/block_store.h"

namespace quire {

struct LmdbOptions {
  std::string directory;            // made if missing
  uint64_t capacity_bytes = 0;      // map size: address space, costs nothing until used
  uint64_t reserve_step_bytes = 0;  // fallocate(KEEP_SIZE) step; 0: the default of limits.h
};

// 66 when the environment cannot be opened (page size other than 4096, already open in this
// process, corrupt).
absl::StatusOr<std::unique_ptr<BlockStore>> OpenLmdbStore(const LmdbOptions& options);

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_LMDB_STORE_H_
