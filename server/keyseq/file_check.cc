#include "server/keyseq/file_check.h"

#include <utility>

#include "quire/limits.h"
#include "quire/text.h"
#include "server/keyseq/errors.h"

namespace quire {
namespace {

// OK when blocks can be read and keys found by what the label says.
absl::Status CheckAttributes(const FileLabel& label) {
  const absl::StatusOr<FileAttributes> normal = Normalize(label.attributes);
  if (!normal.ok()) return keyseq_error::BadLabel(ToStd(normal.status().message()));
  const uint32_t partitions = PartitionCount(label.attributes);
  if (label.partition >= partitions) {
    return keyseq_error::BadLabel(
        StrCat("partition ", label.partition, " of a file of ", partitions, " cannot be"));
  }
  // What CREATE would have rounded was never stored.
  if (normal->block_bytes != label.attributes.block_bytes ||
      PartitionExtents(*normal, label.partition) !=
          PartitionExtents(label.attributes, label.partition)) {
    return keyseq_error::BadLabel(
        StrCat("BLOCK ", label.attributes.block_bytes, " with these extents cannot be"));
  }
  return absl::OkStatus();
}

absl::Status CheckExtents(const FileLabel& label) {
  const uint32_t allocated = label.extents_allocated;
  if (allocated > label.attributes.max_extents) {
    return keyseq_error::BadExtents(
        label.name,
        StrCat(allocated, " extents are allocated, MAXEXTENTS is ", label.attributes.max_extents));
  }
  const uint64_t needed = label.tree.eof_blocks == 0 ? 0 : ExtentsFor(label, label.tree.eof_blocks);
  if (needed > allocated) {
    return keyseq_error::BadExtents(
        label.name, StrCat("EOF stands in extent ", needed - 1, ", but only ", allocated,
                           " extents are allocated"));
  }
  return absl::OkStatus();
}

}  // namespace

FileFindings CheckFile(const FileLabel& label, BlockSource& blocks) {
  FileFindings found;
  const auto note = [&found](const absl::Status& fault) {
    if (fault.ok()) return;
    ++found.faults;
    if (found.check.status.ok()) found.check.status = fault;
  };
  found.check.file = label.name;
  found.check.partition = label.partition;
  found.check.block_bytes = label.attributes.block_bytes;
  note(CheckAttributes(label));
  if (found.faults > 0) return found;
  note(CheckExtents(label));
  TreeFindings tree = WalkTree({.file = label.id,
                                .image_bytes = ImageBytes(label.attributes.block_bytes),
                                .key = {label.attributes.key_offset, label.attributes.key_length},
                                .range = PartitionRange(label.attributes, label.partition),
                                .state = label.tree},
                               blocks);
  // What ended the walk is more than a fault of the file.
  const bool ended = !tree.status.ok() && NumberOf(tree.status) != ErrorNumber::kFileBad;
  if (ended || found.check.status.ok()) found.check.status = tree.status;
  found.faults += tree.faults;
  if (label.bad) note(keyseq_error::FileIsBad(label.name));
  found.check.levels = std::move(tree.levels);
  found.check.bitmap_blocks = tree.bitmap_blocks;
  found.check.unused_blocks = tree.unused_blocks;
  return found;
}

}  // namespace quire
