// How large a control point may be, from how long the last ones took: so that nobody waits longer
// for one than --control-point-target-ms, whatever the disc and however fast changes come.
//
// A control point is written as a whole, and its last act is a sync of everything it wrote: other
// syncs on that disc wait for it, and changes that come faster than the disc takes them wait for
// its end. Both waits grow with its size.
#ifndef QUIRE_SERVER_VOLUME_CONTROL_POINT_PACE_H_
#define QUIRE_SERVER_VOLUME_CONTROL_POINT_PACE_H_

#include <cstdint>

namespace quire {

// Not thread safe.
class ControlPointPace {
 public:
  // `target_ms` 0: control points are as large as `most_bytes`.
  ControlPointPace(uint32_t target_ms, uint64_t most_bytes);

  // Dirty bytes at which a control point should start, and beyond which changes wait while another
  // one is being written. At most most_bytes.
  uint64_t bytes() const { return bytes_; }
  // A control point of so many bytes has taken so long.
  void Note(uint64_t bytes, int64_t micros);

 private:
  const int64_t target_us_;
  const uint64_t most_bytes_;
  double bytes_per_us_ = 0;  // smoothed; 0: not known yet
  uint64_t bytes_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_CONTROL_POINT_PACE_H_
