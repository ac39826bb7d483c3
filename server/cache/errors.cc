#include "server/cache/errors.h"

#include "quire/error.h"
#include "quire/text.h"

namespace quire {

absl::Status NoFrameFree(uint32_t image_bytes) {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   StrCat("every cache frame that could hold a block image of ", image_bytes,
                          " bytes is changed or in use; repeat the call after the next control "
                          "point, or start the volume with a larger --cache"),
                   Retry::kSafe);
}

absl::Status ReplayedImageSize(FileId file, BlockNumber block, uint64_t found_bytes,
                               uint32_t image_bytes) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("the audit trail holds an image of ", found_bytes, " bytes for block ",
                          block, " of file ", file, ", whose images have ", image_bytes,
                          " bytes; the file is damaged: restore it from a copy"));
}

}  // namespace quire
