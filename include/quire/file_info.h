// What INFO knows of a file or partition.
#ifndef QUIRE_FILE_INFO_H_
#define QUIRE_FILE_INFO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "quire/attributes.h"
#include "quire/file_name.h"

namespace quire {

// One partition as its volume reports it. Times are Unix microseconds, 0 = never.
struct FileInfo {
  FileName name;              // with the volume of this partition
  FileAttributes attributes;  // normalized; the same on every partition of a file
  uint32_t partition = 0;     // 0 = primary
  std::string primary_volume;
  // Chosen at CREATE, the same on every partition, never reused: tells an old label from a new
  // file of the same name. A volume answers 60 when a request carries another id.
  uint64_t create_id = 0;
  bool pending = false;   // secondary made, primary's label not yet confirmed to it (R-D13)
  bool confirmed = true;  // primary: every secondary knows that it is part of the file
  uint32_t owner_group = 0;
  uint32_t owner_user = 0;
  std::string security;  // RWEP letters, e.g. "GOGO"
  int64_t created_us = 0;
  int64_t modified_us = 0;
  int64_t last_open_us = 0;
  uint64_t eof_bytes = 0;  // address of the next block never used
  uint64_t free_blocks = 0;
  uint64_t record_count = 0;
  uint32_t extents_allocated = 0;
  uint32_t index_levels = 0;
  uint32_t label_bytes = 0;
  uint32_t open_count = 0;  // opens that hold the file now
  bool bad = false;         // a block did not check (59)
};

// A file with all its partitions, as the file system sees it.
struct FileDescription {
  FileInfo primary;
  std::vector<absl::StatusOr<FileInfo>> secondaries;  // in partition order; an error per dead one
};

}  // namespace quire

#endif  // QUIRE_FILE_INFO_H_
