#include "client/bench/run_counters.h"

#include <set>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

double Seconds(int64_t microseconds) {
  return static_cast<double>(microseconds) / 1e6;
}

void AddOpen(const EntityRecord& record, OpenCounters* open) {
  open->requests += record.Value("REQUESTS");
  open->cache_hits += record.Value("CACHE-HITS");
  open->cache_write_hits += record.Value("CACHE-WRITE-HITS");
  open->cache_write_cleans += record.Value("CACHE-WRITE-CLEANS");
  open->block_splits += record.Value("BLOCK-SPLITS");
  open->driver_input_calls += record.Value("DRIVER-INPUT-CALLS");
  open->driver_output_calls += record.Value("DRIVER-OUTPUT-CALLS");
  open->cache_read_misses += record.Value("CACHE-READ-MISSES");
  open->cache_write_misses += record.Value("CACHE-WRITE-MISSES");
}

void AddDisc(const EntityRecord& record, DiscCounters* disc) {
  disc->trail_bytes += record.Value("TRAIL-BYTES");
  disc->trail_syncs += record.Value("TRAIL-SYNCS");
  disc->trail_sync_s += Seconds(record.Value("TRAIL-SYNC-TIME"));
  disc->store_syncs += record.Value("SYNCS");
  disc->control_points += record.Value("CONTROL-POINTS");
  disc->control_point_s += Seconds(record.Value("CONTROL-POINT-TIME"));
}

void AddProcess(const EntityRecord& record, ProcessFigures* process) {
  process->cpu_busy_s += Seconds(record.Value("CPU-BUSY-TIME"));
  process->dispatches += record.Value("DISPATCHES");
  process->ready_s += Seconds(record.Value("READY-TIME"));
}

}  // namespace

absl::StatusOr<MeasureSnapshot> TakeSnapshot(FileSystem* file_system,
                                             const std::vector<std::string>& volumes) {
  MeasureSnapshot all;
  for (const std::string& volume : volumes) {
    absl::StatusOr<MeasureSnapshot> one = file_system->Snapshot(volume);
    if (!one.ok()) return one.status();
    for (VolumeSnapshot& part : one->volumes) all.volumes.push_back(std::move(part));
  }
  return all;
}

absl::Status FillCounters(const MeasureSnapshot& start, const MeasureSnapshot& end,
                          uint64_t open_id, RunResult* result) {
  const absl::StatusOr<MeasureSnapshot> window = Difference(start, end);
  if (!window.ok()) return window.status();
  bool found_open = false;
  std::set<std::string> processes;
  ProcessFigures server;
  for (const VolumeSnapshot& volume : window->volumes) {
    for (const EntityRecord& record : volume.records) {
      switch (record.entity) {
        case Entity::kDiscopen:
          if (record.open_id != open_id) break;
          found_open = true;
          AddOpen(record, &result->open);
          break;
        case Entity::kDisc:
          AddDisc(record, &result->disc);
          break;
        case Entity::kProcess:
          if (processes.insert(record.opener).second) AddProcess(record, &server);
          break;
        case Entity::kDiskfile:
          break;
      }
    }
  }
  if (!found_open) {
    return MakeError(ErrorNumber::kNotOpen,
                     StrCat("no volume has DISCOPEN counters of open ", open_id,
                            "; too many opens were closed since (a volume keeps the last ones)"));
  }
  if (!processes.empty() && result->transport != "embedded") result->server = server;
  return absl::OkStatus();
}

}  // namespace bench
}  // namespace quire
