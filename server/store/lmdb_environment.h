// An open LMDB environment with the three databases of a volume, and its transactions.
#ifndef QUIRE_SERVER_STORE_LMDB_ENVIRONMENT_H_
#define QUIRE_SERVER_STORE_LMDB_ENVIRONMENT_H_

#include <lmdb.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/base/ids.h"

namespace quire {

// Owns the environment, its directory's place in the list of those open in this process, and a
// second descriptor on the data file. Thread safe as LMDB is: one write transaction at a time, a
// read transaction used by one thread at a time.
class LmdbEnvironment {
 public:
  // Makes the directory and the databases if missing. Errors: 66.
  static absl::StatusOr<std::unique_ptr<LmdbEnvironment>> Open(const std::string& directory,
                                                               uint64_t capacity_bytes);
  ~LmdbEnvironment();
  LmdbEnvironment(const LmdbEnvironment&) = delete;
  LmdbEnvironment& operator=(const LmdbEnvironment&) = delete;

  MDB_env* get() const { return environment_; }
  MDB_dbi blocks() const { return blocks_; }
  MDB_dbi labels() const { return labels_; }
  MDB_dbi meta() const { return meta_; }
  const std::string& directory() const { return directory_; }
  // Of the data file; owned by LMDB.
  int data_descriptor() const;
  // Last write transaction that was committed.
  size_t last_transaction() const;

  // The kernel reports a failed write-back once to each descriptor that was open then. LMDB's own
  // sync may have consumed the report on its descriptor; ours still has it. False when some earlier
  // write of the data file is known not to have reached the disc.
  bool WritesReachedDisc() const;
  // True when the file system of the directory has no block left for us.
  bool DiscIsFull() const;

  // Copies what the last write transaction committed into `directory`, which it makes, compacted
  // and durable. Any thread.
  absl::Status CopyTo(const std::string& directory) const;
  // Of a copy that nobody has open: all values of the meta database.
  static absl::StatusOr<std::map<std::string, std::string>> ReadMetaOf(
      const std::string& directory);

  // 66 for an LMDB or system error code.
  absl::Status Failure(std::string_view action, int code) const;

 private:
  // Holds a directory's entry in the list of open ones.
  class Claim;

  LmdbEnvironment(std::string directory, std::unique_ptr<Claim> claim);
  // Makes data.mdb, whole and on disc before it has that name, when there is none.
  static absl::Status MakeStoreFile(const std::string& directory, uint64_t capacity_bytes);
  absl::Status OpenEnvironment(uint64_t capacity_bytes);
  absl::Status OpenDatabases();
  int OpenDatabasesIn(unsigned transaction_flags, unsigned database_flags);

  const std::string directory_;
  std::unique_ptr<Claim> claim_;
  MDB_env* environment_ = nullptr;
  MDB_dbi blocks_ = 0;
  MDB_dbi labels_ = 0;
  MDB_dbi meta_ = 0;
  int witness_descriptor_ = -1;
};

// A transaction that is aborted unless committed.
class LmdbTransaction {
 public:
  LmdbTransaction() = default;
  ~LmdbTransaction() { Abort(); }
  LmdbTransaction(const LmdbTransaction&) = delete;
  LmdbTransaction& operator=(const LmdbTransaction&) = delete;

  // `flags`: 0 or MDB_RDONLY. These return LMDB's codes.
  int Begin(MDB_env* environment, unsigned flags);
  int Commit();
  void Abort();
  MDB_txn* get() const { return transaction_; }

 private:
  MDB_txn* transaction_ = nullptr;
};

// A cursor; must be closed before its transaction ends.
class LmdbCursor {
 public:
  LmdbCursor() = default;
  ~LmdbCursor();
  LmdbCursor(const LmdbCursor&) = delete;
  LmdbCursor& operator=(const LmdbCursor&) = delete;

  int Open(MDB_txn* transaction, MDB_dbi database);
  MDB_cursor* get() const { return cursor_; }

 private:
  MDB_cursor* cursor_ = nullptr;
};

// Key of an image: file id and block number, big-endian, so that byte order is number order.
class BlockKey {
 public:
  static constexpr size_t kBytes = 12;

  BlockKey(FileId file, BlockNumber block);
  // LMDB wants pointers to non-const bytes, but does not change keys.
  MDB_val value() { return MDB_val{bytes_.size(), bytes_.data()}; }

 private:
  std::array<char, kBytes> bytes_;
};

MDB_val ToValue(std::string_view bytes);
std::string_view ToView(const MDB_val& value);

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_LMDB_ENVIRONMENT_H_
