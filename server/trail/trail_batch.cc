#include "server/trail/trail_batch.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "server/base/check.h"
#include "server/trail/trail_format.h"

namespace quire {
namespace {

// One huge page: less would not save memory.
constexpr uint64_t kFirstBufferBytes = uint64_t{2} << 20;

uint64_t Padded(uint64_t content_bytes) {
  return (content_bytes + kTrailBlockBytes - 1) / kTrailBlockBytes * kTrailBlockBytes;
}

}  // namespace

struct TrailBatch::Body {
  HugeMemory memory;  // taken at the first Add; only grows
  uint64_t content_bytes = kBatchHeaderBytes;
  uint32_t record_count = 0;

  // Room for `bytes` of content and its padding.
  void Reserve(uint64_t bytes) {
    const uint64_t needed = Padded(bytes);
    if (needed <= memory.size()) return;
    HugeMemory larger(std::max({needed, kFirstBufferBytes, uint64_t{2} * memory.size()}));
    if (larger.data() == nullptr) throw std::bad_alloc();
    if (record_count > 0) std::memcpy(larger.data(), memory.data(), content_bytes);
    memory = std::move(larger);
  }
};

TrailBatch::TrailBatch() : body_(new Body) {}
TrailBatch::~TrailBatch() {
  delete body_;
}
TrailBatch::TrailBatch(TrailBatch&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
TrailBatch& TrailBatch::operator=(TrailBatch&& other) noexcept {
  std::swap(body_, other.body_);
  return *this;
}

void TrailBatch::Add(const TrailRecord& record) {
  const uint64_t end = body_->content_bytes + TrailRecordBytes(record.payload.size());
  QUIRE_CHECK(end <= kMaxSegmentBytes);
  body_->Reserve(end);
  EncodeTrailRecord(record, body_->memory.data() + body_->content_bytes);
  body_->content_bytes = end;
  ++body_->record_count;
}

void TrailBatch::Reserve(uint64_t disc_bytes) {
  body_->Reserve(std::min(disc_bytes, kMaxSegmentBytes));
}

void TrailBatch::Clear() {
  body_->content_bytes = kBatchHeaderBytes;
  body_->record_count = 0;
}

uint32_t TrailBatch::record_count() const {
  return body_->record_count;
}

uint64_t TrailBatch::disc_bytes() const {
  return empty() ? 0 : Padded(body_->content_bytes);
}

absl::Span<const char> TrailBatch::Finish(const Stamp& stamp) {
  QUIRE_CHECK(!empty());
  QUIRE_CHECK(stamp.offset % kTrailBlockBytes == 0);
  const absl::Span<char> batch(body_->memory.data(), disc_bytes());
  std::memset(batch.data() + body_->content_bytes, 0, batch.size() - body_->content_bytes);
  EncodeBatchHeader({.volume_id = stamp.volume_id,
                     .epoch = stamp.epoch,
                     .segment = stamp.segment,
                     .first_lsn = stamp.first_lsn,
                     .position = static_cast<uint32_t>(stamp.offset / kTrailBlockBytes),
                     .length = static_cast<uint32_t>(batch.size() / kTrailBlockBytes),
                     .content_bytes = static_cast<uint32_t>(body_->content_bytes),
                     .record_count = body_->record_count,
                     .time_us = stamp.time_us},
                    batch);
  return batch;
}

}  // namespace quire
