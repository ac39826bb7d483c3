#include "server/main/inspect_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/base/bytes.h"
#include "server/main/inspect_errors.h"
#include "server/store/errors.h"

namespace quire {
namespace {

constexpr MDB_dbi kDatabases = 3;

absl::Status Refused(std::string_view action, int code) {
  return inspect_error::StoreRefused(action, mdb_strerror(code));
}

// The lock of server/volume/directory_lock.h, without making or writing the file. A directory that
// has no lock file was never served where it is now: a copy, say.
absl::StatusOr<int> TakeLock(const std::string& directory) {
  const int file = open((directory + "/lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) return -1;
    return inspect_error::NoVolume(directory, std::generic_category().message(errno));
  }
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  close(file);
  return inspect_error::ServedNow(directory);
}

}  // namespace

absl::StatusOr<std::unique_ptr<InspectedStore>> InspectedStore::Open(const std::string& directory) {
  std::unique_ptr<InspectedStore> store(new InspectedStore);
  absl::StatusOr<int> lock = TakeLock(directory);
  if (!lock.ok()) return lock.status();
  store->lock_ = *lock;
  if (absl::Status s = store->OpenEnvironment(directory); !s.ok()) return s;
  return store;
}

InspectedStore::~InspectedStore() {
  snapshot_.Abort();
  if (environment_ != nullptr) mdb_env_close(environment_);
  if (lock_ >= 0) close(lock_);
}

absl::Status InspectedStore::OpenEnvironment(const std::string& directory) {
  const std::string store_directory = directory + "/store";
  struct stat status = {};
  if (stat((store_directory + "/data.mdb").c_str(), &status) != 0) {
    return inspect_error::NoVolume(
        directory, StrCat("store/data.mdb: ", std::generic_category().message(errno)));
  }
  if (int code = mdb_env_create(&environment_); code != 0) return Refused("be opened", code);
  if (int code = mdb_env_set_maxdbs(environment_, kDatabases); code != 0) {
    return Refused("be opened", code);
  }
  constexpr unsigned kFlags = MDB_RDONLY | MDB_NOLOCK | MDB_NOTLS;
  if (int code = mdb_env_open(environment_, store_directory.c_str(), kFlags, 0); code != 0) {
    return Refused("be opened", code);
  }
  if (absl::Status s = CheckFileLength(); !s.ok()) return s;
  if (int code = snapshot_.Begin(environment_, MDB_RDONLY); code != 0) {
    return Refused("be read", code);
  }
  const std::pair<const char*, MDB_dbi*> databases[kDatabases] = {
      {"blocks", &blocks_}, {"labels", &labels_}, {"meta", &meta_}};
  for (const auto& [name, handle] : databases) {
    if (int code = mdb_dbi_open(snapshot_.get(), name, 0, handle); code != 0) {
      return Refused(StrCat("open its database ", name), code);
    }
  }
  return absl::OkStatus();
}

// Touching a page beyond the end of the file would end the program with SIGBUS.
absl::Status InspectedStore::CheckFileLength() const {
  MDB_envinfo information = {};
  MDB_stat statistics = {};
  int descriptor = -1;
  struct stat status = {};
  if (mdb_env_info(environment_, &information) != 0 ||
      mdb_env_stat(environment_, &statistics) != 0 ||
      mdb_env_get_fd(environment_, &descriptor) != 0 || fstat(descriptor, &status) != 0) {
    return inspect_error::StoreRefused("be examined", std::generic_category().message(errno));
  }
  const uint64_t needed = (uint64_t{information.me_last_pgno} + 1) * statistics.ms_psize;
  const auto bytes = static_cast<uint64_t>(status.st_size);
  return bytes >= needed ? absl::OkStatus() : inspect_error::StoreCutShort(bytes, needed);
}

absl::StatusOr<std::optional<std::string>> InspectedStore::RawBlock(FileId file,
                                                                    BlockNumber block) {
  BlockKey key(file, block);
  MDB_val key_value = key.value();
  MDB_val value;
  const int code = mdb_get(snapshot_.get(), blocks_, &key_value, &value);
  if (code == MDB_NOTFOUND) return std::optional<std::string>();
  if (code != 0) return Refused("read a block", code);
  return std::optional<std::string>(ToView(value));
}

absl::Status InspectedStore::ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) {
  const absl::StatusOr<std::optional<std::string>> bytes = RawBlock(file, block);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return StoredBlockMissing(file, block);
  if ((*bytes)->size() != image.size()) {
    return StoredBlockOfOtherSize(file, block, (*bytes)->size(), image.size());
  }
  std::memcpy(image.data(), (*bytes)->data(), image.size());
  const std::string reason = VerifyImage(image, file, block);
  return reason.empty() ? absl::OkStatus() : StoredBlockDamaged(file, block, reason);
}

absl::Status InspectedStore::ForEachBlock(FileId file, BlockNumber block, BlockVisitor visit) {
  LmdbCursor cursor;
  if (int code = cursor.Open(snapshot_.get(), blocks_); code != 0) return Refused("be read", code);
  BlockKey first(file, block);
  MDB_val key = first.value();
  MDB_val value;
  int code = mdb_cursor_get(cursor.get(), &key, &value, MDB_SET_RANGE);
  for (; code == 0; code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT)) {
    if (key.mv_size != BlockKey::kBytes) {
      return inspect_error::StoreRefused("be read", "a block's key has another length");
    }
    const char* const at = static_cast<const char*>(key.mv_data);
    const auto number = LoadBig<BlockNumber>(at + sizeof(FileId));
    if (!visit(LoadBig<FileId>(at), number, ToView(value))) return absl::OkStatus();
  }
  return code == MDB_NOTFOUND ? absl::OkStatus() : Refused("be read", code);
}

absl::StatusOr<std::map<FileId, std::string>> InspectedStore::ReadLabels() {
  LmdbCursor cursor;
  if (int code = cursor.Open(snapshot_.get(), labels_); code != 0) return Refused("be read", code);
  std::map<FileId, std::string> labels;
  MDB_val key;
  MDB_val value;
  int code = mdb_cursor_get(cursor.get(), &key, &value, MDB_FIRST);
  for (; code == 0; code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT)) {
    if (key.mv_size != sizeof(FileId)) {
      return inspect_error::StoreRefused("be read", "a label's key has another length");
    }
    labels.emplace(LoadBig<FileId>(static_cast<const char*>(key.mv_data)), ToView(value));
  }
  if (code != MDB_NOTFOUND) return Refused("read its labels", code);
  return labels;
}

absl::StatusOr<std::optional<std::string>> InspectedStore::ReadMeta(const std::string& key) {
  MDB_val key_value = ToValue(key);
  MDB_val value;
  const int code = mdb_get(snapshot_.get(), meta_, &key_value, &value);
  if (code == MDB_NOTFOUND) return std::optional<std::string>();
  if (code != 0) return Refused("read its meta values", code);
  return std::optional<std::string>(ToView(value));
}

absl::StatusOr<CommitResult> InspectedStore::Commit(const ControlPoint&) {
  return inspect_error::NeverWrites();
}

absl::Status InspectedStore::EnsureRoom(uint64_t, uint64_t) {
  return inspect_error::NeverWrites();
}

}  // namespace quire
