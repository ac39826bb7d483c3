// The label of a file (partition): attributes, identity and structural state, as stored.
//
// Bytes: version (1), then the fields below in this order, little-endian, strings with a 4-byte
// length, lists with a 4-byte count; file_label.cc has the table. The structural part is also the
// payload of a kFileState trail record.
#ifndef QUIRE_SERVER_KEYSEQ_FILE_LABEL_H_
#define QUIRE_SERVER_KEYSEQ_FILE_LABEL_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "quire/attributes.h"
#include "quire/file_info.h"
#include "quire/file_name.h"
#include "server/base/ids.h"
#include "server/btree/tree.h"

namespace quire {

struct FileLabel {
  FileId id = 0;
  FileName name;
  FileAttributes attributes;
  uint32_t partition = 0;
  std::string primary_volume;
  uint64_t create_id = 0;
  bool pending = false;
  bool confirmed = false;
  bool purged = false;  // tombstone: label stays until all blocks are gone (R-D12)
  bool bad = false;     // 59
  uint32_t owner_group = 0;
  uint32_t owner_user = 0;
  std::string security;
  int64_t created_us = 0;
  int64_t modified_us = 0;
  int64_t last_open_us = 0;
  // Structural state:
  TreeState tree;
  uint32_t extents_allocated = 0;

  bool operator==(const FileLabel&) const = default;
};

std::string EncodeLabel(const FileLabel& label);
// 59 when the bytes are not a label.
absl::StatusOr<FileLabel> DecodeLabel(std::string_view bytes);

// The structural part alone (TreeState, extents, modified_us).
std::string EncodeState(const FileLabel& label);
absl::Status DecodeState(std::string_view bytes, FileLabel* label);

FileInfo InfoOf(const FileLabel& label);

// Extents that a partition of so many blocks needs; at least one.
uint64_t ExtentsFor(const FileLabel& label, uint64_t eof_blocks);

}  // namespace quire

#endif  // QUIRE_SERVER_KEYSEQ_FILE_LABEL_H_
