// The services of Quire in its own types: what a volume server, the router and every transport
// speak. One interface, these bodies:
//   server/volume      the volume itself (also embedded in a client's process)
//   client/transport   a gRPC stub; logging and counting wrappers
//   client/filesystem  many volumes behind one door (what the router serves)
// server/rpc puts any Service behind the gRPC services of proto/quire/v1.
//
// Threads: every method may be called from any thread and does not block on discs or networks.
// One exception, asked for by the caller: a batch with OperationBatch::caller_waits may block the
// thread that submits it, for one write of a local volume's audit trail or, in Execute, for the
// answer of a remote one.
// A Done callback runs exactly once, on any thread, possibly before the method returns; it must
// not block. Errors are absl::Status with Enscribe numbers (error.h).
#ifndef QUIRE_SERVICE_H_
#define QUIRE_SERVICE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/attributes.h"
#include "quire/file_info.h"
#include "quire/file_name.h"
#include "quire/key_range.h"
#include "quire/lock.h"
#include "quire/measure.h"
#include "quire/operation.h"

namespace quire {

template <typename T>
using Done = absl::AnyInvocable<void(absl::StatusOr<T>) &&>;
using DoneStatus = absl::AnyInvocable<void(absl::Status) &&>;

// Which file a record request means, and on whose behalf.
struct FileReference {
  FileName name;
  // FileInfo::create_id the caller routed by. 0: a user's own call by name, which a secondary
  // partition refuses with 72. Not 0 and another than the label's: 60, retry REOPEN.
  uint64_t create_id = 0;
  // The open this request belongs to (OpenRequest::open_id). 0: the implicit shared open of
  // (client_name, file), made at need and ended after a lease without calls (R-S1).
  uint64_t open_id = 0;
  std::string client_name;  // program name, shown in LISTOPENS and DISCOPEN
  // Of single calls: names the caller beyond its program name. With it a changing call that carries
  // a sequence (UnaryRequest::operation.first_sequence, rising) is done once however often it is
  // repeated (R-S2). 0: the implicit open is of (client_name, file) and nothing is remembered.
  uint64_t client_id = 0;
};

enum class AccessMode : uint8_t { kReadWrite = 0, kRead = 1, kWrite = 2 };
enum class Exclusion : uint8_t { kShared = 0, kExclusive = 1, kProtected = 3 };

// ---- Sessions -----------------------------------------------------------------------------

// Goes on with an open whose stream broke (R-S1).
struct OpenResume {
  OpenState state;             // of the last result that had one
  uint64_t acked_through = 0;  // results up to this sequence have arrived
};

struct OpenRequest {
  FileReference file;  // open_id: chosen by the client, unique; the same at every volume; 0: given
  AccessMode access = AccessMode::kReadWrite;
  Exclusion exclusion = Exclusion::kShared;
  // 0: nothing is remembered for repeating, a lost connection is 201. 1 … 15: every mutation is
  // done exactly once (R-S2).
  uint32_t sync_depth = 1;
  uint32_t lock_mode = 0;  // a LockMode; 2 for others
  // Set: open_id is an open that exists, with this access and exclusion. At its volume: its
  // position, locks and saved answers are there as before; a stream that still holds it is ended
  // with 60. 60 when its lease expired, or when the volume was restarted while it held locks; after
  // a restart without locks it is opened anew under the same id. 16 when it was closed.
  std::optional<OpenResume> resume = {};
};

struct Opened {
  uint64_t open_id = 0;
  uint32_t lease_ms = 0;         // how long the open lives on without its stream
  uint32_t credits = 0;          // batches that may be under way
  uint32_t max_batch_bytes = 0;  // data bytes of one batch
  uint32_t max_batch_operations = 0;
  uint64_t epoch = 0;                      // of the volume
  FileInfo info;                           // label of the partition opened
  ErrorNumber warning = ErrorNumber::kOk;  // 3: the open stands, some partition does not
  // What a resume needs from here on.
  OpenState state;
  // Of a resume: the volume (a router: every volume) still had the open with its saved answers, so
  // that mutations without answers may be repeated. After a restart of the volume: true for
  // write-through and audited files, whose answers are in its audit trail (R-D10), false for
  // BUFFERED ones.
  bool answers_kept = false;
};

// What a session's user is told, one call at a time, in order. Calls must not block.
class SessionEvents {
 public:
  virtual ~SessionEvents() = default;
  // First, once. After an error only OnClosed follows.
  virtual void OnOpened(absl::StatusOr<Opened> opened) = 0;
  // One per Submit, in the order of the Submits.
  virtual void OnResults(BatchResult result) = 0;
  // Last, once: OK after Close, else why the stream ended. Batches without results by then have
  // an unknown outcome.
  virtual void OnClosed(absl::Status status) = 0;
};

// One open as a two-way stream. Destroying it without Close ends the stream: what waits for a lock
// is given up, and the open lives on for its lease, to be resumed (R-S1).
class Session {
 public:
  virtual ~Session() = default;
  // Operations run in order; see OperationBatch. At most Opened::credits batches may be without
  // results; one more is answered by closing the session with 31.
  virtual void Submit(OperationBatch batch) = 0;
  // A plain read by full key (kRead, kByKey, no lock) at once on the calling thread, where the
  // volume is in this process and neither busy nor in need of anything: what a batch of this one
  // operation would do and count, without a number. `record` is replaced by the record found; the
  // status is the operation's. Left out: nothing was done or counted, and Submit is the way. Only
  // while no batch of this session is without results, and not while Submit may be called.
  virtual std::optional<absl::Status> TryRead(std::string_view key, std::string* record) {
    (void)key;
    (void)record;
    return std::nullopt;
  }
  // The operation with this sequence, if it has not been executed, is not: it gets 40. Does nothing
  // when it has. Results still come one per batch and in order.
  virtual void Cancel(uint64_t sequence) = 0;
  // Ends the open after what was submitted; OnClosed follows the last result.
  virtual void Close() = 0;
  // Ends the stream after what was submitted, but waits for no lock any more (40); the open lives
  // on for its lease. OnClosed with 66, retry safe, follows the last result: a server that stops.
  virtual void Detach() = 0;
};

// ---- Single record calls -------------------------------------------------------------------

struct UnaryRequest {
  FileReference file;
  // Exactly one operation, not one that needs a session (22). Locks: obeys those of others in mode
  // 0, waits at most lock_timeout_ms.
  OperationBatch operation;
};

// ---- Scan ----------------------------------------------------------------------------------

struct ScanRequest {
  FileReference file;
  KeyRange range = {};
  bool reverse = false;          // walks the same range downwards
  bool start_exclusive = false;  // leaves out range.start itself (reading on after a last key)
  uint32_t chunk_bytes = 0;      // data bytes of a chunk; 0: the default; bounded by limits.h
  uint64_t max_records = 0;      // 0: all
  // Left out: locks are ignored (R-A2). Else as plain READs meet them in this mode: waits
  // (lock_timeout_ms, then 40), ends with 73, or reads through. The chunk that follows an error is
  // read on from last_key.
  std::optional<LockMode> lock_mode = {};
  uint32_t lock_timeout_ms = 0;  // 0: kLockTimeoutMs
};

struct ScanPage {
  RecordChunk chunk;
  bool end = false;  // nothing follows this page
};

// Not a snapshot: a record present throughout comes exactly once, in order (R-A2).
class ScanStream {
 public:
  virtual ~ScanStream() = default;  // cancels what is not read
  // One Next at a time. An empty range is one empty page with `end`. After an error or `end`,
  // Next answers 1. The error of a dead partition names the last key given (R-S3).
  virtual void Next(Done<ScanPage> done) = 0;
};

// ---- Load ----------------------------------------------------------------------------------

struct LoadRequest {
  FileReference file;
  bool continue_on_error = false;  // default: stop at the first refused record (R-A3)
};

struct LoadAnswer {
  uint64_t chunk = 0;                                      // number of the chunk, from 0
  uint64_t accepted = 0;                                   // records of it that were inserted
  std::vector<std::pair<uint32_t, absl::Status>> refused;  // (index in the chunk, why)
  bool stopped = false;  // stop-on-error hit: records after the refused one were not tried
};

// Records in; each is a WRITE with the same counters. Records accepted before a stop remain.
class LoadStream {
 public:
  virtual ~LoadStream() = default;
  // `done` comes when the chunk's records are as durable as the file's mode promises. Several
  // chunks may be under way; answers come in order. After a stop: 22.
  virtual void Send(RecordChunk chunk, Done<LoadAnswer> done) = 0;
  virtual void Finish(DoneStatus done) = 0;
};

// ---- Files ---------------------------------------------------------------------------------

struct CreateRequest {
  FileName name;              // on the volume that makes it
  FileAttributes attributes;  // normalized by the receiver
  // Left out: the volume's --default-user and --default-security (R-A7).
  std::optional<uint32_t> owner_group = {};
  std::optional<uint32_t> owner_user = {};
  std::string security = {};  // RWEP letters
  // For one partition at its volume. A router, and a volume asked with partition_only false,
  // makes the whole file; a volume alone can do that only for a file without secondaries.
  bool partition_only = false;
  uint32_t partition = 0;
  std::string primary_volume;
  uint64_t create_id = 0;
};

enum class PartitionStep : uint8_t {
  kConfirm = 1,    // secondary: the primary's label exists, you are part of the file
  kConfirmed = 2,  // primary: all secondaries have been told
};

struct AlterRequest {
  FileReference file;
  // The mode. A barrier: done when a control point holds the change (R-D6). `audit` without
  // `buffered` moves BUFFERED along: on with AUDIT, off with NO AUDIT. AUDIT with NO BUFFERED: 2.
  std::optional<bool> buffered;
  std::optional<uint32_t> max_extents;
  std::optional<PartitionStep> step;        // CREATE's protocol over volumes (R-D13)
  std::optional<bool> audit = {};           // with `buffered`
  std::optional<Lookaside> lookaside = {};  // no barrier: in force when answered
};

struct PurgeRequest {
  FileReference file;  // open by anybody: 12
  bool partition_only = false;
};

struct ListRequest {
  FileName fileset;        // wild cards as FUP's; volume "$*" means all
  bool pending = false;    // also secondaries whose file was never finished or is gone (R-D13)
  uint32_t page_size = 0;  // 0: the default; bounded by limits.h
  std::string page_token;  // of the page before; empty: from the start
};

struct ListPage {
  std::vector<FileInfo> files;  // in name order
  std::string next_page_token;  // empty: the last page
};

// One line of LISTOPENS.
struct OpenInfo {
  FileName file;  // the partition
  uint64_t open_id = 0;
  std::string client_name;
  AccessMode access = AccessMode::kReadWrite;
  Exclusion exclusion = Exclusion::kShared;
  uint32_t sync_depth = 1;
  uint32_t lock_mode = 0;
  uint32_t owner_group = 0;
  uint32_t owner_user = 0;
  int64_t opened_us = 0;
  bool implicit = false;  // of single calls
  bool detached = false;  // its stream is broken; the lease runs
  uint32_t locks = 0;     // it holds here
};

struct ListOpensRequest {
  FileReference file;      // a router lists the primary's: every open of the file is open there
  uint32_t page_size = 0;  // 0: the default; bounded by limits.h
  std::string page_token;
};
struct ListOpensPage {
  std::vector<OpenInfo> opens;  // by open id
  std::string next_page_token;  // empty: the last page
};

struct ListLocksRequest {
  FileReference file;  // a router lists every partition, in order
  bool granted_only = false;
  uint32_t page_size = 0;
  std::string page_token;
};
struct ListLocksPage {
  std::vector<LockInfo> locks;  // by partition, then file lock first, then by key, holder first
  std::string next_page_token;
};

// ---- Checking -------------------------------------------------------------------------------

// The blocks of one level of a partition's tree.
struct LevelStatistics {
  uint32_t level = 0;  // 0: data blocks; the root's is the highest
  uint64_t blocks = 0;
  uint64_t records = 0;     // or index entries
  uint64_t free_bytes = 0;  // unused, of all its blocks together (FUP's slack)
};

// What a walk over every block of one partition found (FUP CHECK, INFO STATISTICS).
struct PartitionCheck {
  FileName file;  // the partition
  uint32_t partition = 0;
  // OK: whole. 59: the first fault, naming the block; the figures then count what was read. 66: the
  // partition was not reached.
  absl::Status status;
  std::vector<LevelStatistics> levels;  // data first
  uint32_t block_bytes = 0;
  uint64_t bitmap_blocks = 0;
  uint64_t unused_blocks = 0;  // below EOF, marked free
  uint64_t lsn = 0;            // of the control point that was checked
};

// ---- Volumes --------------------------------------------------------------------------------

struct BackupRequest {
  std::string volume;
  // On the volume server's machine: a folder that does not exist, below its --backup-directory.
  std::string directory;
};
struct BackupAnswer {
  uint64_t control_point_lsn = 0;  // the copied store is complete to here
  uint64_t last_lsn = 0;           // and the copied trail goes on to here
  int64_t time_us = 0;             // of the copied trail's end, wall clock
  uint64_t bytes = 0;              // written
};

struct RefreshAnswer {
  uint64_t blocks_written = 0;
  uint64_t change_sequence = 0;  // changes up to here are on disc
};

struct SnapshotRequest {
  std::string volume;  // empty: all that the service reaches
};

class Service {
 public:
  virtual ~Service() = default;

