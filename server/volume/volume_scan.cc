#include "server/volume/volume_scan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "quire/limits.h"
#include "server/volume/errors.h"
#include "server/volume/execute_operation.h"
#include "server/volume/record_locks.h"
#include "server/volume/resolve.h"

namespace quire {
namespace {

// Lengths and keys of a page travel beside its data.
constexpr uint32_t kLargestPageBytes = kMaxMessageBytes / 2;

// Shared by the stream and its request under way; used by one of them at a time.
struct ScanState {
  std::shared_ptr<VolumeCore> core;
  ScanRequest request;
  std::optional<Cursor> cursor;
  FileId file = 0;  // the cursor is of this file
  uint64_t given = 0;
  size_t last_page_bytes = 0;  // the next will be as large
  size_t last_page_records = 0;
  bool ended = false;
};

class ScanPageRequest : public Request {
 public:
  ScanPageRequest(std::shared_ptr<ScanState> scan, Done<ScanPage> done)
      : scan_(std::move(scan)), done_(std::move(done)) {}

  FileEntry* Target(VolumeState& state) override {
    return FindFile(state, scan_->request.file.name);
  }

  void Execute(VolumeState& state, DiscProcess& process) override {
    const absl::StatusOr<OpenEntry*> open = Resolve(state);
    status_ = open.status();
    if (status_.ok()) status_ = Fill(state, process, **open);
    if (lock_wait.waiter != 0) return;
    if (!status_.ok() || page_.end) scan_->ended = true;
  }

  void Reply(const absl::Status& volume, bool) override {
    // Without memory in the middle of a page the cursor has moved on: nothing may be left out.
    if (!volume.ok()) {
      status_ = volume;
      scan_->ended = true;
    }
    if (status_.ok()) {
      std::move(done_)(std::move(page_));
    } else {
      std::move(done_)(status_);
    }
  }

 private:
  // After a wait for a lock it is the open that waited.
  absl::StatusOr<OpenEntry*> Resolve(VolumeState& state) {
    if (open_id_ != 0) {
      OpenEntry* const open = state.opens.Find(open_id_);
      if (open == nullptr) return state.opens.WhyNotOpen(open_id_);
      return open;
    }
    absl::StatusOr<OpenEntry*> open = ResolveOpen(state, scan_->request.file);
    if (open.ok()) open_id_ = (*open)->id;
    return open;
  }

  absl::Status Fill(VolumeState& state, DiscProcess& process, OpenEntry& open) {
    FileEntry& entry = *open.entry;
    const ScanRequest& request = scan_->request;
    RecordLocks locks(state, process, *this, open, request.lock_timeout_ms, /*may_wait=*/true);
    if (absl::Status s = locks.FinishWait(); !s.ok()) return s;
    if (!scan_->cursor.has_value()) {
      scan_->file = entry.id();
      scan_->cursor = entry.file.Scan(request.range, request.reverse, request.start_exclusive);
    } else if (scan_->file != entry.id()) {
      return volume_error::PurgedWhileScanned(request.file.name);
    }
    const uint32_t bytes = request.chunk_bytes == 0
                               ? kDefaultChunkBytes
                               : std::min(request.chunk_bytes, kLargestPageBytes);
    const uint64_t records = request.max_records == 0 ? 0 : request.max_records - scan_->given;
    page_.chunk.data.reserve(scan_->last_page_bytes);
    page_.chunk.lengths.reserve(scan_->last_page_records);
    absl::Status status = ExecuteScan(state, *this, open, [&](BlockCalls& calls) {
      absl::Status filled = scan_->cursor->Fill(bytes, records, calls, &page_.chunk, &page_.end);
      entry.file.NoteStatus(filled);
      return filled.ok() ? StopAtLock(state, entry, locks) : filled;
    });
    if (lock_wait.waiter != 0) return status;
    scan_->given += page_.chunk.size();
    scan_->last_page_bytes = page_.chunk.data.size();
    scan_->last_page_records = page_.chunk.size();
    if (request.max_records != 0 && scan_->given >= request.max_records) page_.end = true;
    process.WaitForFile(entry, *this);
    return status;
  }

  // Ends the page before the first record that another has locked, if this scan minds; where that
  // is the first of the page, waits for it or is refused.
  absl::Status StopAtLock(VolumeState& state, FileEntry& entry, RecordLocks& locks) {
    const std::optional<LockMode> mode = scan_->request.lock_mode;
    if (!mode.has_value() || !state.locks.HasLocks(entry.id())) return absl::OkStatus();
    const KeyField key_field = entry.file.tree().key_field();
    size_t offset = 0;
    for (size_t i = 0; i < page_.chunk.size(); ++i) {
      const auto record = std::string_view(page_.chunk.data).substr(offset, page_.chunk.lengths[i]);
      const std::string key(key_field.Of(record));
      if (i > 0) {
        if (locks.Passes(key, *mode)) {
          offset += record.size();
          continue;
        }
        CutAt(entry, i, offset, key);
        return absl::OkStatus();
      }
      ErrorNumber warning = ErrorNumber::kOk;
      if (locks.Read(key, *mode, &warning) != LockStep::kGo) {
        CutAt(entry, 0, 0, key);
        return locks.status();
      }
      offset += record.size();
    }
    return absl::OkStatus();
  }

  // Leaves `count` records in the page; the scan goes on at `key`, which is the next.
  void CutAt(FileEntry& entry, size_t count, size_t bytes, const std::string& key) {
    RecordChunk& chunk = page_.chunk;
    chunk.lengths.resize(count);
    chunk.data.resize(bytes);
    chunk.last_key.clear();
    if (count > 0) {
      const std::string_view last =
          std::string_view(chunk.data).substr(bytes - chunk.lengths.back());
      chunk.last_key.assign(entry.file.tree().key_field().Of(last));
    }
    page_.end = false;
    KeyRange rest = scan_->request.range;
    if (scan_->request.reverse) {
      rest.limit = key + std::string(1, '\0');
    } else {
      rest.start = key;
    }
    const bool exclusive = scan_->request.reverse && scan_->request.start_exclusive;
    scan_->cursor = entry.file.Scan(rest, scan_->request.reverse, exclusive);
  }

  std::shared_ptr<ScanState> scan_;
  Done<ScanPage> done_;
  uint64_t open_id_ = 0;
  ScanPage page_;
  absl::Status status_;
};

class VolumeScan : public ScanStream {
 public:
  explicit VolumeScan(std::shared_ptr<ScanState> state) : state_(std::move(state)) {}

  void Next(Done<ScanPage> done) override {
    if (state_->ended) {
      std::move(done)(volume_error::ScanEnded());
      return;
    }
    state_->core->process.Submit(std::make_unique<ScanPageRequest>(state_, std::move(done)));
  }

 private:
  std::shared_ptr<ScanState> state_;
};

}  // namespace

std::unique_ptr<ScanStream> OpenVolumeScan(std::shared_ptr<VolumeCore> core, ScanRequest request) {
  auto state = std::make_shared<ScanState>();
  state->core = std::move(core);
  state->request = std::move(request);
  return std::make_unique<VolumeScan>(std::move(state));
}

}  // namespace quire
