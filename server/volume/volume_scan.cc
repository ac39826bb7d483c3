#include "server/volume/volume_scan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "quire/limits.h"
#include "server/volume/errors.h"
#include "server/volume/execute_batch.h"
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
    const absl::StatusOr<OpenEntry*> open = ResolveOpen(state, scan_->request.file);
    status_ = open.status();
    if (status_.ok()) status_ = Fill(state, process, **open);
    if (!status_.ok() || page_.end) scan_->ended = true;
  }

  void Reply(const absl::Status& volume, bool) override {
    if (!volume.ok()) status_ = volume;
    if (status_.ok()) {
      std::move(done_)(std::move(page_));
    } else {
      std::move(done_)(status_);
    }
  }

 private:
  absl::Status Fill(VolumeState& state, DiscProcess& process, OpenEntry& open) {
    FileEntry& entry = *open.entry;
    const ScanRequest& request = scan_->request;
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
    absl::Status status = ExecuteScan(state, open, [&](BlockCalls& calls) {
      return scan_->cursor->Fill(bytes, records, calls, &page_.chunk, &page_.end);
    });
    entry.file.NoteStatus(status);
    scan_->given += page_.chunk.size();
    if (request.max_records != 0 && scan_->given >= request.max_records) page_.end = true;
    process.WaitForFile(entry, *this);
    return status;
  }

  std::shared_ptr<ScanState> scan_;
  Done<ScanPage> done_;
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
