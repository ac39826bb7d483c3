#include "client/bench/scale/partitions_run.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_format.h"
#include "absl/synchronization/mutex.h"
#include "client/bench/errors.h"
#include "client/bench/process_figures.h"
#include "client/bench/run_counters.h"
#include "client/bench/stop_signal.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr char kFile[] = "$DATA01.BENCH.PARTS";
constexpr uint32_t kMaxExtents = 900;
constexpr uint64_t kExtentPages = 5000;
// Operations of one message when many are in flight: several messages are under way then.
constexpr uint32_t kBatch = 8;

// Lets so many through at a time. Waits in the client's thread alone.
class Turnstile {
 public:
  explicit Turnstile(uint32_t places) : free_(static_cast<int>(places)) {}
  void Enter() {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(
        +[](int* free) { return *free > 0; }, &free_));
    --free_;
  }
  void Leave(const absl::Status& status) {
    absl::MutexLock lock(&mutex_);
    ++free_;
    status_.Update(status);
  }
  absl::Status status() {
    absl::MutexLock lock(&mutex_);
    return status_;
  }
  // Whether Enter would wait.
  bool full() {
    absl::MutexLock lock(&mutex_);
    return free_ == 0;
  }

 private:
  absl::Mutex mutex_;
  int free_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

double DiscSum(const MeasureSnapshot& window, std::string_view counter) {
  double sum = 0;
  for (const VolumeSnapshot& volume : window.volumes) {
    for (const EntityRecord& record : volume.records) {
      if (record.entity == Entity::kDisc) sum += static_cast<double>(record.Value(counter));
    }
  }
  return sum;
}

double ServerCpuSeconds(const MeasureSnapshot& window) {
  double micros = 0;
  for (const VolumeSnapshot& volume : window.volumes) {
    for (const EntityRecord& record : volume.records) {
      if (record.entity == Entity::kProcess) {
        micros += static_cast<double>(record.Value("CPU-BUSY-TIME"));
      }
    }
  }
  return micros / 1e6;
}

}  // namespace

absl::StatusOr<std::unique_ptr<PartitionedInserts>> PartitionedInserts::Start(
    const std::string& directory, uint32_t partitions, const MadeRecords* records) {
  std::unique_ptr<PartitionedInserts> inserts(new PartitionedInserts(records));
  FleetOptions options;
  options.program = ProgramBeside("quire-volume");
  options.directory = directory;
  for (uint32_t i = 1; i <= partitions; ++i) {
    options.volumes.push_back(absl::StrFormat("$DATA%02u", i));
  }
  options.cache_bytes = kDefaultCacheBytes;
  options.dirty_limit_bytes = kDefaultDirtyLimitBytes;
  inserts->volumes_ = options.volumes;
  absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options);
  if (!fleet.ok()) return fleet.status();
  inserts->fleet_ = *std::move(fleet);
  absl::StatusOr<std::unique_ptr<FileSystem>> file_system =
      FileSystem::Connect({.volumes = inserts->fleet_->addresses(), .client_name = "quire-bench"});
  if (!file_system.ok()) return file_system.status();
  inserts->file_system_ = *std::move(file_system);
  if (absl::Status s = inserts->Create(partitions); !s.ok()) return s;
  return inserts;
}

absl::Status PartitionedInserts::Create(uint32_t partitions) {
  FileAttributes attributes;
  attributes.format = 2;
  attributes.key_length = MadeRecords::kKeyBytes;
  attributes.record_bytes = MadeRecords::kRecordBytes;
  attributes.extents = ExtentSizes{kExtentPages, kExtentPages};
  attributes.max_extents = kMaxExtents;
  for (uint32_t i = 1; i < partitions; ++i) {
    attributes.partitions.push_back(
        {.volume = volumes_[i],
         .extents = attributes.extents,
         .partial_key = records_.Key(records_.count() * i / partitions)});
  }
  const absl::StatusOr<FileName> name = ParseFileName(kFile);
  if (!name.ok()) return name.status();
  return file_system_->Create(*name, attributes).status();
}

absl::Status PartitionedInserts::RunClient(uint64_t first, uint64_t count, uint32_t in_flight) {
  const absl::StatusOr<std::unique_ptr<FileSystem>> file_system =
      FileSystem::Connect({.volumes = fleet_->addresses(), .client_name = "quire-bench"});
  if (!file_system.ok()) return file_system.status();
  const absl::StatusOr<std::unique_ptr<File>> file =
      (*file_system)->Open(kFile, {.batch_operations = in_flight == 1 ? 1 : kBatch});
  if (!file.ok()) return file.status();
  std::string record(MadeRecords::kRecordBytes, '\0');
  Turnstile turnstile(in_flight);
  for (uint64_t i = first; i < first + count; ++i) {
    if (StopRequested()) return Interrupted();
    records_.Fill(records_.RankAt(RecordOrder::kShuffled, i), absl::MakeSpan(record));
    if (in_flight == 1) {
      if (absl::Status s = (*file)->Write(record); !s.ok()) return s;
      continue;
    }
    if (turnstile.full()) (*file)->Flush();  // what is batched would never come back
    turnstile.Enter();
    (*file)->WriteNowait(record, [&turnstile](const absl::Status& status, std::string_view) {
      turnstile.Leave(status);
    });
  }
  absl::Status ended = (*file)->Wait();
  ended.Update(turnstile.status());
  ended.Update((*file)->Close());
  return ended;
}

absl::StatusOr<MeasureSnapshot> PartitionedInserts::Snapshot() {
  return TakeSnapshot(file_system_.get(), volumes_);
}

absl::StatusOr<PartitionsRound> PartitionedInserts::Run(uint64_t records, uint32_t clients,
                                                        uint32_t in_flight) {
  const uint64_t each = records / clients;
  if (each == 0 || next_ + each * clients > records_.count()) {
    return BadOption("partitions_records", "leaves a client without records");
  }
  const absl::StatusOr<MeasureSnapshot> before = Snapshot();
  if (!before.ok()) return before.status();
  std::vector<absl::Status> ended(clients);
  std::vector<std::thread> threads;
  const SteadyClock::time_point begun = SteadyClock::now();
  for (uint32_t client = 0; client < clients; ++client) {
    threads.emplace_back(
        [this, each, in_flight, first = next_ + client * each, status = &ended[client]] {
          *status = RunClient(first, each, in_flight);
        });
  }
  for (std::thread& thread : threads) thread.join();
  PartitionsRound round;
  round.elapsed_s = std::chrono::duration<double>(SteadyClock::now() - begun).count();
  round.records = each * clients;
  next_ += round.records;
  for (const absl::Status& status : ended) {
    if (!status.ok()) return status;
  }
  const absl::StatusOr<MeasureSnapshot> after = Snapshot();
  if (!after.ok()) return after.status();
  const absl::StatusOr<MeasureSnapshot> window = Difference(*before, *after);
  if (!window.ok()) return window.status();
  round.syncs = DiscSum(*window, "TRAIL-SYNCS");
  round.sync_us = DiscSum(*window, "TRAIL-SYNC-TIME") / std::max(round.syncs, 1.0);
  round.server_cpu_s = ServerCpuSeconds(*window);
  return round;
}

absl::Status PartitionedInserts::Stop() {
  file_system_.reset();
  return fleet_->Stop();
}

}  // namespace bench
}  // namespace quire
