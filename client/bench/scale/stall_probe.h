// Requests beside a load, one each few milliseconds, and how long each took: what another user of
// the volume feels.
#ifndef QUIRE_CLIENT_BENCH_SCALE_STALL_PROBE_H_
#define QUIRE_CLIENT_BENCH_SCALE_STALL_PROBE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// Runs its requests in turn on a thread of its own. Not thread safe.
class StallProbe {
 public:
  // A request that blocks until it is answered; called on the probe's thread.
  using Request = std::function<absl::Status()>;

  struct Latencies {
    std::vector<int64_t> ns;  // unsorted; empty when there was no time for one
    double LongestMs() const;
    double P99Ms() const;
  };

  explicit StallProbe(std::vector<Request> requests);
  ~StallProbe();
  StallProbe(const StallProbe&) = delete;
  StallProbe& operator=(const StallProbe&) = delete;

  // Ends the thread after the request under way: latencies in the order of the requests given, or
  // the first error. Callable once.
  absl::StatusOr<std::vector<Latencies>> Finish();

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_STALL_PROBE_H_
