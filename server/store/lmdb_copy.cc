// Copies of a store that is being written.
#include <lmdb.h>
#include <sys/stat.h>

#include <cerrno>
#include <map>
#include <string>
#include <system_error>

#include "quire/text.h"
#include "server/base/durable_file.h"
#include "server/store/errors.h"
#include "server/store/lmdb_environment.h"
#include "server/store/map_advice.h"

namespace quire {
namespace {

constexpr mode_t kDirectoryMode = 0750;
constexpr mode_t kFileMode = 0640;
constexpr MDB_dbi kDatabases = 3;

absl::Status CopyFailed(const std::string& directory, std::string_view action, int code) {
  if (code == ENOSPC || code == EDQUOT) return StoreDiscFull(directory);
  return StoreFailed(directory, action, mdb_strerror(code));
}

int ReadMetaDatabase(MDB_env* environment, std::map<std::string, std::string>* values) {
  LmdbTransaction transaction;
  if (int code = transaction.Begin(environment, MDB_RDONLY); code != 0) return code;
  MDB_dbi meta = 0;
  if (int code = mdb_dbi_open(transaction.get(), "meta", 0, &meta); code != 0) return code;
  LmdbCursor cursor;
  if (int code = cursor.Open(transaction.get(), meta); code != 0) return code;
  MDB_val key;
  MDB_val value;
  int code = mdb_cursor_get(cursor.get(), &key, &value, MDB_FIRST);
  for (; code == 0; code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT)) {
    values->emplace(ToView(key), ToView(value));
  }
  return code == MDB_NOTFOUND ? 0 : code;
}

}  // namespace

absl::Status LmdbEnvironment::CopyTo(const std::string& directory) const {
  if (mkdir(directory.c_str(), kDirectoryMode) != 0) {
    return CopyFailed(directory, "make its directory", errno);
  }
  const MapReadInOrder in_order(directory_ + "/data.mdb");
  if (int code = mdb_env_copy2(environment_, directory.c_str(), MDB_CP_COMPACT); code != 0) {
    return CopyFailed(directory, "be written", code);
  }
  int code = SyncPath(directory + "/data.mdb");
  if (code == 0) code = SyncPath(directory);
  return code == 0 ? absl::OkStatus() : CopyFailed(directory, "be synced", code);
}

absl::StatusOr<std::map<std::string, std::string>> LmdbEnvironment::ReadMetaOf(
    const std::string& directory) {
  MDB_env* environment = nullptr;
  int code = mdb_env_create(&environment);
  if (code != 0) return CopyFailed(directory, "be opened", code);
  std::map<std::string, std::string> values;
  code = mdb_env_set_maxdbs(environment, kDatabases);
  // Without locks: nobody else has it, and a copy must not get a file of its reader's.
  if (code == 0) {
    code = mdb_env_open(environment, directory.c_str(), MDB_RDONLY | MDB_NOLOCK | MDB_NOTLS,
                        kFileMode);
  }
  if (code == 0) code = ReadMetaDatabase(environment, &values);
  mdb_env_close(environment);
  if (code != 0) return CopyFailed(directory, "be read", code);
  return values;
}

}  // namespace quire
