// Blocks of the disc held for the volume's file beyond what it uses, so that a full disc is met
// when a request is admitted and not when its control point is written (R-D8).
#ifndef QUIRE_SERVER_STORE_DISC_RESERVATION_H_
#define QUIRE_SERVER_STORE_DISC_RESERVATION_H_

#include <cstdint>

namespace quire {

// Not thread safe. Does not own the descriptor.
class DiscReservation {
 public:
  // `step_bytes`: most bytes asked of the file system in one call, and what the reservation is
  // rounded up to.
  DiscReservation(int descriptor, uint64_t step_bytes)
      : descriptor_(descriptor), step_bytes_(step_bytes) {}

  // Reserves [0, end_bytes) of the file without changing its size. False when the disc is full.
  // A file system that cannot reserve is taken as having room: its ENOSPC then comes with the
  // control point, which is tried again.
  bool Extend(uint64_t end_bytes);

  // Gives back what lies beyond end_bytes, or beyond the file's end if that is further, when it is
  // more than a step. Nobody may be writing to the file.
  void Shrink(uint64_t end_bytes);

  uint64_t end_bytes() const { return end_bytes_; }

 private:
  const int descriptor_;
  const uint64_t step_bytes_;
  uint64_t end_bytes_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_DISC_RESERVATION_H_
