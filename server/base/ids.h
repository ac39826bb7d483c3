// Plain identifiers shared by all server layers.
#ifndef QUIRE_SERVER_BASE_IDS_H_
#define QUIRE_SERVER_BASE_IDS_H_

#include <cstdint>

namespace quire {

// Number of a file (partition) within its volume; never reused (R-D12). 0: none.
using FileId = uint64_t;
// Position of a block in its file: byte address = number * BLOCK. Block 0 is the first bitmap, so
// 0 also means "no block" in links.
using BlockNumber = uint32_t;
// Position in the audit trail: counts records, from 1. 0: before the first.
using Lsn = uint64_t;

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_IDS_H_
