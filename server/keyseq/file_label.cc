// Stored label, versions 1 and 2. Little-endian; "text" is a 4-byte length and the bytes.
//
//   size  field
//      1  version: 1, or 2 with LOOKASIDE
//      8  file id                             text  node, volume, subvolume, file of the name
//      4  partition number                    text  volume of the primary
//      8  create id
//      1  flags: 1 pending, 2 confirmed, 4 purged, 8 bad
//      4  owner group         4  owner user   text  security
//      8  created             8  last open    (Unix microseconds)
//         attributes:
//      1  type                4  format       4  code
//     16  primary and secondary extent pages of the primary partition, 8 each
//      4  MAXEXTENTS          4  REC          4  BLOCK
//      4  KEYLEN              4  KEYOFF       4  LOCKLENGTH
//      1  flags: 1 BUFFERED, 2 AUDIT
//      4  number of secondary partitions, and for each
//            text  volume     16  extent pages     text  partial key
//      1  version 2 only: LOOKASIDE, 1 NOFREEZE, 2 FREEZE
//         structural state, which is also the payload of a file-state trail record:
//      1  version of the state, 1
//      4  root                4  index levels  4  EOF in blocks
//      4  free blocks         4  free hint     8  records
//      4  extents allocated   8  modified (Unix microseconds)
//
// Flags not named are zero. Versions only climb. A label with LOOKASIDE OFF is written as version
// 1, so that programs which do not know LOOKASIDE refuse only files that have it.
#include "server/keyseq/file_label.h"

#include <utility>

#include "quire/limits.h"
#include "quire/text.h"
#include "server/base/bytes.h"
#include "server/keyseq/errors.h"

