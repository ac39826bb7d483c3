#include "quire/attributes.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "quire/error.h"
#include "quire/file_name.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {
namespace {

// Index entry beside the key bytes: block number and slot; header of a block image. The layout
// itself is server/base/block_header.h and server/btree/block_layout.h, which assert equality.
constexpr uint32_t kIndexEntryOverhead = 6;
constexpr uint32_t kBlockHeaderBytes = 36;
constexpr uint32_t kMinIndexEntries = 3;   // R-B2
constexpr uint32_t kMaxKeyOffset = 27647;  // Enscribe, BLOCK 32768
constexpr uint32_t kMaxFileCode = 65535;

absl::Status Count(std::string_view sentence) {
  return MakeError(ErrorNumber::kIllegalCount, sentence);
}

absl::Status NormalizeBlock(FileAttributes& a) {
  constexpr uint32_t kSizes[] = {512, 1024, 2048, 4096};
  if (a.block_bytes == kMaxBlockBytes) return absl::OkStatus();
  for (uint32_t size : kSizes) {
    if (a.block_bytes >= 1 && a.block_bytes <= size) {
      a.block_bytes = size;
      return absl::OkStatus();
    }
  }
  return MakeError(ErrorNumber::kInvalidOperation,
                   StrCat("BLOCK ", a.block_bytes,
                          " is not a legal block size; use 512, 1024, 2048, 4096 or 32768"));
}

absl::Status CheckKey(const FileAttributes& a) {
  const bool large = a.block_bytes == kMaxBlockBytes && a.format != 1;
  const uint32_t by_index =
      (ImageBytes(a.block_bytes) - kBlockHeaderBytes) / kMinIndexEntries - kIndexEntryOverhead;
  const uint32_t longest = std::min(large ? kMaxKeyBytesLargeBlock : kMaxKeyBytes, by_index);
  if (a.key_length < 1 || a.key_length > longest) {
    return Count(StrCat("KEYLEN ", a.key_length, " is out of range; with BLOCK ", a.block_bytes,
                        " it may be 1 to ", longest));
  }
  if (a.key_offset > kMaxKeyOffset || a.key_offset + a.key_length > a.record_bytes) {
    return Count(StrCat("KEYOFF ", a.key_offset, " + KEYLEN ", a.key_length, " reaches beyond REC ",
                        a.record_bytes, "; the key must lie within the record"));
  }
  if (a.lock_length > a.key_length) {
    return Count(StrCat("LOCKLENGTH ", a.lock_length, " is longer than KEYLEN ", a.key_length));
  }
  return absl::OkStatus();
}

// Extents are whole blocks: the disc process rounds up without a word, and so do we.
void RoundExtent(uint64_t& pages, uint32_t block_bytes) {
  if (pages > kMaxExtentPagesFormat2) return;  // will be refused; rounding could wrap around
  const uint64_t unit = std::max<uint64_t>(1, block_bytes / kPageBytes);
  pages = (std::max<uint64_t>(1, pages) + unit - 1) / unit * unit;
}

bool FitsFormat1(const FileAttributes& a, const ExtentSizes& e) {
  return e.primary_pages <= kMaxExtentPagesFormat1 && e.secondary_pages <= kMaxExtentPagesFormat1 &&
         (e.primary_pages + (a.max_extents - 1) * e.secondary_pages) * kPageBytes <=
             kMaxFileBytesFormat1;
}

bool NeedsFormat2(const FileAttributes& a) {
  if (a.block_bytes == kMaxBlockBytes || a.key_length > kMaxKeyBytes) return true;
  if (PartitionCount(a) > kMaxPartitionsFormat1 || !FitsFormat1(a, a.extents)) return true;
  return std::any_of(a.partitions.begin(), a.partitions.end(),
                     [&](const PartitionSpec& p) { return !FitsFormat1(a, p.extents); });
}

absl::Status CheckExtents(const FileAttributes& a, const ExtentSizes& e, std::string_view where) {
  const uint64_t most = a.format == 1 ? kMaxExtentPagesFormat1 : kMaxExtentPagesFormat2;
  if (e.primary_pages > most || e.secondary_pages > most) {
    return Count(StrCat("EXT ( ", e.primary_pages, ", ", e.secondary_pages, " ) of ", where,
                        ": an extent of a format ", a.format, " file has at most ", most,
                        " pages"));
  }
  const uint64_t total = (e.primary_pages + (a.max_extents - 1) * e.secondary_pages) * kPageBytes;
  const uint64_t limit = a.format == 1 ? kMaxFileBytesFormat1 : kMaxFileBytesFormat2;
  if (total > limit) {
    return Count(StrCat("EXT ( ", e.primary_pages, ", ", e.secondary_pages, " ) with MAXEXTENTS ",
                        a.max_extents, " of ", where, " makes ", total,
                        " bytes; a partition of a format ", a.format, " file has at most ", limit,
                        a.format == 1 ? ". Use FORMAT 2 or smaller extents" : ""));
  }
  return absl::OkStatus();
}

absl::Status NormalizePartitions(FileAttributes& a) {
  size_t longest = 0;
  for (const PartitionSpec& p : a.partitions) longest = std::max(longest, p.partial_key.size());
  for (size_t i = 0; i < a.partitions.size(); ++i) {
    PartitionSpec& p = a.partitions[i];
    absl::StatusOr<std::string> volume = ParseVolumeName(p.volume);
    if (!volume.ok()) return volume.status();
    p.volume = *volume;
    if (p.partial_key.empty() || p.partial_key.size() > a.key_length) {
      return Count(StrCat("PART ", i + 1, ": the partial key has ", p.partial_key.size(),
                          " bytes; it must have 1 to KEYLEN (", a.key_length, ") bytes"));
    }
    p.partial_key.resize(longest, '\0');
    RoundExtent(p.extents.primary_pages, a.block_bytes);
    RoundExtent(p.extents.secondary_pages, a.block_bytes);
    for (size_t j = 0; j < i; ++j) {
      if (a.partitions[j].volume == p.volume) {
        return MakeError(ErrorNumber::kAlreadyExists,
                         StrCat("PART ", i + 1, " is on ", p.volume, ", which already holds PART ",
                                j + 1, "; every partition needs a volume of its own"));
      }
    }
    if (i > 0 && a.partitions[i - 1].partial_key >= p.partial_key) {
      return MakeError(ErrorNumber::kInvalidKey,
                       StrCat("PART ", i + 1, ": partial key \"", absl::CHexEscape(p.partial_key),
                              "\" is not above that of the partition before it; partial "
                              "keys must rise"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckScalars(const FileAttributes& a) {
  if (a.type != 'K') {
    return MakeError(ErrorNumber::kInvalidOperation,
                     StrCat("TYPE ", std::string(1, a.type),
                            " is not supported; Quire has key-sequenced files: SET TYPE K"));
  }
  if (a.format > 2) {
    return MakeError(ErrorNumber::kBadParameter,
                     StrCat("FORMAT ", a.format, " does not exist; use 0, 1 or 2"));
  }
  if (a.code > kMaxFileCode) {
    return MakeError(ErrorNumber::kBadParameter,
                     StrCat("CODE ", a.code, " is above ", kMaxFileCode));
  }
  if (a.lookaside > Lookaside::kFreeze) {
    return MakeError(ErrorNumber::kBadParameter, "LOOKASIDE must be OFF, NOFREEZE or FREEZE");
  }
  if (a.max_extents > kMaxMaxExtents) {
    return Count(StrCat("MAXEXTENTS ", a.max_extents, " is above ", kMaxMaxExtents));
  }
  return absl::OkStatus();
}

absl::Status CheckFormat(const FileAttributes& a) {
  const uint32_t most = a.format == 1 ? kMaxPartitionsFormat1 : kMaxPartitionsFormat2;
  if (PartitionCount(a) > most) {
    return MakeError(
        ErrorNumber::kInvalidOperation,
        StrCat(PartitionCount(a), " partitions; a format ", a.format, " file has at most ", most,
               ", the primary included", a.format == 1 ? ". Use FORMAT 2" : ""));
  }
  if (a.format == 1 && a.block_bytes == kMaxBlockBytes) {
    return MakeError(ErrorNumber::kInvalidOperation, "BLOCK 32768 needs FORMAT 2");
  }
  if (absl::Status s = CheckExtents(a, a.extents, "the primary partition"); !s.ok()) return s;
  for (size_t i = 0; i < a.partitions.size(); ++i) {
    absl::Status s = CheckExtents(a, a.partitions[i].extents, StrCat("PART ", i + 1));
    if (!s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace

std::string_view LookasideName(Lookaside lookaside) {
  switch (lookaside) {
    case Lookaside::kNoFreeze:
      return "NOFREEZE";
    case Lookaside::kFreeze:
      return "FREEZE";
    case Lookaside::kOff:
      break;
  }
  return "OFF";
}

uint32_t ImageBytes(uint32_t block_bytes) {
  return block_bytes - kStoreHeaderBytes;
}

uint32_t MaxRecordBytes(uint32_t block_bytes) {
  return block_bytes == kMaxBlockBytes ? kMaxRecordBytesLargeBlock
                                       : block_bytes - kRecordOverheadBytes;
}

absl::StatusOr<FileAttributes> Normalize(const FileAttributes& attributes) {
  FileAttributes a = attributes;
  if (absl::Status s = CheckScalars(a); !s.ok()) return s;
  if (absl::Status s = NormalizeBlock(a); !s.ok()) return s;
  a.buffered = a.buffered || a.audit;
  a.max_extents = std::max(a.max_extents, kMinMaxExtents);
  RoundExtent(a.extents.primary_pages, a.block_bytes);
  RoundExtent(a.extents.secondary_pages, a.block_bytes);
  if (a.record_bytes < 1 || a.record_bytes > MaxRecordBytes(a.block_bytes)) {
    return Count(StrCat("REC ", a.record_bytes, " is out of range; with BLOCK ", a.block_bytes,
                        " it may be 1 to ", MaxRecordBytes(a.block_bytes)));
  }
  if (absl::Status s = CheckKey(a); !s.ok()) return s;
  if (a.lock_length == 0) a.lock_length = a.key_length;
  if (absl::Status s = NormalizePartitions(a); !s.ok()) return s;
  if (a.format == 0) a.format = NeedsFormat2(a) ? 2 : 1;
  if (absl::Status s = CheckFormat(a); !s.ok()) return s;
  return a;
}

uint32_t PartitionCount(const FileAttributes& attributes) {
  return static_cast<uint32_t>(attributes.partitions.size()) + 1;
}

const ExtentSizes& PartitionExtents(const FileAttributes& attributes, uint32_t partition) {
  return partition == 0 ? attributes.extents : attributes.partitions[partition - 1].extents;
}

KeyRange PartitionRange(const FileAttributes& attributes, uint32_t partition) {
  KeyRange range;
  if (partition > 0) range.start = attributes.partitions[partition - 1].partial_key;
  if (partition < attributes.partitions.size()) {
    range.limit = attributes.partitions[partition].partial_key;
  }
  return range;
}

uint32_t PartitionOfKey(const FileAttributes& attributes, std::string_view key) {
  // A partial key is a prefix: key >= partial key as byte strings is the same as comparing the
  // key's first bytes on the partial key's length.
  uint32_t partition = 0;
  for (const PartitionSpec& p : attributes.partitions) {
    if (key.substr(0, p.partial_key.size()) < p.partial_key) break;
    ++partition;
  }
  return partition;
}

uint64_t CapacityBytes(const FileAttributes& attributes, uint32_t partition) {
  const ExtentSizes& e = PartitionExtents(attributes, partition);
  return (e.primary_pages + (attributes.max_extents - 1) * e.secondary_pages) * kPageBytes;
}

}  // namespace quire
