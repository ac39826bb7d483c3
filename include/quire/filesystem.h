// The client library: files, records, positions, locks, scans and loads for C++ programs.
//
//   absl::StatusOr<std::unique_ptr<quire::FileSystem>> fs =
//       quire::FileSystem::Connect({.router = "127.0.0.1:7000"});
//   absl::StatusOr<std::unique_ptr<quire::File>> file = (*fs)->Open("$DATA01.STOCK.PARTS");
//   absl::Status written = (*file)->Write(record);            // 10 when the key exists
//   absl::StatusOr<std::string> found = (*file)->Read("P0004711");
//
// By position, one record after the other, and locked between reading and writing:
//
//   (*file)->SetPosition({.key = "P0", .mode = quire::PositioningMode::kGeneric});
//   for (auto record = (*file)->ReadNextLock(); record.ok(); record = (*file)->ReadNextLock()) {
//     (*file)->WriteUpdateUnlock(Changed(*record));
//   }                                                         // 1 behind the last "P0"
//
// Blocking calls wait for the reply; the ...Nowait calls pipeline. Errors carry the Enscribe
// number (quire/error.h). deploy/examples has whole programs. Link quire_filesystem; for volumes in
// this process quire_embedded too: FileSystem::Over what OpenEmbeddedVolumes gives
// (client/transport/embedded.h).
#ifndef QUIRE_FILESYSTEM_H_
#define QUIRE_FILESYSTEM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "quire/file_info.h"
#include "quire/key_range.h"
#include "quire/limits.h"
#include "quire/lock.h"
#include "quire/measure.h"
#include "quire/operation.h"
#include "quire/position.h"
#include "quire/service.h"

namespace quire {

// Where the volumes are. Exactly one of router and volumes.
struct ConnectOptions {
  std::string router = {};                          // "host:port" of a quire-router
  std::map<std::string, std::string> volumes = {};  // "$DATA01" -> "host:port"; routed here
  std::string client_name = "quire-client";         // shown in LISTOPENS and DISCOPEN
  absl::Duration connect_timeout = absl::Seconds(5);
  // How long an open with sync depth >= 1 tries to go on after its connection was lost before its
  // operations get 66 (nothing was done) or 201 (outcome unknown); never beyond the lease.
  absl::Duration retry_time = absl::Seconds(10);
};

// Reads a volume map: lines "$DATA01 = host:port", blank lines and "#" comments. 22 with the line
// number when a line is malformed or a volume is named twice.
absl::StatusOr<std::map<std::string, std::string>> ReadVolumeMap(const std::string& path);

struct FileOpenOptions {
  AccessMode access = AccessMode::kReadWrite;
  Exclusion exclusion = Exclusion::kShared;
  uint32_t sync_depth = 1;
  LockMode lock_mode = LockMode::kNormal;
  // How long one operation waits for locks before it gets 40; rounded up to whole milliseconds, at
  // least one. LockMode::kReject is for not waiting at all.
  absl::Duration lock_timeout = absl::Milliseconds(kLockTimeoutMs);
  // Sequential block buffering: ReadNext hands out records from chunks of so many bytes that are
  // fetched ahead, at most five in memory, and ignores locks. 0: off. At most 4 MiB (else 21). Only
  // an open for reading can have it (AccessMode::kRead); another gets warning 5 and works without.
  uint32_t sequential_buffer_bytes = 0;
  // Nowait operations travel together: a message leaves when it holds this many operations, when
  // it is full, or when the caller waits.
  uint32_t batch_operations = 1;
};

class Scanner {
 public:
  virtual ~Scanner() = default;
  // The next record in order, valid until the next call; 1 (end of file) after the last. The
  // error of a dead partition (66, 72) names the last key given; reading can go on after it with
  // a new scan from there.
  virtual absl::StatusOr<std::string_view> Next() = 0;
};

struct ScanOptions {
  KeyRange range = {};
  bool reverse = false;
  bool start_exclusive = false;
  uint32_t chunk_bytes = 0;  // 0: 256 KiB
  uint64_t max_records = 0;  // 0: all
};

// FILE_SETKEY_ / KEYPOSITION (position.h). A key shorter than KEYLEN means its first bytes; an
// empty one the start of the file, or with `reverse` its end.
struct KeyPosition {
  std::string_view key = {};
  PositioningMode mode = PositioningMode::kApproximate;
  uint32_t compare_length = 0;  // bytes that decide the subset; 0: the length of `key`
  bool reverse = false;
  bool skip_exact = false;   // passes over records that equal `key`
  bool last_of_set = false;  // with reverse: from the last record that equals `key` for
                             // compare-length bytes
  uint32_t key_specifier = 0;
};

struct LoadOptions {
  bool continue_on_error = false;
  uint32_t chunk_bytes = 0;  // 0: 256 KiB
};

struct LoadSummary {
  uint64_t accepted = 0;
  std::vector<std::pair<uint64_t, absl::Status>> refused;  // (number of the record, from 0; why)
  bool stopped = false;
};

// One open of a file with all its partitions, for use by one thread; only Cancel and CancelWait may
// be called by others, while the File exists. Blocking and Nowait calls may be mixed: all take
// effect in the order of their calls, but operations by key on different partitions may overtake
// each other (R-S5). Closing happens in Close or in the destructor, which drops an error that Close
// would have returned; it releases all locks.
//
// Every call may also give 66 (not reached, nothing done), 72 (partition not open), 60 (lease or
// locks lost: open anew), 201 (outcome unknown), and 16 after Close.
class File {
 public:
  // Takes the next record of the source; false at its end. Views live until the next call.
  using RecordSource = absl::FunctionRef<bool(std::string_view* record)>;
  // Called once per Nowait operation; `record` is what a read found, or SAVEPOSITION's bytes, valid
  // during the call. Runs on a library thread or inside a call of the File or of Cancel: it must
  // not wait for anything, nor call the File except for Cancel.
  using Completion = absl::AnyInvocable<void(const absl::Status&, std::string_view record) &&>;

