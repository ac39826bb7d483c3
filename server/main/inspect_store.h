// The store of a volume that nobody serves, for reading only: nothing in its directory is created,
// changed or touched, LMDB's lock file included.
//
// LMDB is opened without its own locks, since taking them would write. What makes that safe is the
// volume's directory lock, held for as long as the store is open: no server can start meanwhile.
#ifndef QUIRE_SERVER_MAIN_INSPECT_STORE_H_
#define QUIRE_SERVER_MAIN_INSPECT_STORE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/store/block_store.h"
#include "server/store/lmdb_environment.h"

namespace quire {

// A body of BlockStore, so that the tree check of the volume itself can run on it. One thread.
class InspectedStore final : public BlockStore {
 public:
  // `directory` of the volume. 12 while a server has it; 66 when there is no volume or LMDB cannot
  // read it; 59 when data.mdb is shorter than its own pages say.
  static absl::StatusOr<std::unique_ptr<InspectedStore>> Open(const std::string& directory);
  ~InspectedStore() override;

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override;
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override;
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override;
  absl::Status RenewSnapshot() override { return absl::OkStatus(); }
  absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) override;  // 2
  absl::Status EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) override;    // 2
  StoreStatistics Statistics() const override { return {}; }

  // The stored bytes, whatever they are; nullopt when there is no such block.
  absl::StatusOr<std::optional<std::string>> RawBlock(FileId file, BlockNumber block);

  // Every stored block from (`file`, `block`) on, in order, whatever its bytes are, until `visit`
  // answers false. Views live during the call.
  using BlockVisitor = absl::FunctionRef<bool(FileId, BlockNumber, std::string_view bytes)>;
  absl::Status ForEachBlock(FileId file, BlockNumber block, BlockVisitor visit);

 private:
  InspectedStore() = default;
  absl::Status OpenEnvironment(const std::string& directory);
  absl::Status CheckFileLength() const;

  int lock_ = -1;  // descriptor that holds the directory lock; -1: the directory never had one
  MDB_env* environment_ = nullptr;
  MDB_dbi blocks_ = 0;
  MDB_dbi labels_ = 0;
  MDB_dbi meta_ = 0;
  LmdbTransaction snapshot_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_STORE_H_
