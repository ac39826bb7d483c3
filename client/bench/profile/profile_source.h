// Where the processor time of the volume goes, read while it works: of a server process through its
// --profile file, or of this process when the volume is embedded.
#ifndef QUIRE_CLIENT_BENCH_PROFILE_PROFILE_SOURCE_H_
#define QUIRE_CLIENT_BENCH_PROFILE_PROFILE_SOURCE_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/base/activity_sampler.h"

namespace quire {
namespace bench {

class ProfileSource {
 public:
  virtual ~ProfileSource() = default;
  // Until now; differences are taken of two. 66 when the server does not answer, 22 when what it
  // wrote is no profile.
  virtual absl::StatusOr<ActivitySamples> Take() = 0;
};

// `pid`: a quire-volume started with --profile=`path`.
std::unique_ptr<ProfileSource> ServerProfile(pid_t pid, std::string path);
// Starts sampling this process; nullptr when it is being sampled already or cannot be.
std::unique_ptr<ProfileSource> OwnProfile();

struct ProfileText {
  uint64_t writes = 0;
  ActivitySamples samples;
};
// Of the file that --profile writes. 22.
absl::StatusOr<ProfileText> ParseProfile(std::string_view json);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PROFILE_PROFILE_SOURCE_H_
