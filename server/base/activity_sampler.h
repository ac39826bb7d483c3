// Samples what this process spends its processor time on: each thread is interrupted as its own
// processor time goes by (SIGPROF, at the kernel's tick: 100 to 1,000 times per second of processor
// time), and the activity it is in (activity.h) gets a sample, whether it ran in the program or in
// the kernel. A thread that waits is not sampled.
//
// Timers belong to threads: with one for the process, the core whose tick comes first would get the
// samples of all. A thread of the sampler looks for new threads every kLookMillis; what a thread
// burns before it is found is missing.
#ifndef QUIRE_SERVER_BASE_ACTIVITY_SAMPLER_H_
#define QUIRE_SERVER_BASE_ACTIVITY_SAMPLER_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "server/base/activity.h"

namespace quire {

// Since the sampler began; differences are taken of two.
struct ActivitySamples {
  std::array<uint64_t, kActivities> counts = {};
  double user_s = 0;    // processor time of the process, by the kernel's own account
  double kernel_s = 0;  // (both since the process began)

  uint64_t total() const;
  // Processor time of one activity: its share of the samples times the process's time. 0 without
  // samples.
  double SecondsOf(Activity activity) const;
};
ActivitySamples operator-(const ActivitySamples& end, const ActivitySamples& start);
// {"user_s": 1.25, "kernel_s": 0.5, "samples": {"outside": 12, …}}: plain numbers.
std::string ActivityJson(const ActivitySamples& samples);

class ActivitySampler {
 public:
  static constexpr int64_t kLookMillis = 20;

  // At most one at a time in a process: nullptr if there is one, or if the kernel has no timer
  // left. The threads that run already are sampled when it returns. Any thread.
  static std::unique_ptr<ActivitySampler> Start();
  // Stops sampling. The handler of SIGPROF stays: a signal may still be on its way.
  ~ActivitySampler();

  ActivitySamples Take() const;  // any thread

 private:
  class Threads;
  ActivitySampler();
  const std::unique_ptr<Threads> threads_;
  const ActivitySamples start_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_ACTIVITY_SAMPLER_H_
