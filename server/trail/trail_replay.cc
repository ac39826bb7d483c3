#include "server/trail/trail_replay.h"

#include <algorithm>
#include <optional>

#include "quire/error.h"
#include "server/base/huge_memory.h"
#include "server/trail/errors.h"
#include "server/trail/trail_format.h"

namespace quire {
namespace {

bool IsOwnBatch(const BatchHeader& header, uint64_t volume_id, uint64_t segment, uint64_t offset) {
  return header.volume_id == volume_id && header.segment == segment &&
         uint64_t{header.position} * kTrailBlockBytes == offset;
}

absl::Status NoMemory() {
  return MakeError(ErrorNumber::kNoBufferSpace, "audit trail: no memory to read a segment");
}

class TrailReader {
 public:
  TrailReader(TrailDevice& device, uint64_t volume_id, Lsn from, Trail::ReplayBatch batch,
              const ReplayLimit& limit)
      : device_(device),
        volume_id_(volume_id),
        from_(from),
        limit_(limit),
        next_(from + 1),
        batch_(batch) {}

  absl::StatusOr<TrailContent> Run();

 private:
  absl::Status ReadDirectory();
  absl::StatusOr<std::optional<BatchHeader>> FirstBatch(const SegmentContent& segment);
  absl::Status Walk(SegmentContent& segment);
  absl::Status Take(const SegmentContent& segment, const BatchHeader& header,
                    absl::Span<const char> bytes);
  absl::Status ReadInto(uint64_t segment, uint64_t bytes);
  bool IsOwn(const BatchHeader& header, uint64_t segment, uint64_t offset) const;
  absl::Span<const char> Buffer(uint64_t offset, uint64_t end) const {
    return {memory_.data() + offset, end - offset};
  }

