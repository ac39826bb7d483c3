#include "server/store/disc_reservation.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

void DiscReservation::Shrink(uint64_t end_bytes) {
  struct stat file;
  if (end_bytes_ <= end_bytes + step_bytes_ || fstat(descriptor_, &file) != 0) return;
  const auto size = static_cast<uint64_t>(file.st_size);
  // A cut at a file's own end changes nothing in it, and frees what is reserved behind.
  if (end_bytes_ <= size + step_bytes_ || ftruncate(descriptor_, file.st_size) != 0) return;
  end_bytes_ = size;
  if (end_bytes <= size) return;
  const int result = fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(size),
                               static_cast<off_t>(end_bytes - size));
  if (result == 0) end_bytes_ = end_bytes;  // else the next Extend tells
}

}  // namespace quire
