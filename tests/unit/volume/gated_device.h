// A trail device whose writes wait until the test lets them through.
#ifndef QUIRE_TESTS_UNIT_VOLUME_GATED_DEVICE_H_
#define QUIRE_TESTS_UNIT_VOLUME_GATED_DEVICE_H_

#include <memory>

#include "quire/mutex.h"
#include "server/trail/trail_device.h"

namespace quire::test {

// Shared by the test and the device.
class Gate {
 public:
  void Close();
  void Open();
  // For the device: counts an arrival, waits while closed.
  void Pass();
  // Waits until a write stands before the closed gate.
  void AwaitArrival();

 private:
  Mutex mutex_;
  CondVar changed_;
  bool open_ ABSL_GUARDED_BY(mutex_) = true;
  int waiting_ ABSL_GUARDED_BY(mutex_) = 0;
};

std::unique_ptr<TrailDevice> WrapWithGate(std::unique_ptr<TrailDevice> device,
                                          std::shared_ptr<Gate> gate);

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_VOLUME_GATED_DEVICE_H_
