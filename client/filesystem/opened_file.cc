#include "client/filesystem/opened_file.h"

#include "client/filesystem/batch_plan.h"
#include "client/filesystem/load_file.h"
#include "client/filesystem/prefetching_scanner.h"
#include "client/filesystem/volume_set.h"
#include "quire/error.h"

namespace quire {

size_t OrderedSlot(const FileAttributes& attributes) {
  const size_t partitions = PartitionCount(attributes);
  return partitions == 1 ? 0 : partitions;
}

// ---- Sending --------------------------------------------------------------------------------

// The slot the operation is collected in. What it must not overtake, or what must not overtake it,
// is sent first (R-S5): operations by key are collected per partition, all others in a slot of
// their own, in which they keep their order.
size_t OpenedFile::MakeWay(const Operation& operation) {
  const FileAttributes& attributes = description_.primary.attributes;
  const size_t ordered = OrderedSlot(attributes);
  if (ordered == 0) return 0;
  if (!UsesPosition(operation) && !IsForWholeFile(operation.kind)) {
    const PartitionWalk walk = WalkOf(attributes, operation);
    if (!walk.CrossesBorder()) {
      stream_->Send(ordered);
      return walk.first;
    }
  }
  stream_->SendAllBut(ordered);
  return ordered;
}

absl::Status OpenedFile::Refusal(const Operation& operation) const {
  if (closed_) return Closed();
  const size_t bytes = BytesOf(operation);
  if (bytes <= largest_operation_) return absl::OkStatus();
  return filesystem_errors::OperationTooLarge(bytes, largest_operation_);
}

// Forgets what the operation makes stale.
void OpenedFile::Forget(const Operation& operation) {
  const bool moves = MovesPosition(operation.kind);
  if (moves || Changes(operation.kind)) DropBuffer();
  if (moves) position_.Lost();
}

absl::Status OpenedFile::Execute(const Operation& operation, std::string* record) {
  last_warning_ = ErrorNumber::kOk;
  if (absl::Status refused = Refusal(operation); !refused.ok()) return refused;
  const size_t slot = MakeWay(operation);
  std::optional<Position> before;
  if (UsesPosition(operation)) {
    if (const std::optional<Position> untold = position_.TakeUntold()) {
      const std::string bytes = EncodePosition(*untold);
      stream_->Hold(slot, ByKey(OperationKind::kRestorePosition, bytes), BytesOf(operation),
                    nullptr);
    }
    before = position_.get();
  }
  Forget(operation);
  const FileStream::Outcome outcome = stream_->Execute(slot, operation, record);
  if (outcome.status.ok()) {
    last_warning_ = outcome.warning;
  } else if (before) {
    position_.Here(*std::move(before));
  }
  return outcome.status;
}

uint64_t OpenedFile::Nowait(const Operation& operation, Completion done) {
  absl::Status refused = Refusal(operation);
  // Nothing is repeated with sync depth 0: should the telling get lost, what is sent behind it
  // would be done elsewhere.
  if (refused.ok() && sync_depth_ == 0 && UsesPosition(operation)) refused = Tell();
  if (!refused.ok()) {
    std::move(done)(refused, {});
    return 0;
  }
  const size_t slot = MakeWay(operation);
  if (UsesPosition(operation)) {
    if (std::optional<Position> untold = position_.TakeUntold()) {
      const std::string bytes = EncodePosition(*untold);
      stream_->Hold(slot, ByKey(OperationKind::kRestorePosition, bytes), BytesOf(operation),
                    [doubt = position_.doubt(), position = *std::move(untold)](
                        const absl::Status& status, std::string_view) mutable {
                      if (!status.ok()) doubt->TellingFailed(std::move(position));
                    });
    }
  }
  Forget(operation);
  return stream_->Add(slot, operation, std::move(done));
}

// Tells the session the position and waits for it.
absl::Status OpenedFile::Tell() {
  const std::optional<Position> untold = position_.TakeUntold();
  if (!untold) return absl::OkStatus();
  const std::string bytes = EncodePosition(*untold);
  const Operation restore = ByKey(OperationKind::kRestorePosition, bytes);
  const absl::Status status = stream_->Execute(MakeWay(restore), restore, nullptr).status;
  if (!status.ok()) position_.Here(*untold);
  return status;
}

// ---- Reading --------------------------------------------------------------------------------

absl::StatusOr<std::string> OpenedFile::ReadNext() {
  if (!buffer_ || closed_) return ReadOn(OfKind(OperationKind::kReadNext));
  last_warning_ = ErrorNumber::kOk;
  if (!buffer_->reading()) {
    Settle();
    if (absl::Status s = LearnPosition(); !s.ok()) return s;
  }
  const absl::StatusOr<std::string_view> record = buffer_->Next(position_.Advance());
  if (record.ok()) return std::string(*record);
  if (NumberOf(record.status()) == ErrorNumber::kEndOfFile) return record.status();
  // The session knows how to go on after a lost connection, or why that cannot be.
  return ReadOn(OfKind(OperationKind::kReadNext));
}

// READ by the session; what was found tells where it stands.
absl::StatusOr<std::string> OpenedFile::ReadOn(const Operation& operation) {
  std::optional<Position> position = position_.get();
  absl::StatusOr<std::string> record = ExecuteRead(operation);
  const FileAttributes& attributes = description_.primary.attributes;
  if (position && record.ok() &&
      record->size() >= size_t{attributes.key_offset} + attributes.key_length) {
    MoveTo(std::string_view(*record).substr(attributes.key_offset, attributes.key_length),
           &*position);
    position_.Learnt(*std::move(position));
  }
  return record;
}

absl::Status OpenedFile::LearnPosition() {
  if (position_.get()) return absl::OkStatus();
  const absl::StatusOr<std::string> saved = ExecuteRead(OfKind(OperationKind::kSavePosition));
  if (!saved.ok()) return saved.status();
  absl::StatusOr<Position> position = DecodePosition(*saved);
  if (!position.ok()) return position.status();
  position_.Learnt(*std::move(position));
  return absl::OkStatus();
}

// ---- Many records ---------------------------------------------------------------------------

std::unique_ptr<Scanner> OpenedFile::Scan(const ScanOptions& options) {
  if (!closed_) Settle();
  ScanRequest request;
  request.file = Reference();
  request.range = options.range;
  request.reverse = options.reverse;
  request.start_exclusive = options.start_exclusive;
  request.chunk_bytes = options.chunk_bytes;
  request.max_records = options.max_records;
  return MakePrefetchingScanner(service_, std::move(request));
}

absl::StatusOr<LoadSummary> OpenedFile::Load(RecordSource source, const LoadOptions& options) {
  if (closed_) return Closed();
  Settle();
  DropBuffer();
  return LoadRecords(*service_, Reference(), source, options);
}

absl::Status OpenedFile::Close() {
  if (std::exchange(closed_, true)) return absl::OkStatus();
  DropBuffer();
  Settle();
  const absl::Status before = stream_->status();
  const absl::Status after = stream_->Close();
  return before.ok() ? after : before;
}

}  // namespace quire
