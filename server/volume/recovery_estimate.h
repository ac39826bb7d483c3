// How long recovery would take for a stretch of the audit trail: what control points go by to keep
// a restart within --recovery-target-ms. A count of work, no clock.
#ifndef QUIRE_SERVER_VOLUME_RECOVERY_ESTIMATE_H_
#define QUIRE_SERVER_VOLUME_RECOVERY_ESTIMATE_H_

#include <cstdint>

namespace quire {

class RecoveryEstimate {
 public:
  void AddImage(uint64_t bytes) { image_bytes_ += bytes; }
  void AddRedo() { ++redo_records_; }
  void Add(const RecoveryEstimate& other);

  int64_t micros() const;

 private:
  uint64_t image_bytes_ = 0;
  uint64_t redo_records_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_RECOVERY_ESTIMATE_H_
