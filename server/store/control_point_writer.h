// Puts one control point into an LMDB write transaction: blocks in key order, then labels, meta
// values and purge slices (R-D14, R-D12).
#ifndef QUIRE_SERVER_STORE_CONTROL_POINT_WRITER_H_
#define QUIRE_SERVER_STORE_CONTROL_POINT_WRITER_H_

#include <lmdb.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/block_store.h"
#include "server/store/lmdb_environment.h"

namespace quire {

// Used for one transaction, by the control-point writer's thread.
class ControlPointWriter {
 public:
  ControlPointWriter(const LmdbEnvironment& environment, MDB_txn* transaction)
      : environment_(environment), transaction_(transaction) {}

  // 0 or LMDB's code; then the transaction must be aborted. The caller commits.
  int Put(const ControlPoint& control_point);

  const CommitResult& result() const { return result_; }
  uint64_t block_bytes() const { return block_bytes_; }
  // What was being done when Put failed, for the message.
  std::string_view action() const { return action_; }

 private:
  int PutBlocks(const std::vector<BlockWrite>& blocks);
  int PutLabels(const ControlPoint& control_point);
  int PutMeta(const std::map<std::string, std::string>& meta);
  int Purge(FileId file, uint32_t most_blocks);

  const LmdbEnvironment& environment_;
  MDB_txn* const transaction_;
  CommitResult result_;
  uint64_t block_bytes_ = 0;
  std::string_view action_ = "write a control point";
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_CONTROL_POINT_WRITER_H_
