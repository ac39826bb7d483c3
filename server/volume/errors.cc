#include "server/volume/errors.h"

#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire::volume_error {

absl::Status NoSuchFile(const FileName& name) {
  return MakeError(ErrorNumber::kNotFound, StrCat("there is no file ", name.ToString(),
                                                  "; FILES lists what its subvolume holds"));
}

absl::Status FileExists(const FileName& name) {
  return MakeError(ErrorNumber::kAlreadyExists,
                   StrCat("file ", name.ToString(), " exists; PURGE it or choose another name"));
}

absl::Status WrongVolume(const FileName& name, std::string_view here) {
  return MakeError(ErrorNumber::kNoSuchVolume,
                   StrCat("file ", name.ToString(), " is not on this volume, which is ", here,
                          "; ask the router, or the server of ", name.volume));
}

absl::Status PartitionHere(uint32_t partition, std::string_view here) {
  return MakeError(ErrorNumber::kAlreadyExists,
                   StrCat("PART ", partition, " is on ", here,
                          ", which holds the primary partition; every partition needs a volume of "
                          "its own"));
}

absl::Status PartitionElsewhere(uint32_t partition, std::string_view volume,
                                std::string_view here) {
  return MakeError(ErrorNumber::kNoSuchVolume,
                   StrCat("PART ", partition, " is on ", volume, ", and this server has only ",
                          here, "; create partitioned files through a router or a volume map"));
}

absl::Status SecondaryByName(const FileName& name, std::string_view primary_volume) {
  return MakeError(ErrorNumber::kPartitionMissing,
                   StrCat(name.ToString(),
                          " is a secondary partition; open the file by its "
                          "primary partition on ",
                          primary_volume));
}

absl::Status PendingPartition(const FileName& name) {
  return MakeError(ErrorNumber::kPartitionMissing,
                   StrCat("partition ", name.ToString(),
                          " belongs to a CREATE that was not finished; create the file again"));
}

absl::Status StaleRoute(const FileName& name) {
  return MakeError(
      ErrorNumber::kReopen,
      StrCat("file ", name.ToString(), " was replaced since its label was read; open it again"),
      Retry::kReopen);
}

absl::Status FileInUse(const FileName& name, std::string_view opener) {
  return MakeError(ErrorNumber::kFileInUse, StrCat("file ", name.ToString(), " is open by ", opener,
                                                   " in a way that excludes this"));
}

absl::Status NotOpen(uint64_t open_id) {
  return MakeError(ErrorNumber::kNotOpen,
                   StrCat("open ", open_id, " was never given here or is closed"));
}

absl::Status BadSecurity(std::string_view security) {
  return MakeError(
      ErrorNumber::kBadParameter,
      StrCat("security \"", security,
             "\" is not four of the letters A G O N C U -, for read, write, execute and "
             "purge"));
}

absl::Status NotAllowed(const FileName& name, char right, std::string_view security, uint32_t group,
                        uint32_t user) {
  return MakeError(ErrorNumber::kSecurityViolation,
                   StrCat("user ", group, ",", user, " has no right ", std::string(1, right),
                          " to ", name.ToString(), ", whose security is \"", security, "\""));
}

absl::Status LeaseExpired(uint64_t open_id) {
  return MakeError(ErrorNumber::kReopen,
                   StrCat("open ", open_id,
                          " was without a connection for longer than its lease and has ended, its "
                          "locks with it; open the file again"),
                   Retry::kReopen);
}

absl::Status RestartedWithLocks(uint64_t open_id, uint32_t locks) {
  return MakeError(ErrorNumber::kReopen,
                   StrCat("the volume was restarted while open ", open_id, " held ", locks,
                          " locks there, which are gone; open the file again"),
                   Retry::kReopen);
}

absl::Status ChangesLost(std::string_view volume, uint64_t first, uint64_t last) {
  return MakeError(
      ErrorNumber::kDataLoss,
      StrCat(volume,
             " ended before a control point had placed its changes of BUFFERED files from number ",
             first, " on, among them acknowledged ones of this open (the last is number ", last,
             "); the operation was not executed: check what the file holds, then go on"),
      Retry::kNever);
}

absl::Status ReadNotKept() {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   "what this read found was not kept, and changes that came behind it in this "
                   "open are done; read again under a new number",
                   Retry::kSafe);
}

absl::Status ResumedElsewhere(uint64_t open_id) {
  return MakeError(ErrorNumber::kReopen,
                   StrCat("open ", open_id, " goes on over another connection, which resumed it"));
}

