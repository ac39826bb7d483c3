// The errors of the cache.
#ifndef QUIRE_SERVER_CACHE_ERRORS_H_
#define QUIRE_SERVER_CACHE_ERRORS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "server/base/ids.h"

namespace quire {

// 31, safe to repeat: no frame of this size is free and none can be evicted.
absl::Status NoFrameFree(uint32_t image_bytes);

// 59: a replayed image does not have the size of the file's blocks.
absl::Status ReplayedImageSize(FileId file, BlockNumber block, uint64_t found_bytes,
                               uint32_t image_bytes);

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_ERRORS_H_
