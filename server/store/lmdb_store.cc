#include "server/store/lmdb_store.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"
#include "server/base/bytes.h"
#include "server/base/clock.h"
#include "server/store/control_point_writer.h"
#include "server/store/disc_reservation.h"
#include "server/store/early_write_back.h"
#include "server/store/errors.h"
#include "server/store/lmdb_ahead_reader.h"
#include "server/store/lmdb_environment.h"
#include "server/store/lmdb_reader.h"
#include "server/store/store_room.h"

namespace quire {
namespace {

// LMDB's commit: one fdatasync of the pages, then the meta page through a descriptor opened with
// O_DSYNC.
constexpr int64_t kSyncsOfCommit = 2;

// A commit of less is over before the kernel could be asked twice.
constexpr uint64_t kLeastWrittenEarly = uint64_t{8} << 20;

// EnsureRoom asks for this much more than it was told, so that the following requests are admitted
// by a comparison.
constexpr uint64_t kAdmittedAheadBlocks = 1024;
constexpr uint64_t kAdmittedAheadBytes = 4 << 20;

class LmdbStore : public BlockStore {
 public:
  LmdbStore(std::unique_ptr<LmdbEnvironment> environment, uint64_t capacity_bytes,
            uint64_t reserve_step_bytes)
      : environment_(std::move(environment)),
        capacity_bytes_(capacity_bytes),
        snapshot_(environment_.get()),
        reservation_(environment_->data_descriptor(), reserve_step_bytes) {}

  // Takes the first snapshot; before any other call.
  absl::Status Start() { return snapshot_.Begin(); }

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override;
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    return snapshot_.ReadLabels();
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override {
    return snapshot_.ReadMeta(key);
  }
  absl::Status RenewSnapshot() override;
  absl::StatusOr<std::unique_ptr<BlockReader>> OpenReader() override;
  std::unique_ptr<AheadReader> OpenAheadReader() override {
    return std::make_unique<LmdbAheadReader>(environment_.get());
  }
  absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) override;
  absl::Status EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) override;
  void ReleaseRoom() override;
  absl::StatusOr<MetaValues> CopyTo(const std::string& directory) override;
  StoreStatistics Statistics() const override;

 private:
  // Ways for a control point to fail; they decide whether it may be tried again.
  enum class FailedIn { kTransaction, kCommit };

  absl::Status Admit(uint64_t dirty_blocks, uint64_t dirty_bytes);
  absl::Status ExamineStore();
  int CountFreePages(FreePages& free_pages) const;
  absl::StatusOr<CommitResult> CommitTransaction(const ControlPoint& control_point);
  absl::Status CommitFailure(FailedIn where, std::string_view action, int code);

  const std::unique_ptr<LmdbEnvironment> environment_;
  const uint64_t capacity_bytes_;

  // Of the disc process role.
  LmdbReader snapshot_;
  DiscReservation reservation_;
  uint64_t admitted_blocks_ = 0;  // what the last examination found room for
  uint64_t admitted_bytes_ = 0;
  StoreShape shape_;
  bool shape_known_ = false;  // shape_ is of the present snapshot
  bool free_pages_known_ = false;

  // The copy under way reads as of this transaction or a later one: what was freed since is not
  // free yet.
  std::atomic<size_t> copied_transaction_ = std::numeric_limits<size_t>::max();

  // Of the control-point writer.
  absl::Status latched_;  // the failure after which nothing is written any more

  std::atomic<int64_t> reads_ = 0;
  std::atomic<int64_t> read_bytes_ = 0;
  std::atomic<int64_t> read_micros_ = 0;
  std::atomic<int64_t> writes_ = 0;
  std::atomic<int64_t> written_bytes_ = 0;
  std::atomic<int64_t> syncs_ = 0;
  std::atomic<int64_t> commit_micros_ = 0;
  std::atomic<bool> large_images_ = false;  // an image of more than one page passed by
};

absl::Status LmdbStore::ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) {
  const int64_t begin_us = Clock::Real()->MonotonicMicros();
  absl::Status status = snapshot_.ReadBlock(file, block, image);
  if (!status.ok()) return status;
  reads_.fetch_add(1, std::memory_order_relaxed);
  read_bytes_.fetch_add(static_cast<int64_t>(image.size()), std::memory_order_relaxed);
  if (image.size() > kSinglePageImageBytes) large_images_.store(true, std::memory_order_relaxed);
  read_micros_.fetch_add(Clock::Real()->MonotonicMicros() - begin_us, std::memory_order_relaxed);
  return status;
}

absl::Status LmdbStore::RenewSnapshot() {
  shape_known_ = false;
  admitted_blocks_ = 0;
  admitted_bytes_ = 0;
  return snapshot_.Renew();
}

absl::StatusOr<std::unique_ptr<BlockReader>> LmdbStore::OpenReader() {
  auto reader = std::make_unique<LmdbReader>(environment_.get());
  if (absl::Status s = reader->Begin(); !s.ok()) return s;
  return reader;
}

