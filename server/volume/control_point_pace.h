// How large a control point may be, and how fast changes may be made while one is being written,
// from how long the last ones took.
//
// A control point is written as a whole, and its last act is a sync of everything it wrote: other
// syncs on that disc wait for it, so that its size bounds how long they wait. Changes that come
// faster than the disc takes them have to wait somewhere too. They are let through at the rate of
// the disc: each waits a little, where at a limit alone all would wait for the end of the control
// point.
#ifndef QUIRE_SERVER_VOLUME_CONTROL_POINT_PACE_H_
#define QUIRE_SERVER_VOLUME_CONTROL_POINT_PACE_H_

#include <cstdint>

namespace quire {

struct Dirty {
  uint64_t bytes = 0;
  uint64_t blocks = 0;
};

// Not thread safe.
class ControlPointPace {
 public:
  // A control point should take `target_ms`, and is at most half of `limit_bytes`, so that there is
  // room for changes meanwhile. `target_ms` 0: as large as that half.
  ControlPointPace(uint32_t target_ms, uint64_t limit_bytes);

  // Dirty bytes at which a control point should start. At most limit_bytes / 2.
  uint64_t bytes() const { return bytes_; }
  // While a control point is being written, `micros` after its cut: whether there is so much dirty
  // since the cut that changes should wait. What they may have used by then of the room (what
  // `limits` leaves, and no more than bytes(), which the next control point will have to write)
  // rises with time. Bulk changes have less of it than single ones.
  bool Outrun(const Dirty& flush, const Dirty& dirty, const Dirty& limits, int64_t micros,
              bool bulk) const;
  // A control point of so many bytes has taken so long.
  void Note(uint64_t bytes, int64_t micros);

 private:
  uint64_t SizeAt(double bytes_per_us) const;
  double ShareOfRoom(uint64_t flush_bytes, int64_t micros, bool bulk) const;

  int64_t target_us_;
  uint64_t limit_bytes_;
  double bytes_per_us_ = 0;  // smoothed; 0: not known yet
  uint64_t bytes_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_CONTROL_POINT_PACE_H_
