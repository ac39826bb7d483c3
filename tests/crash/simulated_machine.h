// A machine whose power can be cut at every operation of one run (R-D16 a): the volume works on the
// memory store and the simulated trail device, and before each operation that changes either, what
// a cut at that moment would leave is kept. One history so gives as many crash points as it has
// operations.
//
// What a cut leaves: all operations before; of the one under way any part, as the simulated medium
// has it (512-byte sectors, half-made segments).
#ifndef QUIRE_TESTS_CRASH_SIMULATED_MACHINE_H_
#define QUIRE_TESTS_CRASH_SIMULATED_MACHINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/store/memory_store.h"
#include "server/trail/simulated_device.h"
#include "server/volume/volume.h"
#include "tests/crash/change_log.h"

namespace quire::test {

// Disc and trail of a machine without power.
struct DiscImage {
  std::shared_ptr<MemoryDisc> disc = std::make_shared<MemoryDisc>();
  std::shared_ptr<SimulatedMedium> medium = std::make_shared<SimulatedMedium>();
  Moment moment = kNever;  // operations done before the cut
  std::string under_way = "nothing";

  DiscImage Copy() const { return {disc->Copy(), medium->Copy(), moment, under_way}; }
};

class SimulatedMachine {
 public:
  // Works on `image` itself. Keeps what a cut leaves before the operations first, first + step, …
  // (0: the first); step 0: none.
  SimulatedMachine(DiscImage image, uint64_t first, uint64_t step, uint64_t seed);
  ~SimulatedMachine();

  // `options` with store and trail of this machine. Once per power-up.
  VolumeOptions Connect(VolumeOptions options);
  // Operations so far. Any thread.
  Moment now() const;
  // The cuts kept, in order, to be taken once the volume is gone.
  std::vector<DiscImage> TakeImages();

  struct State;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_SIMULATED_MACHINE_H_
