#include "server/store/lmdb_environment.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "quire/text.h"
#include "server/base/bytes.h"
#include "server/store/errors.h"
#include "server/store/store_room.h"

namespace quire {
namespace {

constexpr mode_t kFileMode = 0640;
constexpr MDB_dbi kDatabases = 3;

using DirectoryIdentity = std::pair<dev_t, ino_t>;

// LMDB's locks are per process: opening an environment twice in one process would drop them all
// when the first of the two is closed.
struct OpenDirectories {
  Mutex mutex;
  std::set<DirectoryIdentity> identities ABSL_GUARDED_BY(mutex);
};

OpenDirectories& AllOpenDirectories() {
  static auto* const directories = new OpenDirectories;  // outlives every static store
  return *directories;
}

// A new directory entry is on disc only when its directory has been synced.
bool SyncDirectory(const std::string& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool synced = fsync(descriptor) == 0;
  close(descriptor);
  return synced;
}

std::string LastSystemError() {
  return std::generic_category().message(errno);
}

}  // namespace

class LmdbEnvironment::Claim {
 public:
  // Null when the directory is claimed already.
  static std::unique_ptr<Claim> Take(DirectoryIdentity identity) {
    OpenDirectories& all = AllOpenDirectories();
    MutexLock lock(&all.mutex);
    if (!all.identities.insert(identity).second) return nullptr;
    return std::unique_ptr<Claim>(new Claim(identity));
  }
  ~Claim() {
    OpenDirectories& all = AllOpenDirectories();
    MutexLock lock(&all.mutex);
    all.identities.erase(identity_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  explicit Claim(DirectoryIdentity identity) : identity_(identity) {}
  const DirectoryIdentity identity_;
};

LmdbEnvironment::LmdbEnvironment(std::string directory, std::unique_ptr<Claim> claim)
    : directory_(std::move(directory)), claim_(std::move(claim)) {}

LmdbEnvironment::~LmdbEnvironment() {
  if (witness_descriptor_ >= 0) close(witness_descriptor_);
  if (environment_ != nullptr) mdb_env_close(environment_);
}

absl::StatusOr<std::unique_ptr<LmdbEnvironment>> LmdbEnvironment::Open(const std::string& directory,
                                                                       uint64_t capacity_bytes) {
  std::error_code made;
  std::filesystem::create_directories(directory, made);
  if (made) return StoreFailed(directory, "make its directory", made.message());
  struct stat identity;
  if (stat(directory.c_str(), &identity) != 0) {
    return StoreFailed(directory, "look at its directory", LastSystemError());
  }
  std::unique_ptr<Claim> claim = Claim::Take({identity.st_dev, identity.st_ino});
  if (claim == nullptr) return StoreAlreadyOpen(directory);
  if (absl::Status s = MakeStoreFile(directory, capacity_bytes); !s.ok()) return s;
  std::unique_ptr<LmdbEnvironment> environment(new LmdbEnvironment(directory, std::move(claim)));
  if (absl::Status s = environment->OpenEnvironment(capacity_bytes); !s.ok()) return s;
  if (absl::Status s = environment->OpenDatabases(); !s.ok()) return s;
  return environment;
}

// LMDB writes the first pages of a new file without syncing them: a power cut then leaves a file
// that it refuses for ever. So a new one is made whole in a folder of its own, and gets its name
// when it is on disc.
absl::Status LmdbEnvironment::MakeStoreFile(const std::string& directory, uint64_t capacity_bytes) {
  const std::string file = directory + "/data.mdb";
  const std::string unfinished = directory + "/unfinished";
  std::error_code error;
  if (std::filesystem::exists(file, error) || error) return absl::OkStatus();  // opening tells
  std::filesystem::remove_all(unfinished, error);
  if (!error) std::filesystem::create_directory(unfinished, error);
  if (error) return StoreFailed(directory, "make a new file", error.message());
  {
    LmdbEnvironment made(unfinished, nullptr);
    if (absl::Status s = made.OpenEnvironment(capacity_bytes); !s.ok()) return s;
    if (absl::Status s = made.OpenDatabases(); !s.ok()) return s;
  }
  std::filesystem::rename(unfinished + "/data.mdb", file, error);
  if (error) return StoreFailed(directory, "name its new file", error.message());
  const std::string parent = std::filesystem::absolute(directory).parent_path().string();
  if (!SyncDirectory(directory) || !SyncDirectory(parent)) {
    return StoreFailed(directory, "sync its directory", LastSystemError());
  }
  std::filesystem::remove_all(unfinished, error);  // an empty folder does no harm
  return absl::OkStatus();
}

absl::Status LmdbEnvironment::OpenEnvironment(uint64_t capacity_bytes) {
  const long system_page_bytes = sysconf(_SC_PAGESIZE);
  if (system_page_bytes != static_cast<long>(kStorePageBytes)) {
    return StorePageSizeUnusable(directory_, static_cast<uint64_t>(system_page_bytes));
  }
  if (int code = mdb_env_create(&environment_); code != 0) {
    return Failure("make an LMDB environment", code);
  }
  if (int code = mdb_env_set_maxdbs(environment_, kDatabases); code != 0) {
    return Failure("set the number of databases", code);
  }
  if (int code = mdb_env_set_mapsize(environment_, capacity_bytes); code != 0) {
    return Failure("set the map size", code);
  }
  // MDB_NOTLS: the read transaction belongs to the disc process role, not to a thread.
  // MDB_NORDAHEAD: the kernel would read megabytes around every block that is not in memory; who
  // reads in order says so.
  constexpr unsigned kFlags = MDB_NOTLS | MDB_NORDAHEAD;
  if (int code = mdb_env_open(environment_, directory_.c_str(), kFlags, kFileMode); code != 0) {
    return Failure("open", code);
  }
  MDB_stat stat;
  if (int code = mdb_env_stat(environment_, &stat); code != 0) return Failure("be examined", code);
  if (stat.ms_psize != kStorePageBytes) return StorePageSizeUnusable(directory_, stat.ms_psize);
  witness_descriptor_ = open(StrCat(directory_, "/data.mdb").c_str(), O_RDWR | O_CLOEXEC);
  if (witness_descriptor_ < 0) return StoreFailed(directory_, "open data.mdb", LastSystemError());
  return absl::OkStatus();
}

absl::Status LmdbEnvironment::OpenDatabases() {
  int code = OpenDatabasesIn(MDB_RDONLY, 0);
  if (code == 0) return absl::OkStatus();
  if (code != MDB_NOTFOUND) return Failure("open its databases", code);
  code = OpenDatabasesIn(0, MDB_CREATE);
  if (code != 0) return Failure("make its databases", code);
  const std::string parent = std::filesystem::absolute(directory_).parent_path().string();
  if (!SyncDirectory(directory_) || !SyncDirectory(parent)) {
    return StoreFailed(directory_, "sync its directory", LastSystemError());
  }
  return absl::OkStatus();
}

int LmdbEnvironment::OpenDatabasesIn(unsigned transaction_flags, unsigned database_flags) {
  LmdbTransaction transaction;
  if (int code = transaction.Begin(environment_, transaction_flags); code != 0) return code;
  const std::pair<const char*, MDB_dbi*> databases[kDatabases] = {
      {"blocks", &blocks_}, {"labels", &labels_}, {"meta", &meta_}};
  for (const auto& [name, handle] : databases) {
    if (int code = mdb_dbi_open(transaction.get(), name, database_flags, handle); code != 0) {
      return code;
    }
  }
  return transaction.Commit();  // handles opened in an aborted transaction would be closed again
}

int LmdbEnvironment::data_descriptor() const {
  int descriptor = -1;
  mdb_env_get_fd(environment_, &descriptor);
  return descriptor;
}

size_t LmdbEnvironment::last_transaction() const {
  MDB_envinfo information;
  mdb_env_info(environment_, &information);
  return information.me_last_txnid;
}

bool LmdbEnvironment::WritesReachedDisc() const {
  return fdatasync(witness_descriptor_) == 0;
}

bool LmdbEnvironment::DiscIsFull() const {
  struct statvfs file_system;
  return fstatvfs(witness_descriptor_, &file_system) == 0 && file_system.f_bavail == 0;
}

absl::Status LmdbEnvironment::Failure(std::string_view action, int code) const {
  // LMDB answers MDB_BAD_TXN when it met a wrong page while it set up the cursor.
  if (code == MDB_CORRUPTED || code == MDB_PAGE_NOTFOUND || code == MDB_BAD_TXN) {
    return StoreDamaged(directory_, action, mdb_strerror(code));
  }
  return StoreFailed(directory_, action, mdb_strerror(code));
}

int LmdbTransaction::Begin(MDB_env* environment, unsigned flags) {
  return mdb_txn_begin(environment, nullptr, flags, &transaction_);
}

int LmdbTransaction::Commit() {
  return mdb_txn_commit(std::exchange(transaction_, nullptr));
}

void LmdbTransaction::Abort() {
  if (transaction_ != nullptr) mdb_txn_abort(std::exchange(transaction_, nullptr));
}

LmdbCursor::~LmdbCursor() {
  if (cursor_ != nullptr) mdb_cursor_close(cursor_);
}

int LmdbCursor::Open(MDB_txn* transaction, MDB_dbi database) {
  return mdb_cursor_open(transaction, database, &cursor_);
}

BlockKey::BlockKey(FileId file, BlockNumber block) {
  StoreBig<uint64_t>(bytes_.data(), file);
  StoreBig<uint32_t>(bytes_.data() + sizeof(FileId), block);
}

MDB_val ToValue(std::string_view bytes) {
  return MDB_val{bytes.size(), const_cast<char*>(bytes.data())};
}

std::string_view ToView(const MDB_val& value) {
  return std::string_view(static_cast<const char*>(value.mv_data), value.mv_size);
}

}  // namespace quire