absl::Status StreamGone(uint64_t open_id) {
  return MakeError(
      ErrorNumber::kReopen,
      StrCat("not executed: the connection of open ", open_id, " had ended or was replaced before"),
      Retry::kSafe);
}

absl::Status StreamDetached(std::string_view volume) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("the server of ", volume,
                          " ends this connection; the open lives on for its lease and can be "
                          "resumed"),
                   Retry::kSafe);
}

absl::Status SequenceTooOld(uint64_t sequence, uint64_t acked_through) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("operation ", sequence, " is not above ", acked_through,
                          ", up to which results had arrived; numbers rise from operation to "
                          "operation"));
}

absl::Status SessionOnly() {
  return MakeError(ErrorNumber::kBadParameter,
                   "positions and locks belong to an open; use a session");
}

absl::Status Cancelled() {
  return MakeError(ErrorNumber::kTimedOut, "not executed: the operation was cancelled",
                   Retry::kSafe);
}

absl::Status LockTimedOut(const FileName& name, std::string_view what) {
  return MakeError(ErrorNumber::kTimedOut,
                   StrCat("the wait for ", what, " of ", name.ToString(),
                          " ran out of time; LISTLOCKS shows who holds it"),
                   Retry::kSafe);
}

absl::Status LockCycle(std::string_view cycle) {
  return MakeError(ErrorNumber::kTimedOut,
                   StrCat("waiting would never end: ", cycle, "; release locks and try again"),
                   Retry::kSafe);
}

absl::Status WaitGivenUp() {
  return MakeError(ErrorNumber::kTimedOut,
                   "the wait for a lock was given up because the connection or the server ends",
                   Retry::kSafe);
}

absl::Status Locked(const FileName& name, std::string_view what) {
  return MakeError(
      ErrorNumber::kLocked,
      StrCat(what, " of ", name.ToString(), " is locked by another open; LISTLOCKS shows by whom"),
      Retry::kSafe);
}

absl::Status TooManyLocks(uint32_t limit) {
  return MakeError(ErrorNumber::kNoControlBlock,
                   StrCat("this open has ", limit,
                          " locks, its limit; release some, or lock the "
                          "file"),
                   Retry::kSafe);
}

absl::Status LockTableFull(uint32_t limit) {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   StrCat("the volume has ", limit,
                          " locks and waiters, its limit; try again when some are released"),
                   Retry::kSafe);
}

absl::Status AnswersFull(uint32_t bytes) {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   StrCat("the records read before and kept until their results have arrived take "
                          "more than ",
                          bytes, " bytes; take the results under way before changing a record"),
                   Retry::kSafe);
}

absl::Status BadSyncDepth(uint32_t depth) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("sync depth ", depth, " does not exist; it may be 0 to ", kMaxSyncDepth));
}

absl::Status NoSuchLockMode(uint32_t mode) {
  return MakeError(ErrorNumber::kInvalidOperation,
                   StrCat("lock mode ", mode, " does not exist; 0, 1, 2, 3, 6 and 7 do"));
}

absl::Status KeyChanged() {
  return MakeError(ErrorNumber::kInvalidKey,
                   "the record has another key than the current record; a primary key cannot be "
                   "changed: delete the record and write another");
}

absl::Status KeyLength(size_t length, uint32_t expected) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("a key of ", length, " bytes; the file's keys have ", expected));
}

absl::Status PositionOfOtherFile(size_t length, uint32_t key_length) {
  return MakeError(ErrorNumber::kBadParameter, StrCat("a position with a key of ", length,
                                                      " bytes is of another file; this "
                                                      "one's keys have ",
                                                      key_length));
}

absl::Status OpenTableFull(uint32_t limit) {
  return MakeError(ErrorNumber::kNoControlBlock,
                   StrCat("the volume has ", limit, " opens, its limit; close some"), Retry::kSafe);
}

absl::Status AlreadyOpen(uint64_t open_id) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("open id ", open_id, " is in use; choose ids at random"));
}

absl::Status ReadOnlyOpen(const FileName& name) {
  return MakeError(ErrorNumber::kAccessViolation,
                   StrCat("file ", name.ToString(), " is open for reading only"));
}

absl::Status WriteOnlyOpen(const FileName& name) {
  return MakeError(ErrorNumber::kAccessViolation,
                   StrCat("file ", name.ToString(), " is open for writing only"));
}

absl::Status NotExecuted() {
  return MakeError(ErrorNumber::kBadParameter,
                   "not executed: an earlier operation of the batch failed and it says "
                   "stop_on_error",
                   Retry::kSafe);
}

