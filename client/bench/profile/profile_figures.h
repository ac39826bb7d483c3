// The figures of `quire-bench profile` and the page made of them.
#ifndef QUIRE_CLIENT_BENCH_PROFILE_PROFILE_FIGURES_H_
#define QUIRE_CLIENT_BENCH_PROFILE_PROFILE_FIGURES_H_

#include <cstdint>
#include <vector>

#include "client/bench/page/result_page.h"
#include "client/bench/profile/profile_work.h"
#include "server/base/activity_sampler.h"

namespace quire {
namespace bench {

// One kind of work for one stretch of time.
struct ProfileRound {
  uint64_t requests = 0;  // not 0
  double elapsed_s = 0;
  double client_s = 0;      // processor time of this process; not used when embedded
  ActivitySamples samples;  // of the process that has the volume
};

struct ProfileCell {
  ProfileWork work = ProfileWork::kLoad;
  uint32_t in_flight = 1;
  bool embedded = false;  // the volume is in this process: what no layer claims is the client's
  std::vector<ProfileRound> rounds;  // not empty
};

// Processor time per request in us: over all rounds, with the lowest and highest round.
Spread ServerMicros(const ProfileCell& cell);  // of the volume; embedded: without the client
Spread ClientMicros(const ProfileCell& cell);
// Of one activity of the volume's process. Embedded, kOutside is the client.
Spread ActivityMicros(const ProfileCell& cell, Activity activity);

// A table for each way to reach the volume, and bars for each kind of work.
void AddProfile(const std::vector<ProfileCell>& cells, ResultPage* page);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PROFILE_PROFILE_FIGURES_H_