  virtual ~File() = default;

  virtual const FileDescription& description() const = 0;
  virtual uint64_t open_id() const = 0;
  // 3 when some partition could not be opened (the open stands; touching it gives 72 or 66); else 5
  // when sequential block buffering was asked for and is not possible.
  virtual ErrorNumber open_warning() const = 0;

  // ---- By key: the position stays as it is --------------------------------------------------

  // Others' locks: changes get 73 at once, reads do as the lock mode says.
  virtual absl::Status Write(std::string_view record) = 0;   // 10, 21, 43, 45, 49, 73
  virtual absl::Status Update(std::string_view record) = 0;  // 11, 21, 49, 73
  virtual absl::Status Delete(std::string_view key) = 0;     // 11, 49, 73
  // By key: 11 when missing. Generic and approximate: 1 when nothing matches; they run over
  // partition borders.
  virtual absl::StatusOr<std::string> Read(std::string_view key, ReadMode mode = ReadMode::kByKey,
                                           bool reverse = false) = 0;
  // The same by full key; what was found replaces `record`, whose memory is used again. After an
  // error its bytes are of no meaning.
  virtual absl::Status ReadInto(std::string_view key, std::string* record) {
    absl::StatusOr<std::string> found = Read(key);
    if (found.ok()) *record = *std::move(found);
    return found.status();
  }

  // ---- By position (position.h) -------------------------------------------------------------
  // An open begins before the first record of the file. A call that fails leaves the position.

  // FILE_SETKEY_, KEYPOSITION: only sets the position, nothing is searched or sent: a missing
  // record shows at the next call. 21, 22, 46.
  virtual absl::Status SetPosition(const KeyPosition& position) = 0;
  // READ, READLOCK: the next record of the subset becomes the current one. 1 behind the last; a
  // later call looks again. 40, 73.
  virtual absl::StatusOr<std::string> ReadNext() = 0;
  virtual absl::StatusOr<std::string> ReadNextLock() = 0;
  // READUPDATE, READUPDATELOCK: the current record again, or the one that SetPosition named; 11
  // when there is none with exactly this key. 40, 73.
  virtual absl::StatusOr<std::string> ReadUpdate() = 0;
  virtual absl::StatusOr<std::string> ReadUpdateLock() = 0;
  // WRITEUPDATE, WRITEUPDATEUNLOCK: replaces the current record, or deletes it when `record` is
  // empty (R-S7). The position stays. 11; 21; 46 when the record's key is another; 49; 73.
  virtual absl::Status WriteUpdate(std::string_view record) = 0;
  virtual absl::Status WriteUpdateUnlock(std::string_view record) = 0;
  // SAVEPOSITION: bytes that RestorePosition of any open of this file takes (REPOSITION; 22 for
  // others). They hold no lock: the record may be gone when one comes back.
  virtual absl::StatusOr<std::string> SavePosition() = 0;
  virtual absl::Status RestorePosition(std::string_view saved) = 0;

  // ---- Locks (lock.h) -----------------------------------------------------------------------

  // LOCKREC, UNLOCKREC: of the current record. 11 when it is gone; 40, 73. Unlocking what is not
  // locked is no error.
  virtual absl::Status LockRecord() = 0;
  virtual absl::Status UnlockRecord() = 0;
  // LOCKFILE: all partitions; own record locks are given up for it. UNLOCKFILE: with all record
  // locks of this open. 40, 73.
  virtual absl::Status LockFile() = 0;
  virtual absl::Status UnlockFile() = 0;
  // SETMODE 4. 2 for a mode that does not exist.
  virtual absl::Status SetLockMode(LockMode mode) = 0;
  // Warning of the last blocking call, when that succeeded: 9 it read through another's lock; else
  // 0.
  virtual ErrorNumber last_warning() const = 0;

