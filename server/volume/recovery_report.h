// What a start's recovery did, for the log line and for tests.
#ifndef QUIRE_SERVER_VOLUME_RECOVERY_REPORT_H_
#define QUIRE_SERVER_VOLUME_RECOVERY_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/base/ids.h"

namespace quire {

struct ReplayCounts {
  uint64_t batches = 0;
  uint64_t records = 0;                 // of all kinds, and of each:
  uint64_t images = 0;                  // block images placed
  uint64_t image_bytes = 0;             // of them
  uint64_t states = 0;                  // structural states restored
  uint64_t commands = 0;                // CREATE, ALTER, PURGE
  uint64_t redone = 0;                  // redo records executed
  uint64_t answers = 0;                 // records of saved answers
  std::vector<absl::Status> bad_files;  // files that a record did not apply to: marked 59, and why
};

struct RecoveryReport {
  ReplayCounts replayed;
  Lsn from_lsn = 0;             // the store was complete to here
  Lsn to_lsn = 0;               // last record of the trail
  uint64_t control_points = 0;  // the last one, which raises the epoch, included
  int64_t micros = 0;
};

// "LSN 12 to 345, 10 batches with 333 records (200 images, …), 2 control points, 12 ms".
std::string TextOf(const RecoveryReport& report);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_RECOVERY_REPORT_H_
