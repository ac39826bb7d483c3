// A read transaction of an LMDB environment as a BlockReader: of the store itself, which renews it,
// and of those who read beside it.
#ifndef QUIRE_SERVER_STORE_LMDB_READER_H_
#define QUIRE_SERVER_STORE_LMDB_READER_H_

#include <map>
#include <optional>
#include <string>

#include "server/store/block_reader.h"
#include "server/store/lmdb_environment.h"

namespace quire {

class LmdbReader final : public BlockReader {
 public:
  // `environment` outlives the reader.
  explicit LmdbReader(const LmdbEnvironment* environment) : environment_(*environment) {}

  absl::Status Begin();  // first of all
  absl::Status Renew();  // later reads see everything committed before this call

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override;
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override;
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override;

  MDB_txn* transaction() const { return transaction_.get(); }

 private:
  const LmdbEnvironment& environment_;
  LmdbTransaction transaction_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_LMDB_READER_H_
