// A trail device in memory for crash tests: it can stop at the k-th write and lose, torn at
// 512-byte borders, any part of the write that was under way (R-D16 a).
#ifndef QUIRE_SERVER_TRAIL_SIMULATED_DEVICE_H_
#define QUIRE_SERVER_TRAIL_SIMULATED_DEVICE_H_

#include <cstdint>
#include <memory>

#include "server/trail/trail_device.h"

namespace quire {

// The medium; outlives the devices opened on it. Thread safe.
class SimulatedMedium {
 public:
  SimulatedMedium();
  ~SimulatedMedium();
  // The k-th following WriteDurably (1 = the next) and everything after it fails with 66; of the
  // k-th write a random subset of 512-byte sectors, chosen by `seed`, reaches the medium.
  void CutAtWrite(int k, uint64_t seed);
  // The k-th following WriteDurably fails once with `status`, nothing written.
  void FailAtWrite(int k, absl::Status status);
  // As CutAtWrite, counting Create, Rename, Remove and WriteDurably: the call cut may leave a
  // half-made segment, or be done in full without saying so.
  void CutAtCall(int k, uint64_t seed);
  // Bytes of segments that fit; Create answers 43 beyond. Unlimited at first.
  void SetCapacity(uint64_t bytes);
  int writes() const;
  int calls() const;
  // Another medium with what this one holds now; no cut or fault waits there.
  std::shared_ptr<SimulatedMedium> Copy() const;
  // Flips a bit, to test damaged trails.
  bool Damage(uint64_t segment, uint64_t offset);
  // After a cut: devices opened from now on work again, on what reached the medium. Those opened
  // before stay dead.
  void Heal();

  struct Content;
  Content* content() const { return content_.get(); }

 private:
  std::unique_ptr<Content> content_;
};

std::unique_ptr<TrailDevice> OpenSimulatedDevice(std::shared_ptr<SimulatedMedium> medium);

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_SIMULATED_DEVICE_H_
