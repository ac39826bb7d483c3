// The same question on the path of real requests: RPC, queue, disc process, reply. A volume server
// for each wake-up primitive that it can use, blocking clients in this process.
#ifndef QUIRE_CLIENT_BENCH_HANDOFF_REAL_PATH_H_
#define QUIRE_CLIENT_BENCH_HANDOFF_REAL_PATH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/bench/made_records.h"
#include "client/bench/server_fleet.h"
#include "quire/filesystem.h"
#include "quire/wakeup.h"

namespace quire {
namespace bench {

enum class PathWork : uint8_t {
  kRead,    // by key; the thread of gRPC runs it, unless another has the role
  kUpdate,  // of an AUDIT file: the committer makes it durable and the helper may answer
};
inline constexpr PathWork kPathWorks[] = {PathWork::kRead, PathWork::kUpdate};
std::string_view NameOf(PathWork work);

struct PathCost {
  double per_second = 0;
  double server_us = 0;  // processor time per request
  double client_us = 0;
};

// Not thread safe.
class RealPath {
 public:
  // Starts a server in `directory`, which exists, and opens its file `most_clients` times.
  static absl::StatusOr<std::unique_ptr<RealPath>> Start(WakeupKind kind,
                                                         const std::string& directory,
                                                         const MadeRecords* records,
                                                         uint32_t most_clients);
  absl::StatusOr<PathCost> Run(PathWork work, uint32_t clients, absl::Duration time);
  absl::Status Stop();

 private:
  explicit RealPath(const MadeRecords* records) : records_(records) {}
  absl::Status Fill(const FileName& name);
  absl::Status Read(File* file, uint64_t rank) const;

  const MadeRecords* const records_;
  std::unique_ptr<ServerFleet> fleet_;
  std::unique_ptr<FileSystem> file_system_;
  std::vector<std::unique_ptr<File>> files_;  // one for each client
  uint64_t next_ = 0;                         // place in the shuffled order
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_HANDOFF_REAL_PATH_H_
