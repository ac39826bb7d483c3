// Peak private memory of a server's process on this machine.
#ifndef QUIRE_CLIENT_BENCH_PEERS_SERVER_MEMORY_H_
#define QUIRE_CLIENT_BENCH_PEERS_SERVER_MEMORY_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "client/bench/process_figures.h"

namespace quire {
namespace bench {

// Shared by a Peer's `open` and `server_memory`. One thread at a time.
class ServerMemory {
 public:
  // Watches from now on.
  void Watch(std::vector<pid_t> pids) {
    pids_ = pids;
    sampler_ = std::make_unique<MemorySampler>(std::move(pids));
  }
  // The peak since Watch, and what the first process has on reserved huge pages. 0 before Watch.
  uint64_t Peak();

 private:
  std::vector<pid_t> pids_;
  std::unique_ptr<MemorySampler> sampler_;
};

// HugetlbPages of the text of /proc/<pid>/status, in bytes; 0 when it has none.
uint64_t HugePageBytesOf(std::string_view status_text);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_SERVER_MEMORY_H_