  // ---- Pipelined: return at once (or wait while the open's credits are used up)
  // ------------------

  // Any operation (operation.h). Its number, for Cancel, rising from call to call; 0 when it was
  // refused at once (`done` has run): 16, or 21 when it is longer than a message.
  virtual uint64_t Nowait(const Operation& operation, Completion done) = 0;
  virtual void WriteNowait(std::string_view record, Completion done) = 0;
  virtual void UpdateNowait(std::string_view record, Completion done) = 0;
  virtual void DeleteNowait(std::string_view key, Completion done) = 0;
  virtual void ReadNowait(std::string_view key, Completion done) = 0;
  // Any thread; does not wait. The operation gets 40 unless it has been executed, which its
  // completion tells. Nothing happens for a number that is not under way.
  virtual void Cancel(uint64_t operation) = 0;
  // The same for the operation that a blocking call of the File's thread waits for just now, if
  // any: how another thread gets it out of its wait for a lock.
  virtual void CancelWait() = 0;
  // Sends what is batched. Wait also waits for every completion; it returns the status of the
  // open's streams, not of the operations.
  virtual void Flush() = 0;
  virtual absl::Status Wait() = 0;

  // ---- Many records -------------------------------------------------------------------------

  virtual std::unique_ptr<Scanner> Scan(const ScanOptions& options) = 0;
  // Inserts records in the order of the source.
  virtual absl::StatusOr<LoadSummary> Load(RecordSource source, const LoadOptions& options) = 0;

  virtual absl::Status Close() = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  static absl::StatusOr<std::unique_ptr<FileSystem>> Connect(const ConnectOptions& options);
  // Over services made elsewhere (embedded volumes, tests): volume name -> service.
  static std::unique_ptr<FileSystem> Over(std::map<std::string, std::shared_ptr<Service>> volumes,
                                          std::string client_name);

  // All or nothing over the volumes (R-D13). Errors: 10, 13, 14, 21, 22, 46, 66, 2, 43.
  virtual absl::StatusOr<FileInfo> Create(const FileName& name,
                                          const FileAttributes& attributes) = 0;
  virtual absl::StatusOr<FileDescription> Info(const FileName& name) = 0;
  // AUDIT, BUFFERED, MAXEXTENTS and LOOKASIDE on every partition; unset members stay, but `audit`
  // alone moves BUFFERED along. AUDIT with NO BUFFERED is 2.
  struct Changes {
    std::optional<bool> buffered = {};
    std::optional<uint32_t> max_extents = {};
    std::optional<bool> audit = {};
    std::optional<Lookaside> lookaside = {};
  };
  virtual absl::Status Alter(const FileName& name, const Changes& changes) = 0;
  // 66 and nothing purged when a partition's volume is down; 12 when somebody has it open.
  virtual absl::Status Purge(const FileName& name) = 0;
  // All files that match, over the volumes that answer. With `pending`, only unfinished and
  // orphaned partitions.
  virtual absl::StatusOr<std::vector<FileInfo>> List(const FileName& fileset, bool pending) = 0;
  virtual absl::StatusOr<std::vector<std::string>> Volumes() = 0;
  // Control point on one volume, or (empty) on all.
  virtual absl::StatusOr<RefreshAnswer> Refresh(const std::string& volume) = 0;
  // Service::Backup of one volume; answers when the copy is whole.
  virtual absl::StatusOr<BackupAnswer> Backup(const std::string& volume,
                                              const std::string& directory) = 0;
  virtual absl::StatusOr<MeasureSnapshot> Snapshot(const std::string& volume) = 0;
  // LISTOPENS, LISTLOCKS of one file, all pages. 11, 66.
  virtual absl::StatusOr<std::vector<OpenInfo>> ListOpens(const FileName& name) = 0;
  virtual absl::StatusOr<std::vector<LockInfo>> ListLocks(const FileName& name,
                                                          bool granted_only) = 0;

  // Service::Check: one entry per partition, in order; those not reached have 66. 11, 66.
  virtual absl::StatusOr<std::vector<PartitionCheck>> Check(const FileName& name) = 0;

  virtual absl::StatusOr<std::unique_ptr<File>> Open(const FileName& name,
                                                     const FileOpenOptions& options) = 0;
  absl::StatusOr<std::unique_ptr<File>> Open(std::string_view name,
                                             const FileOpenOptions& options = {});
};

}  // namespace quire

#endif  // QUIRE_FILESYSTEM_H_