absl::StatusOr<CommitResult> LmdbStore::Commit(const ControlPoint& control_point) {
  if (!latched_.ok()) return latched_;
  const int64_t begin_us = Clock::Real()->MonotonicMicros();
  absl::StatusOr<CommitResult> result = CommitTransaction(control_point);
  commit_micros_.fetch_add(Clock::Real()->MonotonicMicros() - begin_us, std::memory_order_relaxed);
  if (!result.ok() && NumberOf(result.status()) != ErrorNumber::kNoDiscSpace) {
    latched_ = result.status();
  }
  return result;
}

absl::StatusOr<CommitResult> LmdbStore::CommitTransaction(const ControlPoint& control_point) {
  // A reader that died (a backup tool) would keep freed pages from being used again.
  int dead_readers = 0;
  if (int code = mdb_reader_check(environment_->get(), &dead_readers); code != 0) {
    return environment_->Failure("check its readers", code);
  }
  const size_t transaction_before = environment_->last_transaction();
  LmdbTransaction transaction;
  if (int code = transaction.Begin(environment_->get(), 0); code != 0) {
    return environment_->Failure("begin a control point", code);
  }
  ControlPointWriter writer(*environment_, transaction.get());
  if (int code = writer.Put(control_point); code != 0) {
    transaction.Abort();
    return CommitFailure(FailedIn::kTransaction, writer.action(), code);
  }
  std::optional<EarlyWriteBack> early;
  if (writer.block_bytes() >= kLeastWrittenEarly) early.emplace(environment_->data_descriptor());
  const int committed = transaction.Commit();
  early.reset();
  if (committed != 0) {
    return CommitFailure(FailedIn::kCommit, "commit a control point", committed);
  }
  // LMDB commits a transaction that changed nothing without a sync.
  if (environment_->last_transaction() != transaction_before) {
    syncs_.fetch_add(kSyncsOfCommit, std::memory_order_relaxed);
  }
  const auto blocks = static_cast<int64_t>(control_point.blocks.size());
  const auto bytes = static_cast<int64_t>(writer.block_bytes());
  writes_.fetch_add(blocks, std::memory_order_relaxed);
  written_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (bytes > blocks * int64_t{kSinglePageImageBytes}) {
    large_images_.store(true, std::memory_order_relaxed);
  }
  return writer.result();
}

absl::Status LmdbStore::CommitFailure(FailedIn where, std::string_view action, int code) {
  // Before the commit nothing has been written: the map's end is met here.
  if (code == MDB_MAP_FULL) {
    return StoreCapacityUsedUp(environment_->directory(), capacity_bytes_);
  }
  // LMDB writes all pages before its first sync, and answers a short write with EIO. For want of
  // space alone the control point may be tried again; it must be certain that no sync failed.
  const bool no_space = code == ENOSPC || code == EDQUOT || code == EIO;
  if (where == FailedIn::kCommit && no_space && environment_->WritesReachedDisc()) {
    // A failed write of the meta page leaves the environment unusable, which this finds.
    LmdbTransaction probe;
    const bool usable = probe.Begin(environment_->get(), 0) == 0;
    if (usable && (code != EIO || environment_->DiscIsFull())) {
      return StoreDiscFull(environment_->directory());
    }
  }
  return environment_->Failure(action, code);
}

absl::Status LmdbStore::EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) {
  if (dirty_blocks <= admitted_blocks_ && dirty_bytes <= admitted_bytes_) return absl::OkStatus();
  if (Admit(dirty_blocks + kAdmittedAheadBlocks, dirty_bytes + kAdmittedAheadBytes).ok()) {
    return absl::OkStatus();
  }
  return Admit(dirty_blocks, dirty_bytes);
}

void LmdbStore::ReleaseRoom() {
  admitted_blocks_ = 0;
  admitted_bytes_ = 0;
  if (!ExamineStore().ok()) return;  // whoever changes something next will hear of it
  reservation_.Shrink((shape_.used_pages + ReservePages(shape_)) * kStorePageBytes);
}

absl::Status LmdbStore::Admit(uint64_t dirty_blocks, uint64_t dirty_bytes) {
  if (absl::Status s = ExamineStore(); !s.ok()) return s;
  shape_.large_images = shape_.large_images || large_images_.load(std::memory_order_relaxed);
  PageNeed need = PagesOfControlPoint(shape_, dirty_blocks, dirty_bytes);
  if (!Fits(shape_, need) && !free_pages_known_) {
    if (int code = CountFreePages(shape_.free); code != 0) {
      return environment_->Failure("read its free list", code);
    }
    free_pages_known_ = true;
    need = PagesOfControlPoint(shape_, dirty_blocks, dirty_bytes);
  }
  if (!Fits(shape_, need)) {
    return StoreCapacityUsedUp(environment_->directory(), capacity_bytes_);
  }
  const uint64_t end_pages =
      std::min(shape_.map_pages, shape_.used_pages + need.pages + ReservePages(shape_));
  if (!reservation_.Extend(end_pages * kStorePageBytes)) {
    return StoreDiscFull(environment_->directory());
  }
  admitted_blocks_ = dirty_blocks;
  admitted_bytes_ = dirty_bytes;
  return absl::OkStatus();
}

