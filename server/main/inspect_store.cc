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
#include "server/main/inspect_free_pages.h"
#include "server/main/inspect_guard.h"
#include "server/store/errors.h"
#include "server/store/lmdb_environment.h"

namespace quire {
namespace {

constexpr MDB_dbi kDatabases = 3;
// Nothing a volume stores comes near; a damaged page may claim any length.
constexpr size_t kMaxValueBytes = size_t{16} << 20;
// Not one of LMDB's codes (all below 0) or the system's: the guard was left.
constexpr int kPagesDamaged = 1 << 20;

absl::Status Refused(std::string_view action, int code) {
  if (code == kPagesDamaged || code == MDB_CORRUPTED || code == MDB_PAGE_NOTFOUND ||
      code == MDB_CURSOR_FULL || code == MDB_INVALID || code == MDB_BAD_TXN) {
    return inspect_error::StoreDamaged(action);
  }
  return inspect_error::StoreRefused(action, mdb_strerror(code));
}

// What `call` answers, or that damage ended it.
int GuardedCall(absl::FunctionRef<int()> call) {
  int code = 0;
  return Guarded([&] { code = call(); }) ? code : kPagesDamaged;
}

// Out of the map, where the bytes may not be there.
absl::StatusOr<std::string> Copied(std::string_view action, const MDB_val& value) {
  if (value.mv_size > kMaxValueBytes) return inspect_error::StoreDamaged(action);
  std::string bytes(value.mv_size, '\0');
  if (!Guarded([&] { std::memcpy(bytes.data(), value.mv_data, value.mv_size); })) {
    return inspect_error::StoreDamaged(action);
  }
  return bytes;
}

struct Lock {
  int descriptor = -1;
  bool held_by_server = false;
};

// The lock of server/volume/directory_lock.h, without making or writing the file. A directory that
// has no lock file was never served where it is now: a copy, say.
absl::StatusOr<Lock> TakeLock(const std::string& directory) {
  const int file = open((directory + "/lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) return Lock{};
    return inspect_error::NoVolume(directory, std::generic_category().message(errno));
  }
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return Lock{file, false};
  close(file);
  return Lock{-1, true};
}

void OnLmdbAssertion(MDB_env*, const char*) {
  LeaveGuard();
}

}  // namespace

absl::StatusOr<std::unique_ptr<InspectedStore>> InspectedStore::Open(const std::string& directory,
                                                                     bool snapshot) {
  std::unique_ptr<InspectedStore> store(new InspectedStore);
  const absl::StatusOr<Lock> lock = TakeLock(directory);
  if (!lock.ok()) return lock.status();
  if (lock->held_by_server && !snapshot) return inspect_error::ServedNow(directory);
  store->lock_ = lock->descriptor;
  store->beside_server_ = lock->held_by_server;
  if (absl::Status s = store->OpenEnvironment(directory); !s.ok()) return s;
  const absl::Status opened = store->OpenDatabases();
  store->length_ = store->CheckLength();
  if (!opened.ok()) return store->length_.ok() ? opened : store->length_;
  return store;
}

InspectedStore::~InspectedStore() {
  if (snapshot_ != nullptr) Guarded([this] { mdb_txn_abort(snapshot_); });
  if (environment_ != nullptr) Guarded([this] { mdb_env_close(environment_); });
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
  mdb_env_set_assert(environment_, &OnLmdbAssertion);
  if (int code = mdb_env_set_maxdbs(environment_, kDatabases); code != 0) {
    return Refused("be opened", code);
  }
  const unsigned flags = MDB_RDONLY | MDB_NOTLS | (beside_server_ ? 0 : MDB_NOLOCK);
  const int code =
      GuardedCall([&] { return mdb_env_open(environment_, store_directory.c_str(), flags, 0); });
  if (code != 0) return Refused("be opened", code);
  return absl::OkStatus();
}

absl::Status InspectedStore::OpenDatabases() {
  int code =
      GuardedCall([&] { return mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &snapshot_); });
  if (code != 0) return Refused("be read", code);
  const std::pair<const char*, MDB_dbi*> databases[kDatabases] = {
      {"blocks", &blocks_}, {"labels", &labels_}, {"meta", &meta_}};
  for (const auto& [name, handle] : databases) {
    const char* const database = name;
    MDB_dbi* const to = handle;
    code = GuardedCall([&] { return mdb_dbi_open(snapshot_, database, 0, to); });
    if (code != 0) return Refused(StrCat("open its database ", name), code);
  }
  return absl::OkStatus();
}

absl::Status InspectedStore::CheckLength() const {
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
  if (bytes >= needed) return absl::OkStatus();
  if (snapshot_ != nullptr &&
      AllPagesFree(snapshot_, bytes / statistics.ms_psize, information.me_last_pgno)) {
    return absl::OkStatus();
  }
  return inspect_error::StoreCutShort(bytes, needed);
}

absl::StatusOr<std::optional<std::string>> InspectedStore::Get(MDB_dbi database,
                                                               std::string_view key) {
  MDB_val key_value = ToValue(key);
  MDB_val value = {};
  const int code = GuardedCall([&] { return mdb_get(snapshot_, database, &key_value, &value); });
  if (code == MDB_NOTFOUND) return std::optional<std::string>();
  if (code != 0) return Refused("be read", code);
  absl::StatusOr<std::string> bytes = Copied("be read", value);
  if (!bytes.ok()) return bytes.status();
  return std::optional<std::string>(*std::move(bytes));
}

absl::Status InspectedStore::ForEach(MDB_dbi database, std::string_view first, EntryVisitor visit) {
  MDB_cursor* cursor = nullptr;
  int code = GuardedCall([&] { return mdb_cursor_open(snapshot_, database, &cursor); });
  if (code != 0) return Refused("be read", code);
  MDB_val key = ToValue(first);
  MDB_val value = {};
  absl::Status status;
  std::string last;
  MDB_cursor_op move = first.empty() ? MDB_FIRST : MDB_SET_RANGE;
  for (bool more = true; more; move = MDB_NEXT) {
    code = GuardedCall([&] { return mdb_cursor_get(cursor, &key, &value, move); });
    if (code == MDB_NOTFOUND) break;
    if (code != 0) {
      status = Refused("be read", code);
      break;
    }
    const absl::StatusOr<std::string> key_bytes = Copied("be read", key);
    const absl::StatusOr<std::string> bytes = Copied("be read", value);
    // Pages that lead round in a circle would give the same keys for ever.
    if (!key_bytes.ok() || !bytes.ok() || (move == MDB_NEXT && *key_bytes <= last)) {
      status = inspect_error::StoreDamaged("be read");
      break;
    }
    last = *key_bytes;
    more = visit(*key_bytes, *bytes);
  }
  Guarded([&] { mdb_cursor_close(cursor); });
  return status;
}

absl::StatusOr<std::optional<std::string>> InspectedStore::RawBlock(FileId file,
                                                                    BlockNumber block) {
  BlockKey key(file, block);
  return Get(blocks_, ToView(key.value()));
}

absl::Status InspectedStore::ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) {
  const absl::StatusOr<std::optional<std::string>> bytes = RawBlock(file, block);
  if (!bytes.ok()) return StoredBlockDamaged(file, block, ToStd(bytes.status().message()));
  if (!bytes->has_value()) return StoredBlockMissing(file, block);
  if ((*bytes)->size() != image.size()) {
    return StoredBlockOfOtherSize(file, block, (*bytes)->size(), image.size());
  }
  std::memcpy(image.data(), (*bytes)->data(), image.size());
  const std::string reason = VerifyImage(image, file, block);
  return reason.empty() ? absl::OkStatus() : StoredBlockDamaged(file, block, reason);
}

