// The check of one partition: its label, its extents and its tree. Needs no volume: FUP CHECK runs
// it on a control point, quire-inspect on a store nobody serves.
#ifndef QUIRE_SERVER_KEYSEQ_FILE_CHECK_H_
#define QUIRE_SERVER_KEYSEQ_FILE_CHECK_H_

#include <cstdint>

#include "quire/service.h"
#include "server/btree/tree_walk.h"
#include "server/keyseq/file_label.h"

namespace quire {

struct FileFindings {
  PartitionCheck check;  // without lsn
  uint64_t faults = 0;   // check.status names the first
};

// Beyond the walk of tree_walk.h: attributes that can be, EOF within the extents allocated and
// those within MAXEXTENTS, every key in the partition's range, and whether the label marks the file
// bad. A label whose attributes cannot be leaves nothing to walk.
FileFindings CheckFile(const FileLabel& label, BlockSource& blocks);

}  // namespace quire

#endif  // QUIRE_SERVER_KEYSEQ_FILE_CHECK_H_
