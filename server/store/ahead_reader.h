// Brings blocks from disc into memory before anybody reads them.
//
// What it brings is the store's own pages, as the kernel caches them: nothing is copied, kept or
// answered, so it can neither be stale nor wrong. Whoever reads such a block later reads it as
// always, only without waiting for the disc. Nothing here takes memory of the process beyond the
// store's map, which R-D5 does not count.
#ifndef QUIRE_SERVER_STORE_AHEAD_READER_H_
#define QUIRE_SERVER_STORE_AHEAD_READER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "server/base/ids.h"

namespace quire {

// Used by one thread at a time, any thread, beside everything else that goes on in the store.
class AheadReader {
 public:
  virtual ~AheadReader() = default;
  // Has the kernel begin to read the blocks: how many of them were not in memory. Does not wait for
  // them, but may for the pages of the store's own tree that say where they lie. Those that the
  // store does not have, or whose bytes the disc does not give, are passed over: whoever asks for
  // them will be told. Holds a control point (block_reader.h) only while it looks up where the
  // blocks lie. 66 when the store cannot be looked into.
  virtual absl::StatusOr<uint32_t> Bring(FileId file, absl::Span<const BlockNumber> blocks) = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_AHEAD_READER_H_
