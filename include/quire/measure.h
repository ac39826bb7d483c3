// MEASURE-style counters as they travel: snapshots, and the difference of two.
//
// Counters only rise; a reader never resets them. A report is (end - start) over a window.
#ifndef QUIRE_MEASURE_H_
#define QUIRE_MEASURE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "quire/file_name.h"

namespace quire {

// Values travel on the wire and are never reused.
enum class Entity : uint8_t {
  kDiscopen = 1,  // one open of a file at one volume
  kDiskfile = 2,  // a file (partition) at one volume, all opens together
  kDisc = 3,      // a volume: its disc process and device
  kProcess = 4,   // the server process
};

enum class CounterKind : uint8_t {
  kIncrementing = 1,  // events; unit "#"
  kAccumulating = 2,  // bytes; unit "bytes"
  kBusy = 3,          // time in microseconds; unit "us"
  kMax = 4,           // highest value so far; a window shows the end value
  kSnapshot = 5,      // value at the moment; a window shows the end value
};

struct CounterValue {
  std::string name;  // MEASURE spelling, e.g. "CACHE-WRITE-CLEANS"
  CounterKind kind = CounterKind::kIncrementing;
  std::string unit;  // "#", "bytes", "us"
  int64_t value = 0;
};

struct EntityRecord {
  Entity entity = Entity::kDisc;
  std::string volume;
  FileName file;         // kDiscopen, kDiskfile
  uint64_t open_id = 0;  // kDiscopen
  std::string opener;    // kDiscopen: program name the client gave; kProcess: program and pid
  int64_t opened_us = 0;
  int64_t closed_us = 0;  // 0: still open
  std::vector<CounterValue> counters;

  // 0 when the record has no such counter.
  int64_t Value(std::string_view name) const;
};

// All records of one volume at one moment: consistent with each other, taken between two requests.
struct VolumeSnapshot {
  std::string volume;
  uint64_t epoch = 0;  // raised at every start of the volume
  int64_t time_us = 0;
  std::vector<EntityRecord> records;
};

struct MeasureSnapshot {
  std::vector<VolumeSnapshot> volumes;
};

// Counters of `end` less those of `start`, record by record; records new since `start` count from
// zero; opens closed before `start` are left out. 22, naming the volume and the reason, when a
// volume restarted in between (another epoch) or is missing from `start` (R-C4).
absl::StatusOr<MeasureSnapshot> Difference(const MeasureSnapshot& start,
                                           const MeasureSnapshot& end);

// Counters of `records` added up by name; kMax takes the highest, kSnapshot adds.
EntityRecord Sum(const std::vector<EntityRecord>& records);

}  // namespace quire

#endif  // QUIRE_MEASURE_H_
