// The store of a volume, for reading only: nothing in its directory is created, changed or touched.
//
// Of a volume that nobody serves: LMDB is opened without its own locks, since taking them would
// write. What makes that safe is the volume's directory lock, held for as long as the store is
// open: no server can start meanwhile.
//
// Beside a running server (`snapshot`): with LMDB's locks, as any other process that reads (R-D14).
// All that is written is this reader's place in store/lock.mdb. What is read is the control point
// that was complete when the store was opened; what holding on to it costs the server stands in
// server/store/block_reader.h.
#ifndef QUIRE_SERVER_MAIN_INSPECT_STORE_H_
#define QUIRE_SERVER_MAIN_INSPECT_STORE_H_

#include <lmdb.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/store/block_reader.h"

namespace quire {

// One thread. Damaged pages of data.mdb are errors (59), never the end of the program.
class InspectedStore final : public BlockReader {
 public:
  // `directory` of the volume. 12 while a server has it, unless `snapshot`; 66 when there is no
  // volume or LMDB cannot read it; 59 when nothing can be read of a damaged data.mdb.
  static absl::StatusOr<std::unique_ptr<InspectedStore>> Open(const std::string& directory,
                                                              bool snapshot);
  ~InspectedStore() override;

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override;
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override;
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override;

  // Whether a server goes on beside this.
  bool beside_server() const { return beside_server_; }
  // 59 when data.mdb is shorter than the pages in use reach to; what lies before its end is read.
  const absl::Status& length() const { return length_; }

  // The stored bytes, whatever they are; nullopt when there is no such block.
  absl::StatusOr<std::optional<std::string>> RawBlock(FileId file, BlockNumber block);

  // Every stored block from (`file`, `block`) on, in order, whatever its bytes are, until `visit`
  // answers false. Views live during the call. The error is of what follows those visited.
  using BlockVisitor = absl::FunctionRef<bool(FileId, BlockNumber, std::string_view bytes)>;
  absl::Status ForEachBlock(FileId file, BlockNumber block, BlockVisitor visit);
  // The same for labels and for meta values: also some, with an error of the rest.
  absl::Status ForEachLabel(absl::FunctionRef<void(FileId, std::string_view bytes)> visit);
  absl::Status ForEachMeta(
      absl::FunctionRef<void(std::string_view key, std::string_view value)> visit);

 private:
  using EntryVisitor = absl::FunctionRef<bool(std::string_view key, std::string_view value)>;

  InspectedStore() = default;
  absl::Status OpenEnvironment(const std::string& directory);
  absl::Status OpenDatabases();
  absl::Status CheckLength() const;
  absl::StatusOr<std::optional<std::string>> Get(MDB_dbi database, std::string_view key);
  // Entries from `first` on (empty: all), copied out of the map, in rising order of their keys.
  absl::Status ForEach(MDB_dbi database, std::string_view first, EntryVisitor visit);

  bool beside_server_ = false;
  int lock_ = -1;  // descriptor that holds the directory lock; -1: the directory never had one
  absl::Status length_;
  MDB_env* environment_ = nullptr;
  MDB_txn* snapshot_ = nullptr;
  MDB_dbi blocks_ = 0;
  MDB_dbi labels_ = 0;
  MDB_dbi meta_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_STORE_H_
