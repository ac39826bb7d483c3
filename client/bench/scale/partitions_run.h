// The work of `quire-bench partitions`: several clients that insert into one file at once.
#ifndef QUIRE_CLIENT_BENCH_SCALE_PARTITIONS_RUN_H_
#define QUIRE_CLIENT_BENCH_SCALE_PARTITIONS_RUN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bench/made_records.h"
#include "client/bench/scale/partitions_page.h"
#include "client/bench/server_fleet.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

// One write-through file over the volumes of a fleet, a partition on each, cut where the records'
// keys are shared evenly. Inserts the records in shuffled order, each round the next ones. Not
// thread safe; its clients are threads of their own.
class PartitionedInserts {
 public:
  // Starts `partitions` servers below the folder, which must exist, and makes the file.
  static absl::StatusOr<std::unique_ptr<PartitionedInserts>> Start(const std::string& directory,
                                                                   uint32_t partitions,
                                                                   const MadeRecords* records);
  // `records` inserts by `clients` clients with up to `in_flight` requests under way each. 22 when
  // the records are used up.
  absl::StatusOr<PartitionsRound> Run(uint64_t records, uint32_t clients, uint32_t in_flight);
  absl::Status Stop();

 private:
  explicit PartitionedInserts(const MadeRecords* records) : records_(*records) {}
  absl::Status Create(uint32_t partitions);
  absl::Status RunClient(uint64_t first, uint64_t count, uint32_t in_flight);
  absl::StatusOr<MeasureSnapshot> Snapshot();

  const MadeRecords& records_;
  uint64_t next_ = 0;  // place in the shuffled order
  std::vector<std::string> volumes_;
  std::unique_ptr<ServerFleet> fleet_;
  std::unique_ptr<FileSystem> file_system_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_PARTITIONS_RUN_H_
