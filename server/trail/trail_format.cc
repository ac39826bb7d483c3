#include "server/trail/trail_format.h"

#include <xxhash.h>

#include <cstring>
#include <limits>

#include "quire/text.h"
#include "server/base/bytes.h"
#include "server/trail/errors.h"

namespace quire {
namespace {

namespace batch_offset {
constexpr size_t kChecksum = 0;
constexpr size_t kMagic = 8;
constexpr size_t kVersion = 12;
constexpr size_t kReserved = 14;
constexpr size_t kVolumeId = 16;
constexpr size_t kEpoch = 24;
constexpr size_t kSegment = 32;
constexpr size_t kFirstLsn = 40;
constexpr size_t kPosition = 48;
constexpr size_t kLength = 52;
constexpr size_t kContentBytes = 56;
constexpr size_t kRecordCount = 60;
constexpr size_t kTime = 64;
static_assert(kTime == kBatchHeaderBytesOfVersion1);
static_assert(kTime + sizeof(int64_t) == kBatchHeaderBytes);
}  // namespace batch_offset

namespace record_offset {
constexpr size_t kKind = 0;
constexpr size_t kPayloadBytes = 4;
constexpr size_t kFile = 8;
constexpr size_t kBlock = 16;
constexpr size_t kReserved = 20;
static_assert(kReserved + sizeof(uint32_t) == kTrailRecordHeaderBytes);
}  // namespace record_offset

static_assert(sizeof(Lsn) == 8 && sizeof(FileId) == 8 && sizeof(BlockNumber) == 4);

constexpr size_t kCheckedFrom = sizeof(uint64_t);  // the checksum covers all but itself

uint64_t Checksum(absl::Span<const char> batch) {
  return XXH3_64bits(batch.data() + kCheckedFrom, batch.size() - kCheckedFrom);
}

bool IsKnownKind(uint8_t kind, uint16_t version) {
  const TrailRecordKind last = version == 1 ? TrailRecordKind::kCommand : TrailRecordKind::kAnswers;
  return kind >= static_cast<uint8_t>(TrailRecordKind::kBlockImage) &&
         kind <= static_cast<uint8_t>(last);
}

}  // namespace

uint64_t TrailRecordBytes(uint64_t payload_bytes) {
  const uint64_t padded =
      (payload_bytes + kTrailRecordAlignment - 1) / kTrailRecordAlignment * kTrailRecordAlignment;
  return kTrailRecordHeaderBytes + padded;
}

void EncodeTrailRecord(const TrailRecord& record, char* to) {
  const size_t payload_bytes = record.payload.size();
  std::memset(to, 0, kTrailRecordHeaderBytes);
  StoreLittle(to + record_offset::kKind, static_cast<uint8_t>(record.kind));
  StoreLittle(to + record_offset::kPayloadBytes, static_cast<uint32_t>(payload_bytes));
  StoreLittle(to + record_offset::kFile, record.file);
  StoreLittle(to + record_offset::kBlock, record.block);
  char* payload = to + kTrailRecordHeaderBytes;
  if (payload_bytes > 0) std::memcpy(payload, record.payload.data(), payload_bytes);
  const size_t padding = TrailRecordBytes(payload_bytes) - kTrailRecordHeaderBytes - payload_bytes;
  std::memset(payload + payload_bytes, 0, padding);
}

void EncodeBatchHeader(const BatchHeader& header, absl::Span<char> batch) {
  char* to = batch.data();
  StoreLittle(to + batch_offset::kMagic, kBatchMagic);
  StoreLittle(to + batch_offset::kVersion, header.version);
  StoreLittle(to + batch_offset::kReserved, uint16_t{0});
  StoreLittle(to + batch_offset::kVolumeId, header.volume_id);
  StoreLittle(to + batch_offset::kEpoch, header.epoch);
  StoreLittle(to + batch_offset::kSegment, header.segment);
  StoreLittle(to + batch_offset::kFirstLsn, header.first_lsn);
  StoreLittle(to + batch_offset::kPosition, header.position);
  StoreLittle(to + batch_offset::kLength, header.length);
  StoreLittle(to + batch_offset::kContentBytes, header.content_bytes);
  StoreLittle(to + batch_offset::kRecordCount, header.record_count);
  if (header.version > 1)
    StoreLittle(to + batch_offset::kTime, static_cast<uint64_t>(header.time_us));
  StoreLittle(to + batch_offset::kChecksum, Checksum(batch));
}

bool PeekBatchHeader(absl::Span<const char> bytes, BatchHeader* header) {
  if (bytes.size() < kBatchHeaderBytesOfVersion1) return false;
  const char* from = bytes.data();
  if (LoadLittle<uint32_t>(from + batch_offset::kMagic) != kBatchMagic) return false;
  header->version = LoadLittle<uint16_t>(from + batch_offset::kVersion);
  header->volume_id = LoadLittle<uint64_t>(from + batch_offset::kVolumeId);
  header->epoch = LoadLittle<uint64_t>(from + batch_offset::kEpoch);
  header->segment = LoadLittle<uint64_t>(from + batch_offset::kSegment);
  header->first_lsn = LoadLittle<uint64_t>(from + batch_offset::kFirstLsn);
  header->position = LoadLittle<uint32_t>(from + batch_offset::kPosition);
  header->length = LoadLittle<uint32_t>(from + batch_offset::kLength);
  header->content_bytes = LoadLittle<uint32_t>(from + batch_offset::kContentBytes);
  header->record_count = LoadLittle<uint32_t>(from + batch_offset::kRecordCount);
  if (bytes.size() < header->header_bytes()) return false;
  header->time_us = 0;
  if (header->version > 1) {
    header->time_us = static_cast<int64_t>(LoadLittle<uint64_t>(from + batch_offset::kTime));
  }
  const uint64_t disc_bytes = header->disc_bytes();
  return disc_bytes >= kTrailBlockBytes && disc_bytes <= kMaxSegmentBytes &&
         header->content_bytes >= header->header_bytes() && header->content_bytes <= disc_bytes &&
         header->record_count > 0 && header->first_lsn > 0 &&
         header->first_lsn <= std::numeric_limits<Lsn>::max() - header->record_count;
}

bool IsWholeBatch(absl::Span<const char> bytes, const BatchHeader& header) {
  if (header.disc_bytes() > bytes.size() || header.disc_bytes() < header.header_bytes())
    return false;
  return LoadLittle<uint64_t>(bytes.data() + batch_offset::kChecksum) ==
         Checksum(bytes.first(header.disc_bytes()));
}

absl::Status ParseRecords(absl::Span<const char> bytes, const BatchHeader& header,
                          std::vector<TrailRecord>* records) {
  records->clear();
  if (header.version < kOldestBatchVersion || header.version > kBatchVersion)
    return trail_error::UnknownVersion(header.version, kBatchVersion);
  if (header.content_bytes > bytes.size()) return trail_error::BadBatch("cut short");
  uint64_t offset = header.header_bytes();
  for (uint32_t i = 0; i < header.record_count; ++i) {
    if (offset + kTrailRecordHeaderBytes > header.content_bytes) {
      return trail_error::BadBatch(StrCat("record ", i, " lies outside"));
    }
    const char* from = bytes.data() + offset;
    const auto kind = LoadLittle<uint8_t>(from + record_offset::kKind);
    const auto payload_bytes = LoadLittle<uint32_t>(from + record_offset::kPayloadBytes);
    if (!IsKnownKind(kind, header.version)) {
      return trail_error::BadBatch(StrCat("record ", i, " has unknown kind ", uint32_t{kind}));
    }
    const uint64_t record_bytes = TrailRecordBytes(payload_bytes);
    if (record_bytes > header.content_bytes - offset) {
      return trail_error::BadBatch(StrCat("record ", i, " is longer than the batch"));
    }
    records->push_back({.kind = static_cast<TrailRecordKind>(kind),
                        .file = LoadLittle<uint64_t>(from + record_offset::kFile),
                        .block = LoadLittle<uint32_t>(from + record_offset::kBlock),
                        .payload = {from + kTrailRecordHeaderBytes, payload_bytes}});
    offset += record_bytes;
  }
  if (offset != header.content_bytes) return trail_error::BadBatch("bytes left over");
  return absl::OkStatus();
}

absl::Status ParseBatch(absl::Span<const char> bytes, BatchHeader* header,
                        std::vector<TrailRecord>* records) {
  records->clear();
  if (!PeekBatchHeader(bytes, header)) return trail_error::BadBatch("no header");
  if (!IsWholeBatch(bytes, *header)) return trail_error::BadBatch("wrong checksum");
  return ParseRecords(bytes, *header, records);
}

}  // namespace quire
