// What the kernel says about processes: processor time, context switches, waiting for a core,
// private memory.
#ifndef QUIRE_CLIENT_BENCH_PROCESS_FIGURES_H_
#define QUIRE_CLIENT_BENCH_PROCESS_FIGURES_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quire {
namespace bench {

// Differences are taken of two readings.
struct ProcessFigures {
  double cpu_busy_s = 0;   // user and system
  int64_t dispatches = 0;  // context switches, voluntary and not
  double ready_s = 0;      // on the run queue or executing (MEASURE's READY-TIME)
};

// Of this process, all threads.
ProcessFigures OwnProcess();
ProcessFigures operator-(const ProcessFigures& end, const ProcessFigures& start);

// RssAnon + RssShmem of the text of /proc/<pid>/status, in bytes (R-D5); 0 when it has neither.
uint64_t PrivateBytesOf(std::string_view status_text);
// The same of a process; 0 when it is gone.
uint64_t PrivateBytes(pid_t pid);

// Bytes a directory takes on disc (allocated blocks of its files), 0 when it is not there.
uint64_t DirectoryBytes(const std::string& directory);

// Samples the private memory of some processes, added up, every 50 ms on a thread of its own and
// keeps the highest sum.
class MemorySampler {
 public:
  explicit MemorySampler(std::vector<pid_t> pids);
  ~MemorySampler();

  // Takes a last sample, ends the thread and returns the peak. Callable once.
  uint64_t Finish();

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PROCESS_FIGURES_H_