absl::Status LmdbStore::ExamineStore() {
  if (shape_known_) return absl::OkStatus();
  MDB_envinfo information;
  MDB_stat blocks;
  int code = mdb_env_info(environment_->get(), &information);
  if (code == 0) code = mdb_stat(snapshot_.transaction(), environment_->blocks(), &blocks);
  if (code != 0) return environment_->Failure("be examined", code);
  shape_ = StoreShape();
  shape_.map_pages = information.me_mapsize / kStorePageBytes;
  shape_.used_pages = information.me_last_pgno + 1;
  shape_.leaf_pages = blocks.ms_leaf_pages;
  shape_.branch_pages = blocks.ms_branch_pages;
  shape_.large_images = blocks.ms_overflow_pages > blocks.ms_entries;
  shape_known_ = true;
  free_pages_known_ = false;
  return absl::OkStatus();
}

int LmdbStore::CountFreePages(FreePages& free_pages) const {
  // LMDB keeps its free list in database 0: transaction number -> count, page numbers.
  constexpr MDB_dbi kFreeList = 0;
  // The next transaction may use what was freed before the one this snapshot reads.
  const size_t snapshot_transaction =
      std::min<size_t>(mdb_txn_id(snapshot_.transaction()), copied_transaction_.load());
  LmdbCursor cursor;
  if (int code = cursor.Open(snapshot_.transaction(), kFreeList); code != 0) return code;
  MDB_val key;
  MDB_val value;
  int code = mdb_cursor_get(cursor.get(), &key, &value, MDB_FIRST);
  for (; code == 0; code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT)) {
    const auto* numbers = static_cast<const uint64_t*>(value.mv_data);
    if (key.mv_size != sizeof(uint64_t) || value.mv_size < sizeof(uint64_t) ||
        numbers[0] > value.mv_size / sizeof(uint64_t) - 1) {
      return MDB_CORRUPTED;
    }
    if (LoadLittle<uint64_t>(static_cast<const char*>(key.mv_data)) >= snapshot_transaction) break;
    free_pages.Add(absl::MakeConstSpan(numbers + 1, numbers[0]));
  }
  return code == 0 || code == MDB_NOTFOUND ? 0 : code;
}

absl::StatusOr<BlockStore::MetaValues> LmdbStore::CopyTo(const std::string& directory) {
  copied_transaction_ = environment_->last_transaction();
  absl::Status copied = environment_->CopyTo(directory);
  copied_transaction_ = std::numeric_limits<size_t>::max();
  if (!copied.ok()) return copied;
  return LmdbEnvironment::ReadMetaOf(directory);
}

StoreStatistics LmdbStore::Statistics() const {
  StoreStatistics statistics;
  statistics.reads = reads_.load(std::memory_order_relaxed);
  statistics.read_bytes = read_bytes_.load(std::memory_order_relaxed);
  statistics.read_micros = read_micros_.load(std::memory_order_relaxed);
  statistics.writes = writes_.load(std::memory_order_relaxed);
  statistics.written_bytes = written_bytes_.load(std::memory_order_relaxed);
  statistics.syncs = syncs_.load(std::memory_order_relaxed);
  statistics.commit_micros = commit_micros_.load(std::memory_order_relaxed);
  MDB_envinfo information;
  if (mdb_env_info(environment_->get(), &information) == 0) {
    statistics.used_bytes = static_cast<int64_t>((information.me_last_pgno + 1) * kStorePageBytes);
    statistics.capacity_bytes = static_cast<int64_t>(information.me_mapsize);
  }
  return statistics;
}

}  // namespace

absl::StatusOr<std::unique_ptr<BlockStore>> OpenLmdbStore(const LmdbOptions& options) {
  if (options.capacity_bytes < kLeastCapacityBytes) {
    return StoreCapacityTooSmall(options.capacity_bytes, kLeastCapacityBytes);
  }
  const uint64_t capacity_bytes = options.capacity_bytes / kStorePageBytes * kStorePageBytes;
  const uint64_t step_bytes =
      options.reserve_step_bytes == 0 ? kReserveStepBytes : options.reserve_step_bytes;
  absl::StatusOr<std::unique_ptr<LmdbEnvironment>> environment =
      LmdbEnvironment::Open(options.directory, capacity_bytes);
  if (!environment.ok()) return environment.status();
  auto store = std::make_unique<LmdbStore>(*std::move(environment), capacity_bytes, step_bytes);
  if (absl::Status s = store->Start(); !s.ok()) return s;
  return store;
}

}  // namespace quire
