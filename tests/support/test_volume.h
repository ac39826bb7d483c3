// A volume for tests: in memory over a simulated trail (it can crash and lose what was not synced)
// or in a directory of its own. Its trees are checked whenever it closes (H21).
#ifndef QUIRE_TESTS_SUPPORT_TEST_VOLUME_H_
#define QUIRE_TESTS_SUPPORT_TEST_VOLUME_H_

#include <memory>
#include <string>

#include "server/store/fault_store.h"
#include "server/store/memory_store.h"
#include "server/trail/simulated_device.h"
#include "server/volume/volume.h"

namespace quire::test {

class TestVolume {
 public:
  // Memory and simulated trail, small segments. `options.name` empty: "$DATA01".
  explicit TestVolume(VolumeOptions options = {});
  ~TestVolume();

  // Opens; expects success.
  void Open();
  absl::Status TryOpen();
  // Ends without flushing, then opens again on what was durable.
  void CrashAndReopen();
  void Crash();
  // Orderly end and start.
  void Reopen();
  // Orderly end; checks the trees first unless the volume is latched.
  void Close();

  Volume& volume() { return *volume_; }
  Volume* operator->() { return volume_.get(); }
  VolumeOptions& options() { return options_; }

  std::shared_ptr<MemoryDisc> disc = std::make_shared<MemoryDisc>();
  std::shared_ptr<SimulatedMedium> medium = std::make_shared<SimulatedMedium>();
  std::shared_ptr<FaultPlan> faults = std::make_shared<FaultPlan>();
  uint64_t store_bytes = uint64_t{1} << 30;

 private:
  VolumeOptions options_;
  std::unique_ptr<Volume> volume_;
};

enum class FileMode { kWriteThrough, kBuffered, kAudit };

// KEYLEN 4 at 0, REC 100, BLOCK 512: two levels soon.
CreateRequest SmallFile(const std::string& name, FileMode mode);
CreateRequest SmallFile(const std::string& name, bool buffered);

// "k" as a record of SmallFile: key of 4 digits, then text.
std::string SmallRecord(int key, std::string_view text = "record");
std::string SmallKey(int key);

}  // namespace quire::test

#endif  // QUIRE_TESTS_SUPPORT_TEST_VOLUME_H_