absl::Status BatchTooLarge(size_t bytes, size_t operations) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("a batch of ", operations, " operations and ", bytes, " bytes; at most ",
                          kMaxBatchOperations, " and ", kMaxBatchBytes, ", as Opened said"));
}

absl::Status TooManyBatches(uint32_t credits) {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   StrCat("more than ", credits, " batches under way, the open's credits"));
}

absl::Status ChunkTooLarge(uint64_t bytes) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("a chunk of ", bytes, " bytes; at most ", kMaxMessageBytes));
}

absl::Status ScanEnded() {
  return MakeError(ErrorNumber::kEndOfFile, "the scan has given its last record");
}

absl::Status LoadStopped() {
  return MakeError(ErrorNumber::kBadParameter,
                   "the load stopped at a refused record; this chunk was not tried", Retry::kSafe);
}

absl::Status MalformedChunk() {
  return MakeError(ErrorNumber::kBadParameter, "the lengths of a chunk do not add up to its data");
}

absl::Status NotOneOperation(size_t count) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("a single call carries one operation, not ", count));
}

absl::Status NothingToAlter() {
  return MakeError(ErrorNumber::kBadParameter, "ALTER without an attribute to change");
}

absl::Status BadPageToken() {
  return MakeError(ErrorNumber::kBadParameter,
                   "the page token is not one that List gave; start from the first page");
}

absl::Status VolumeLatched(std::string_view volume, const absl::Status& cause) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("volume ", volume, " is down since a write or sync failed (",
                          cause.message(), "); see its log, restart it when the disc is well"),
                   Retry::kSafe);
}

absl::Status VolumeStopping(std::string_view volume) {
  return MakeError(ErrorNumber::kVolumeDown, StrCat("volume ", volume, " is being stopped"),
                   Retry::kSafe);
}

absl::Status OutcomeUnknown(std::string_view volume, const absl::Status& cause) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("volume ", volume, " went down before this was durable (",
                          cause.message(), "); after its restart look whether it was done"),
                   Retry::kOutcomeUnknown);
}

absl::Status DirectoryInUse(std::string_view directory, std::string_view owner) {
  return MakeError(ErrorNumber::kFileInUse,
                   StrCat("directory ", directory, " is in use by process ", owner,
                          "; a volume has one server"));
}

absl::Status DirectoryRefused(std::string_view directory, std::string_view what) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("directory ", directory, " cannot be used: ", what));
}

absl::Status OtherVolume(std::string_view directory, std::string_view holds,
                         std::string_view wanted) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("directory ", directory, " holds volume ", holds, ", not ", wanted));
}

absl::Status StoreMissing(std::string_view directory, std::string_view trail) {
  return MakeError(
      ErrorNumber::kFileBad,
      StrCat("directory ", directory, " has no store, but ", trail,
             " holds an audit trail: it belongs to another volume (see --trail), or ", directory,
             "/store/data.mdb was removed; put it back, or restore the volume from a backup"));
}

absl::Status OutOfMemory() {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   "the server has no memory for this request; nothing was done, repeat it with "
                   "less at once",
                   Retry::kSafe);
}

absl::Status EndedWithoutFlushing() {
  return MakeError(ErrorNumber::kVolumeDown, "the volume was ended without flushing");
}

absl::Status OutOfMemoryInChange() {
  return MakeError(
      ErrorNumber::kVolumeDown,
      "no memory in the middle of a change, which may be half done: start the volume "
      "again, recovery makes it whole; give the server more memory or a smaller --cache");
}

absl::Status BadOption(std::string_view sentence) {
  return MakeError(ErrorNumber::kBadParameter, sentence);
}

absl::Status AuditIsBuffered() {
  return MakeError(ErrorNumber::kInvalidOperation,
                   "an audited file is BUFFERED: take AUDIT away with it (NO AUDIT), or leave NO "
                   "BUFFERED out");
}
absl::Status RedoDoesNotApply(const FileName& name, std::string_view why) {
  return MakeError(
      ErrorNumber::kFileBad,
      StrCat(name.ToString(), " does not take a change that the audit trail holds: ", why));
}
absl::Status BadStore(std::string_view what) {
  return MakeError(ErrorNumber::kFileBad, StrCat("the volume's store is damaged: ", what));
}

absl::Status NewerFormat(std::string_view what, uint32_t format, uint32_t known) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat(what, " has format ", format, ", this program knows up to ", known,
                          "; start the newer program that wrote it"));
}

absl::Status PurgedWhileScanned(const FileName& name) {
  return MakeError(ErrorNumber::kReopen,
                   StrCat("file ", name.ToString(), " was purged during the scan"), Retry::kReopen);
}

}  // namespace quire::volume_error
