#include "server/store/disc_reservation.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

namespace quire {

bool DiscReservation::Extend(uint64_t end_bytes) {
  while (end_bytes_ < end_bytes) {
    // A whole step when the disc has it; otherwise just what is wanted.
    uint64_t bytes = step_bytes_;
    int result = fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(end_bytes_),
                           static_cast<off_t>(bytes));
    if (result != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
      bytes = std::min(step_bytes_, end_bytes - end_bytes_);
      result = fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(end_bytes_),
                         static_cast<off_t>(bytes));
    }
    if (result != 0 && errno == EINTR) continue;
    if (result != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) return false;
    end_bytes_ += bytes;
  }
  return true;
}

}  // namespace quire
