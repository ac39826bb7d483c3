// A chunk of records divided by partition. Pure; any thread.
#ifndef QUIRE_CLIENT_FILESYSTEM_CHUNK_SPLIT_H_
#define QUIRE_CLIENT_FILESYSTEM_CHUNK_SPLIT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "quire/attributes.h"
#include "quire/operation.h"

namespace quire {

struct ChunkPart {
  uint32_t partition = 0;
  RecordChunk chunk;
  std::vector<uint32_t> places;  // of its records in the whole chunk; empty: it is the whole chunk

  // Index in the whole chunk of the part's record `index`.
  uint32_t PlaceOf(uint32_t index) const { return places.empty() ? index : places[index]; }
};

// Parts in order of their first records; each keeps the order of its records. 22 when lengths and
// data disagree.
absl::StatusOr<std::vector<ChunkPart>> SplitChunk(const FileAttributes& attributes,
                                                  RecordChunk chunk);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_CHUNK_SPLIT_H_