namespace quire {
namespace {

constexpr uint8_t kPlainLabelVersion = 1;
constexpr uint8_t kLabelVersion = 2;
constexpr uint8_t kStateVersion = 1;

enum LabelFlag : uint8_t { kPending = 1, kConfirmed = 2, kPurged = 4, kBad = 8 };
enum AttributeFlag : uint8_t { kBuffered = 1, kAudit = 2 };

uint8_t FlagIf(bool value, uint8_t flag) {
  return value ? flag : uint8_t{0};
}

void PutTime(ByteWriter& out, int64_t time_us) {
  out.Put(static_cast<uint64_t>(time_us));
}
int64_t GetTime(ByteReader& in) {
  return static_cast<int64_t>(in.Get<uint64_t>());
}

void PutExtents(ByteWriter& out, const ExtentSizes& extents) {
  out.Put(extents.primary_pages);
  out.Put(extents.secondary_pages);
}

ExtentSizes GetExtents(ByteReader& in) {
  ExtentSizes extents;
  extents.primary_pages = in.Get<uint64_t>();
  extents.secondary_pages = in.Get<uint64_t>();
  return extents;
}

void PutIdentity(ByteWriter& out, const FileLabel& label) {
  out.Put(label.id);
  out.PutString(label.name.node);
  out.PutString(label.name.volume);
  out.PutString(label.name.subvolume);
  out.PutString(label.name.file);
  out.Put(label.partition);
  out.PutString(label.primary_volume);
  out.Put(label.create_id);
  out.Put(static_cast<uint8_t>(FlagIf(label.pending, kPending) |
                               FlagIf(label.confirmed, kConfirmed) | FlagIf(label.purged, kPurged) |
                               FlagIf(label.bad, kBad)));
  out.Put(label.owner_group);
  out.Put(label.owner_user);
  out.PutString(label.security);
  PutTime(out, label.created_us);
  PutTime(out, label.last_open_us);
}

// False when a flag is set that this version does not know.
bool GetIdentity(ByteReader& in, FileLabel& label) {
  label.id = in.Get<uint64_t>();
  label.name.node = in.GetString();
  label.name.volume = in.GetString();
  label.name.subvolume = in.GetString();
  label.name.file = in.GetString();
  label.partition = in.Get<uint32_t>();
  label.primary_volume = in.GetString();
  label.create_id = in.Get<uint64_t>();
  const auto flags = in.Get<uint8_t>();
  label.pending = (flags & kPending) != 0;
  label.confirmed = (flags & kConfirmed) != 0;
  label.purged = (flags & kPurged) != 0;
  label.bad = (flags & kBad) != 0;
  label.owner_group = in.Get<uint32_t>();
  label.owner_user = in.Get<uint32_t>();
  label.security = in.GetString();
  label.created_us = GetTime(in);
  label.last_open_us = GetTime(in);
  return (flags & ~(kPending | kConfirmed | kPurged | kBad)) == 0;
}

void PutAttributes(ByteWriter& out, const FileAttributes& a) {
  out.Put(static_cast<uint8_t>(a.type));
  out.Put(a.format);
  out.Put(a.code);
  PutExtents(out, a.extents);
  out.Put(a.max_extents);
  out.Put(a.record_bytes);
  out.Put(a.block_bytes);
  out.Put(a.key_length);
  out.Put(a.key_offset);
  out.Put(a.lock_length);
  out.Put(static_cast<uint8_t>(FlagIf(a.buffered, kBuffered) | FlagIf(a.audit, kAudit)));
  out.Put(static_cast<uint32_t>(a.partitions.size()));
  for (const PartitionSpec& partition : a.partitions) {
    out.PutString(partition.volume);
    PutExtents(out, partition.extents);
    out.PutString(partition.partial_key);
  }
  if (a.lookaside != Lookaside::kOff) out.Put(static_cast<uint8_t>(a.lookaside));
}

bool GetAttributes(ByteReader& in, uint8_t version, FileAttributes& a) {
  a.type = static_cast<char>(in.Get<uint8_t>());
  a.format = in.Get<uint32_t>();
  a.code = in.Get<uint32_t>();
  a.extents = GetExtents(in);
  a.max_extents = in.Get<uint32_t>();
  a.record_bytes = in.Get<uint32_t>();
  a.block_bytes = in.Get<uint32_t>();
  a.key_length = in.Get<uint32_t>();
  a.key_offset = in.Get<uint32_t>();
  a.lock_length = in.Get<uint32_t>();
  const auto flags = in.Get<uint8_t>();
  a.buffered = (flags & kBuffered) != 0;
  a.audit = (flags & kAudit) != 0;
  const auto partitions = in.Get<uint32_t>();
  if (partitions >= kMaxPartitionsFormat2) return false;
  for (uint32_t i = 0; i < partitions && in.ok(); ++i) {
    PartitionSpec partition;
    partition.volume = in.GetString();
    partition.extents = GetExtents(in);
    partition.partial_key = in.GetString();
    a.partitions.push_back(std::move(partition));
  }
  if (version > kPlainLabelVersion) {
    const auto lookaside = in.Get<uint8_t>();
    if (lookaside == 0 || lookaside > static_cast<uint8_t>(Lookaside::kFreeze)) return false;
    a.lookaside = static_cast<Lookaside>(lookaside);
  }
  return (flags & ~(kBuffered | kAudit)) == 0;
}

void PutState(ByteWriter& out, const FileLabel& label) {
  out.Put(kStateVersion);
  out.Put(label.tree.root);
  out.Put(label.tree.index_levels);
  out.Put(label.tree.eof_blocks);
  out.Put(label.tree.free_blocks);
  out.Put(label.tree.free_hint);
  out.Put(label.tree.record_count);
  out.Put(label.extents_allocated);
  PutTime(out, label.modified_us);
}

absl::Status GetState(ByteReader& in, FileLabel& label) {
  const auto version = in.Get<uint8_t>();
  TreeState tree;
  tree.root = in.Get<uint32_t>();
  tree.index_levels = in.Get<uint32_t>();
  tree.eof_blocks = in.Get<uint32_t>();
  tree.free_blocks = in.Get<uint32_t>();
  tree.free_hint = in.Get<uint32_t>();
  tree.record_count = in.Get<uint64_t>();
  const auto extents_allocated = in.Get<uint32_t>();
  const int64_t modified_us = GetTime(in);
  if (!in.ok()) return keyseq_error::BadLabel("its structural state is cut off");
  if (version != kStateVersion) {
    return keyseq_error::BadLabel(StrCat("unknown version ", version, " of its structural state"));
  }
  const bool possible = tree.root < tree.eof_blocks || (tree.root == 0 && tree.eof_blocks == 0);
  if (!possible || tree.free_blocks > tree.eof_blocks || extents_allocated > kMaxMaxExtents) {
    return keyseq_error::BadLabel("its structural state contradicts itself");
  }
  label.tree = tree;
  label.extents_allocated = extents_allocated;
  label.modified_us = modified_us;
  return absl::OkStatus();
}

// Whether the attributes are such as CREATE stores.
absl::Status CheckAttributes(const FileLabel& label) {
  absl::StatusOr<FileAttributes> normal = Normalize(label.attributes);
  if (!normal.ok()) return keyseq_error::BadLabel(ToStd(normal.status().message()));
  if (*normal != label.attributes) return keyseq_error::BadLabel("its attributes are not normal");
  if (label.partition >= PartitionCount(label.attributes)) {
    return keyseq_error::BadLabel(StrCat("there is no partition ", label.partition));
  }
  return absl::OkStatus();
}

// EOF lies within the extents allocated. Also keeps what later takes memory by EOF in bounds.
absl::Status CheckExtents(const FileLabel& label) {
  const FileAttributes& a = label.attributes;
  if (uint64_t{label.tree.eof_blocks} * a.block_bytes > CapacityBytes(a, label.partition) ||
      label.extents_allocated > a.max_extents) {
    return keyseq_error::BadLabel("its EOF lies beyond what its extents can hold");
  }
  return absl::OkStatus();
}

}  // namespace

std::string EncodeLabel(const FileLabel& label) {
  std::string bytes;
  ByteWriter out(&bytes);
  const bool plain = label.attributes.lookaside == Lookaside::kOff;
  out.Put(plain ? kPlainLabelVersion : kLabelVersion);
  PutIdentity(out, label);
  PutAttributes(out, label.attributes);
  PutState(out, label);
  return bytes;
}

absl::StatusOr<FileLabel> DecodeLabel(std::string_view bytes) {
  ByteReader in(bytes);
  const auto version = in.Get<uint8_t>();
  if (!in.ok()) return keyseq_error::BadLabel("it is empty");
  if (version > kLabelVersion) {
    return keyseq_error::BadLabel(StrCat("it has version ", uint32_t{version},
                                         ", this program knows up to ", uint32_t{kLabelVersion},
                                         "; start the newer program that wrote it"));
  }
  if (version < kPlainLabelVersion) {
    return keyseq_error::BadLabel(StrCat("unknown version ", uint32_t{version}));
  }
  FileLabel label;
  const bool known_identity = GetIdentity(in, label);
  const bool known_attributes = GetAttributes(in, version, label.attributes);
  if (!in.ok()) return keyseq_error::BadLabel("it is cut off");
  if (!known_identity || !known_attributes) {
    return keyseq_error::BadLabel("it has flags or counts that cannot be");
  }
  if (absl::Status status = GetState(in, label); !status.ok()) return status;
  if (!in.at_end()) return keyseq_error::BadLabel("bytes follow its end");
  if (absl::Status status = CheckAttributes(label); !status.ok()) return status;
  if (absl::Status status = CheckExtents(label); !status.ok()) return status;
  return label;
}

std::string EncodeState(const FileLabel& label) {
  std::string bytes;
  ByteWriter out(&bytes);
  PutState(out, label);
  return bytes;
}

absl::Status DecodeState(std::string_view bytes, FileLabel* label) {
  ByteReader in(bytes);
  FileLabel changed = *label;
  if (absl::Status status = GetState(in, changed); !status.ok()) return status;
  if (!in.at_end()) return keyseq_error::BadLabel("bytes follow its structural state");
  if (absl::Status status = CheckExtents(changed); !status.ok()) return status;
  *label = std::move(changed);
  return absl::OkStatus();
}

FileInfo InfoOf(const FileLabel& label) {
  FileInfo info;
  info.name = label.name;
  info.attributes = label.attributes;
  info.partition = label.partition;
  info.primary_volume = label.primary_volume;
  info.create_id = label.create_id;
  info.pending = label.pending;
  info.confirmed = label.confirmed;
  info.owner_group = label.owner_group;
  info.owner_user = label.owner_user;
  info.security = label.security;
  info.created_us = label.created_us;
  info.modified_us = label.modified_us;
  info.last_open_us = label.last_open_us;
  info.eof_bytes = uint64_t{label.tree.eof_blocks} * label.attributes.block_bytes;
  info.free_blocks = label.tree.free_blocks;
  info.record_count = label.tree.record_count;
  info.extents_allocated = label.extents_allocated;
  info.index_levels = label.tree.index_levels;
  info.label_bytes = static_cast<uint32_t>(EncodeLabel(label).size());
  info.bad = label.bad;
  return info;
}

uint64_t ExtentsFor(const FileLabel& label, uint64_t eof_blocks) {
  const ExtentSizes& sizes = PartitionExtents(label.attributes, label.partition);
  const uint64_t bytes = eof_blocks * label.attributes.block_bytes;
  const uint64_t pages = (bytes + kPageBytes - 1) / kPageBytes;
  if (pages <= sizes.primary_pages) return 1;
  const uint64_t beyond = pages - sizes.primary_pages;
  return 1 + (beyond + sizes.secondary_pages - 1) / sizes.secondary_pages;
}

}  // namespace quire
