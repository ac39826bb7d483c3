#include "server/keyseq/open_position.h"

#include <utility>

#include "server/base/check.h"
#include "server/btree/errors.h"
#include "server/keyseq/errors.h"

namespace quire {

OpenPosition::OpenPosition(KeySequencedFile* file) : file_(file) {}

void OpenPosition::Set(Position position) {
  position_ = std::move(position);
  reading_ = Reading();
  peeked_ = false;
}

bool OpenPosition::Prepare() {
  const uint64_t version = file_->tree().version();
  if (reading_.ended) {
    if (reading_.version == version) return false;
    reading_ = Reading();  // a cursor stays at its end, the file may have grown behind it
  }
  if (reading_.cursor.has_value()) return true;
  const Subset subset = SubsetFrom(position_, file_->label().attributes);
  if (subset.empty) return false;
  // kData: single READs are the everyday access, not a scan that would only wash out the cache.
  reading_.cursor.emplace(
      file_->Scan(subset.range, subset.reverse, subset.start_exclusive, BlockUse::kData));
  return true;
}

absl::Status OpenPosition::Peek(BlockCalls& calls, std::string* record, std::string* key) {
  peeked_ = false;
  if (!Prepare()) return btree_error::EndOfSubset();
  ahead_.cursor = reading_.cursor;
  ahead_.version = file_->tree().version();
  chunk_.lengths.clear();
  chunk_.data.clear();
  // One byte: the first record fills the chunk, so that the block beside is not read in advance.
  if (absl::Status status = ahead_.cursor->Fill(1, 1, calls, &chunk_, &ahead_.ended);
      !status.ok()) {
    file_->NoteStatus(status);
    return status;
  }
  if (chunk_.size() == 0) {
    reading_.ended = true;
    reading_.version = ahead_.version;
    return btree_error::EndOfSubset();
  }
  peeked_ = true;
  ahead_key_.assign(chunk_.last_key);
  record->assign(chunk_.data);
  key->assign(chunk_.last_key);
  return absl::OkStatus();
}

void OpenPosition::Accept() {
  QUIRE_CHECK(peeked_);
  peeked_ = false;
  MoveTo(ahead_key_, &position_);
  if (position_.mode == PositioningMode::kExact) {
    reading_ = Reading();  // the one record was read; that nothing follows needs no look
  } else {
    std::swap(reading_, ahead_);
  }
}

absl::Status OpenPosition::Current(BlockCalls& calls, std::string* record) {
  const absl::StatusOr<std::string> key = CurrentKey();
  if (!key.ok()) return key.status();
  Operation read;
  read.kind = OperationKind::kRead;
  read.mode = ReadMode::kByKey;
  read.key = *key;
  record->clear();
  // A read changes nothing, so it has no time.
  return file_->Execute(read, /*time_us=*/0, calls, record).status;
}

absl::StatusOr<std::string> OpenPosition::CurrentKey() const {
  const uint32_t key_length = file_->label().attributes.key_length;
  if (position_.key.size() != key_length) {
    return keyseq_error::NoCurrentRecord(position_.key.size(), key_length);
  }
  return position_.key;
}

}  // namespace quire