absl::Status InspectedStore::ForEachBlock(FileId file, BlockNumber block, BlockVisitor visit) {
  BlockKey first(file, block);
  absl::Status status;
  std::string before;  // damaged pages may lead round in a circle
  const absl::Status walked =
      ForEach(blocks_, ToView(first.value()), [&](std::string_view key, std::string_view bytes) {
        if (key <= before) {
          status = inspect_error::StoreRefused("be read", "the keys of its blocks do not rise");
          return false;
        }
        before.assign(key);
        if (key.size() != BlockKey::kBytes) {
          status = inspect_error::StoreRefused("be read", "a block's key has another length");
          return false;
        }
        return visit(LoadBig<FileId>(key.data()), LoadBig<BlockNumber>(key.data() + sizeof(FileId)),
                     bytes);
      });
  return walked.ok() ? status : walked;
}

absl::Status InspectedStore::ForEachLabel(
    absl::FunctionRef<void(FileId, std::string_view bytes)> visit) {
  absl::Status status;
  const absl::Status walked = ForEach(labels_, "", [&](std::string_view key, std::string_view v) {
    if (key.size() == sizeof(FileId)) {
      visit(LoadBig<FileId>(key.data()), v);
    } else {
      status = inspect_error::StoreRefused("be read", "a label's key has another length");
    }
    return true;
  });
  return walked.ok() ? status : walked;
}

absl::Status InspectedStore::ForEachMeta(
    absl::FunctionRef<void(std::string_view key, std::string_view value)> visit) {
  return ForEach(meta_, "", [&](std::string_view key, std::string_view value) {
    visit(key, value);
    return true;
  });
}

absl::StatusOr<std::map<FileId, std::string>> InspectedStore::ReadLabels() {
  std::map<FileId, std::string> labels;
  const absl::Status status =
      ForEachLabel([&](FileId id, std::string_view bytes) { labels.emplace(id, bytes); });
  if (!status.ok()) return status;
  return labels;
}

absl::StatusOr<std::optional<std::string>> InspectedStore::ReadMeta(const std::string& key) {
  return Get(meta_, key);
}

}  // namespace quire