  // Never null; the outcome of the open comes through `events`.
  virtual std::unique_ptr<Session> OpenSession(OpenRequest request,
                                               std::shared_ptr<SessionEvents> events) = 0;
  virtual void Execute(UnaryRequest request, Done<BatchResult> done) = 0;
  virtual std::unique_ptr<ScanStream> Scan(ScanRequest request) = 0;
  virtual std::unique_ptr<LoadStream> Load(LoadRequest request) = 0;

  virtual void Create(CreateRequest request, Done<FileInfo> done) = 0;
  virtual void Info(FileReference file, Done<FileDescription> done) = 0;
  virtual void Alter(AlterRequest request, DoneStatus done) = 0;
  virtual void Purge(PurgeRequest request, DoneStatus done) = 0;
  virtual void List(ListRequest request, Done<ListPage> done) = 0;
  virtual void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) = 0;
  virtual void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) = 0;
  // Volumes the service reaches, sorted.
  virtual void Volumes(Done<std::vector<std::string>> done) = 0;
  // Takes a control point now and answers when it is complete.
  virtual void Refresh(std::string volume, Done<RefreshAnswer> done) = 0;
  virtual void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) = 0;
  // Takes a control point and walks every block of what it holds, beside the requests that go on.
  // One entry per partition the service reaches, in partition order. 11, 72 as Info.
  virtual void Check(FileReference file, Done<std::vector<PartitionCheck>> done) = 0;
  // Copies a volume that goes on serving: its store at a control point and its trail from there to
  // the time of the copy's end. 10 the folder exists, 13 a folder that is not below the volume's
  // backup directory, 22 the volume has none, 43, 66; 12 while another backup of it is under way.
  virtual void Backup(BackupRequest request, Done<BackupAnswer> done) = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVICE_H_
