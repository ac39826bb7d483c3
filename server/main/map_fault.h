// SIGBUS: a page of a mapped file, which is the volume's store, cannot be had from the disc (the
// file was cut short, or a sector is bad). The thread that met it cannot go on, and its locks stay
// held, so the server cannot end in an orderly way (R-D14).
#ifndef QUIRE_SERVER_MAIN_MAP_FAULT_H_
#define QUIRE_SERVER_MAIN_MAP_FAULT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"

namespace quire {

// Catches SIGBUS for the whole process: the thread that met it stops for good, and a thread of its
// own logs the address with file and offset, calls the last word, leaves a moment for it to reach
// those who watch, and ends the process with kExitStoreFailed. One per process.
class MapFaultWatch {
 public:
  MapFaultWatch();
  MapFaultWatch(const MapFaultWatch&) = delete;
  MapFaultWatch& operator=(const MapFaultWatch&) = delete;
  ~MapFaultWatch();

  // Called before the end; none: null. Runs on the watch's thread and must not wait for the threads
  // of the volume.
  void SetLastWord(std::function<void()> last_word);

 private:
  void Run();

  Mutex mutex_;
  std::function<void()> last_word_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

// The file mapped at `address` and the byte of it, from a list as /proc/self/maps has it: "byte
// 12288 of /data/store/data.mdb"; "no file" when there is none.
std::string DescribeMappedByte(const std::string& maps, uint64_t address);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_MAP_FAULT_H_