  TrailDevice& device_;
  const uint64_t volume_id_;
  const Lsn from_;
  const ReplayLimit limit_;
  Lsn next_;  // expected
  Trail::ReplayBatch batch_;
  HugeMemory memory_;
  std::vector<TrailRecord> records_;
  TrailContent content_;
};

absl::Status TrailReader::ReadDirectory() {
  const absl::StatusOr<std::vector<uint64_t>> numbers = device_.List();
  if (!numbers.ok()) return numbers.status();
  for (const uint64_t number : *numbers) {
    const absl::StatusOr<uint64_t> bytes = device_.Size(number);
    if (!bytes.ok()) return bytes.status();
    if (*bytes > kMaxSegmentBytes || number > kMaxSegmentNumber) {
      return trail_error::ImpossibleSegment(number, *bytes);
    }
    content_.segments.push_back(
        {.number = number, .bytes = *bytes / kTrailBlockBytes * kTrailBlockBytes});
  }
  return absl::OkStatus();
}

absl::Status TrailReader::ReadInto(uint64_t segment, uint64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  if (memory_.size() < bytes) {
    memory_ = HugeMemory(bytes);
    if (memory_.data() == nullptr) return NoMemory();
  }
  return device_.Read(segment, 0, absl::MakeSpan(memory_.data(), bytes));
}

bool TrailReader::IsOwn(const BatchHeader& header, uint64_t segment, uint64_t offset) const {
  return IsOwnBatch(header, volume_id_, segment, offset);
}

// The own batch at the start of a segment. Only a batch's header can stand there, never the inside
// of a torn one: so this is also where another volume's segment is told with certainty.
absl::StatusOr<std::optional<BatchHeader>> TrailReader::FirstBatch(const SegmentContent& segment) {
  const uint64_t block_bytes = std::min<uint64_t>(segment.bytes, kTrailBlockBytes);
  if (absl::Status status = ReadInto(segment.number, block_bytes); !status.ok()) return status;
  BatchHeader header;
  if (!PeekBatchHeader(Buffer(0, block_bytes), &header) || header.disc_bytes() > segment.bytes) {
    return std::nullopt;
  }
  if (absl::Status status = ReadInto(segment.number, header.disc_bytes()); !status.ok()) {
    return status;
  }
  if (!IsWholeBatch(Buffer(0, header.disc_bytes()), header)) return std::nullopt;
  if (header.volume_id != volume_id_) {
    return trail_error::ForeignSegment(segment.number, header.volume_id);
  }
  if (!IsOwn(header, segment.number, 0)) return std::nullopt;
  return header;
}

absl::Status TrailReader::Take(const SegmentContent& segment, const BatchHeader& header,
                               absl::Span<const char> bytes) {
  if (header.last_lsn() < next_) return absl::OkStatus();  // in the store already
  const uint64_t offset = uint64_t{header.position} * kTrailBlockBytes;
  if (header.first_lsn < next_) {
    return trail_error::CutInsideBatch(segment.number, offset, header.first_lsn, next_ - 1);
  }
  if (header.first_lsn > next_) {
    return trail_error::Hole(segment.number, offset, next_, header.first_lsn);
  }
  if (!limit_.Holds(header.last_lsn(), header.time_us)) {
    content_.stop = TrailContent::Stop{segment.number, offset};
    return absl::OkStatus();
  }
  if (absl::Status status = ParseRecords(bytes, header, &records_); !status.ok()) return status;
  if (absl::Status status = batch_(header.first_lsn, records_); !status.ok()) return status;
  next_ = header.last_lsn() + 1;
  return absl::OkStatus();
}

absl::Status TrailReader::Walk(SegmentContent& segment) {
  // A killed process may have left its last write in the page cache only. The store and new batches
  // will rest on it, so it must be on disc before they are.
  if (absl::Status status = device_.Sync(segment.number); !status.ok()) return status;
  if (absl::Status status = ReadInto(segment.number, segment.bytes); !status.ok()) return status;
  uint64_t offset = 0;
  while (offset < segment.bytes) {
    const absl::Span<const char> left = Buffer(offset, segment.bytes);
    BatchHeader header;
    if (!PeekBatchHeader(left, &header) || !IsOwn(header, segment.number, offset) ||
        header.epoch < content_.epoch || !IsWholeBatch(left, header)) {
      offset += kTrailBlockBytes;
      continue;
    }
    const absl::Span<const char> bytes = left.first(header.disc_bytes());
    if (!content_.stop) {
      if (absl::Status status = Take(segment, header, bytes); !status.ok()) return status;
    }
    content_.epoch = header.epoch;
    if (!content_.stop) content_.last_time_us = std::max(content_.last_time_us, header.time_us);
    offset += header.disc_bytes();
    segment.last_lsn = header.last_lsn();
    segment.used_bytes = offset;
  }
  return absl::OkStatus();
}

absl::StatusOr<TrailContent> TrailReader::Run() {
  if (absl::Status status = ReadDirectory(); !status.ok()) return status;
  std::vector<SegmentContent>& segments = content_.segments;
  // The last segment is never removed, so a store that has records has a trail.
  if (from_ > 0 && segments.empty()) return trail_error::Missing(from_);
  std::vector<std::optional<BatchHeader>> first(segments.size());
  for (size_t i = 0; i < segments.size(); ++i) {
    absl::StatusOr<std::optional<BatchHeader>> header = FirstBatch(segments[i]);
    if (!header.ok()) return header.status();
    first[i] = *header;
  }
  for (size_t i = 0; i < segments.size(); ++i) {
    // LSNs rise: where the next segment begins within what the store has, this one lies before it
    // and need not be read. Released segments are many, and this keeps a restart short.
    if (i + 1 < segments.size() && first[i + 1] && first[i + 1]->first_lsn <= next_ &&
        next_ == from_ + 1) {
      segments[i].last_lsn = first[i + 1]->first_lsn - 1;
      continue;
    }
    if (absl::Status status = Walk(segments[i]); !status.ok()) return status;
  }
  content_.last_lsn = next_ - 1;
  return std::move(content_);
}

}  // namespace

absl::StatusOr<TrailContent> ReplayTrail(TrailDevice& device, uint64_t volume_id, Lsn from,
                                         Trail::ReplayBatch batch, const ReplayLimit& limit) {
  return TrailReader(device, volume_id, from, batch, limit).Run();
}

absl::StatusOr<Lsn> LastLsnOf(TrailDevice& device, uint64_t volume_id, uint64_t segment) {
  const absl::StatusOr<uint64_t> size = device.Size(segment);
  if (!size.ok()) return size.status();
  if (*size > kMaxSegmentBytes) return trail_error::ImpossibleSegment(segment, *size);
  const uint64_t bytes = *size / kTrailBlockBytes * kTrailBlockBytes;
  if (bytes == 0) return 0;
  const HugeMemory memory(bytes);
  if (memory.data() == nullptr) return NoMemory();
  const absl::Status read = device.Read(segment, 0, absl::MakeSpan(memory.data(), bytes));
  if (!read.ok()) return read;
  Lsn last_lsn = 0;
  for (uint64_t offset = 0; offset < bytes;) {
    const absl::Span<const char> left(memory.data() + offset, bytes - offset);
    BatchHeader header;
    const bool own = PeekBatchHeader(left, &header) &&
                     IsOwnBatch(header, volume_id, segment, offset) && IsWholeBatch(left, header);
    if (own) last_lsn = header.last_lsn();
    offset += own ? header.disc_bytes() : kTrailBlockBytes;
  }
  return last_lsn;
}

}  // namespace quire
