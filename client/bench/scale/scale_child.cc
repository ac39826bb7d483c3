#include "client/bench/scale/scale_child.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "client/bench/errors.h"
#include "client/bench/made_records.h"
#include "client/bench/process_figures.h"
#include "client/bench/run_counters.h"
#include "client/bench/scale/disc_probe.h"
#include "client/bench/scale/scale_volume.h"
#include "client/bench/scale/stall_probe.h"
#include "client/bench/stop_signal.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr uint64_t kAllowanceBytes = uint64_t{128} << 20;  // R-D5
constexpr uint64_t kUnplacedRecords = 20000;               // AUDIT records for recovery to redo
constexpr uint64_t kMostScanned = 1350000;
constexpr uint64_t kHotRecords = 10000;  // read again and again: they stay cached
constexpr int kHotRounds = 5;
constexpr uint32_t kColdRounds = 5;
constexpr uint64_t kColdReads = 1000;  // of a round
// Reads that bring the index of file and store into memory, and little of the data.
constexpr uint64_t kLeastWarming = 1000;
constexpr uint64_t kMostWarming = 150000;
// Records are read for warming and for measuring in groups of neighbours, in turn, so that the
// latter are in no block of the former.
constexpr uint64_t kNeighbours = 8;

double SecondsSince(SteadyClock::time_point begun) {
  return std::chrono::duration<double>(SteadyClock::now() - begun).count();
}

absl::StatusOr<int64_t> DiscCounter(const MeasureSnapshot& snapshot, std::string_view name) {
  for (const VolumeSnapshot& volume : snapshot.volumes) {
    for (const EntityRecord& record : volume.records) {
      if (record.entity == Entity::kDisc) return record.Value(name);
    }
  }
  return DamagedMeasurements("the volume's counters", "there is no DISC record");
}

class LoadChild {
 public:
  explicit LoadChild(const ChildOptions& options) : options_(options), records_(options.records) {
    figures_.records = options.records;
    figures_.record_bytes = MadeRecords::kRecordBytes;
    figures_.memory_limit_bytes =
        static_cast<double>(options.cache_bytes + options.dirty_limit_bytes + kAllowanceBytes);
  }

  absl::Status Run() {
    absl::StatusOr<OpenedVolume> opened = OpenScaleVolume(options_);
    if (!opened.ok()) return opened.status();
    file_system_ = std::move(opened->file_system);
    if (absl::Status s = OpenFiles(); !s.ok()) return s;
    if (absl::Status s = Load(); !s.ok()) return s;
    if (absl::Status s = ReadHot(); !s.ok()) return s;
    if (absl::Status s = Scan(); !s.ok()) return s;
    return FillTrail();
  }
  const LoadFigures& figures() const { return figures_; }

 private:
  absl::Status OpenFiles() {
    const struct {
      const char* name;
      bool audit;
      uint64_t records;
      std::unique_ptr<File>* file;
    } all[] = {{kBulkFile, false, options_.records, &bulk_},
               {kBesideFile, false, 0, &beside_},
               {kAuditFile, true, 0, &audit_},
               {kTrailFile, true, kUnplacedRecords, &trail_}};
    for (const auto& one : all) {
      absl::Status made = CreateScaleFile(file_system_.get(), one.name, one.audit, one.records);
      if (!made.ok()) return made;
      absl::StatusOr<std::unique_ptr<File>> file =
          file_system_->Open(one.name, {.batch_operations = 64});
      if (!file.ok()) return file.status();
      *one.file = *std::move(file);
    }
    return absl::OkStatus();
  }

  // What another user asks while the load runs. Ranks from 1 on are written, 0 is there.
  std::vector<StallProbe::Request> ProbeRequests() {
    const auto writer = [this](File* file) {
      return [this, file, rank = uint64_t{0}]() mutable {
        return file->Write(probe_records_.Record(++rank));
      };
    };
    return {[this] { return beside_->Read(probe_records_.Key(0)).status(); }, writer(beside_.get()),
            writer(audit_.get())};
  }

  absl::Status Load() {
    if (absl::Status s = beside_->Write(probe_records_.Record(0)); !s.ok()) return s;
    const absl::StatusOr<MeasureSnapshot> before = TakeSnapshot(file_system_.get(), {kScaleVolume});
    if (!before.ok()) return before.status();
    MemorySampler memory({getpid()});
    const uint64_t written_before = OwnWrittenBytes();
    StallProbe probe(ProbeRequests());
    const ProcessFigures process_before = OwnProcess();
    const SteadyClock::time_point begun = SteadyClock::now();
    if (absl::Status s = LoadBulk(); !s.ok()) return s;
    figures_.answered_s = SecondsSince(begun);
    const absl::StatusOr<RefreshAnswer> refreshed = file_system_->Refresh(kScaleVolume);
    if (!refreshed.ok()) return refreshed.status();
    figures_.placed_s = SecondsSince(begun);
    figures_.refresh_s = figures_.placed_s - figures_.answered_s;
    figures_.cpu_s = (OwnProcess() - process_before).cpu_busy_s;
    figures_.written_bytes = static_cast<double>(OwnWrittenBytes() - written_before);
    figures_.memory_bytes = static_cast<double>(memory.Finish());
    if (absl::Status s = FillStalls(probe.Finish()); !s.ok()) return s;
    figures_.disc_bytes = static_cast<double>(DirectoryBytes(options_.directory));
    return FillControlPoints(*before);
  }

  absl::Status LoadBulk() {
    std::string record(MadeRecords::kRecordBytes, '\0');
    uint64_t next = 0;
    double longest_s = 0;
    SteadyClock::time_point last = SteadyClock::now();
    const absl::StatusOr<LoadSummary> loaded = bulk_->Load(
        [&](std::string_view* out) {
          const SteadyClock::time_point now = SteadyClock::now();
          longest_s = std::max(longest_s, std::chrono::duration<double>(now - last).count());
          last = now;
          if (next == options_.records || StopRequested()) return false;
          records_.Fill(records_.RankAt(RecordOrder::kInterleaved, next++), absl::MakeSpan(record));
          *out = record;
          return true;
        },
        {});
    if (!loaded.ok()) return loaded.status();
    if (StopRequested()) return Interrupted();
    if (!loaded->refused.empty()) {
      return RecordRefused("record", loaded->refused.front().first, loaded->refused.front().second);
    }
    figures_.stall_load_ms = longest_s * 1e3;
    return absl::OkStatus();
  }

  absl::Status FillStalls(const absl::StatusOr<std::vector<StallProbe::Latencies>>& probed) {
    if (!probed.ok()) return probed.status();
    figures_.stall_read_ms = probed->at(0).LongestMs();
    figures_.stall_write_ms = probed->at(1).LongestMs();
    figures_.stall_audit_ms = probed->at(2).LongestMs();
    figures_.p99_read_ms = probed->at(0).P99Ms();
    figures_.p99_write_ms = probed->at(1).P99Ms();
    figures_.p99_audit_ms = probed->at(2).P99Ms();
    for (const StallProbe::Latencies& one : *probed) figures_.probes += one.ns.size();
    return absl::OkStatus();
  }

  absl::Status FillControlPoints(const MeasureSnapshot& before) {
    const absl::StatusOr<MeasureSnapshot> after = TakeSnapshot(file_system_.get(), {kScaleVolume});
    if (!after.ok()) return after.status();
    const absl::StatusOr<MeasureSnapshot> window = Difference(before, *after);
    if (!window.ok()) return window.status();
    const absl::StatusOr<int64_t> points = DiscCounter(*window, "CONTROL-POINTS");
    const absl::StatusOr<int64_t> micros = DiscCounter(*window, "CONTROL-POINT-TIME");
    if (!points.ok()) return points.status();
    figures_.control_points = static_cast<uint64_t>(*points);
    figures_.control_point_ms =
        static_cast<double>(*micros) / 1e3 / static_cast<double>(std::max<int64_t>(*points, 1));
    return absl::OkStatus();
  }

  absl::Status ReadHot() {
    std::mt19937_64 random(1);
    std::vector<uint64_t> hot;
    for (uint64_t i = 0; i < kHotRecords; ++i) hot.push_back(random() % options_.records);
    std::vector<double> rounds;
    for (int round = 0; round <= kHotRounds; ++round) {
      const absl::StatusOr<double> micros =
          ReadMicros(bulk_.get(), records_, kHotRecords, [&hot](uint64_t i) { return hot[i]; });
      if (!micros.ok()) return micros.status();
      if (round > 0) rounds.push_back(*micros);  // the first one fetches
    }
    std::sort(rounds.begin(), rounds.end());
    figures_.cached_read_us = rounds[rounds.size() / 2];
    return absl::OkStatus();
  }

  absl::Status Scan() {
    uint64_t seen = 0;
    const absl::StatusOr<double> micros =
        ScanMicros(bulk_.get(), records_, std::min(options_.records, kMostScanned), &seen);
    if (!micros.ok()) return micros.status();
    figures_.scan_us = *micros;
    return absl::OkStatus();
  }

  absl::Status FillTrail() {
    absl::Status failed;
    for (uint64_t rank = 0; rank < kUnplacedRecords; ++rank) {
      trail_->WriteNowait(
          trail_records_.Record(rank),
          [&failed](const absl::Status& status, std::string_view) { failed.Update(status); });
    }
    absl::Status ended = trail_->Wait();
    figures_.unplaced_records = kUnplacedRecords;
    return failed.ok() ? ended : failed;
  }

  const ChildOptions options_;
  const MadeRecords records_;
  const MadeRecords probe_records_{10000000, 2};
  const MadeRecords trail_records_{kUnplacedRecords, 3};
  LoadFigures figures_;
  std::unique_ptr<FileSystem> file_system_;  // outlives the files
  std::unique_ptr<File> bulk_;
  std::unique_ptr<File> beside_;
  std::unique_ptr<File> audit_;
  std::unique_ptr<File> trail_;
};

class ReopenChild {
 public:
  explicit ReopenChild(const ChildOptions& options)
      : options_(options), records_(options.records) {}

  absl::StatusOr<ReopenFigures> Run() {
    absl::StatusOr<OpenedVolume> opened = OpenScaleVolume(options_);
    if (!opened.ok()) return opened.status();
    figures_.open_s = opened->open_s;
    figures_.recovery_s = opened->recovery_s;
    figures_.replayed_records = opened->redone;
    FileSystem* const file_system = opened->file_system.get();
    absl::StatusOr<std::unique_ptr<File>> bulk =
        file_system->Open(kBulkFile, {.access = AccessMode::kRead});
    if (!bulk.ok()) return bulk.status();
    figures_.index_levels = (*bulk)->description().primary.index_levels;
    if (absl::Status s = ReadCold(bulk->get()); !s.ok()) return s;
    uint64_t seen = 0;
    const absl::StatusOr<double> micros =
        ScanMicros(bulk->get(), records_, std::min(options_.records, kMostScanned), &seen);
    if (!micros.ok()) return micros.status();
    figures_.scan_us = *micros;
    if (absl::Status s = CheckTrail(file_system); !s.ok()) return s;
    return figures_;
  }

 private:
  uint64_t RankOf(uint64_t number, bool measured) const {
    const uint64_t group = number % std::max<uint64_t>(options_.records / (2 * kNeighbours), 1);
    const uint64_t rank =
        2 * group * kNeighbours + (measured ? kNeighbours : 0) + number / 7 % kNeighbours;
    return std::min(rank, options_.records - 1);
  }

  absl::Status ReadCold(File* bulk) {
    std::mt19937_64 random(5);
    const uint64_t warming =
        std::clamp<uint64_t>(options_.records / 40, kLeastWarming, kMostWarming);
    const absl::StatusOr<double> warmed =
        ReadMicros(bulk, records_, warming, [&](uint64_t) { return RankOf(random(), false); });
    if (!warmed.ok()) return warmed.status();
    for (uint32_t round = 0; round < kColdRounds; ++round) {
      const uint64_t reads = std::min(kColdReads, std::max<uint64_t>(options_.records / 100, 10));
      const absl::StatusOr<double> read =
          ReadMicros(bulk, records_, reads, [&](uint64_t) { return RankOf(random(), true); });
      if (!read.ok()) return read.status();
      figures_.uncached_read_us.push_back(*read);
      const absl::StatusOr<double> bare =
          RandomReadMicros(StoreFileOf(options_), static_cast<uint32_t>(reads), round + 1);
      if (!bare.ok()) return bare.status();
      figures_.pread_us.push_back(*bare);
    }
    return absl::OkStatus();
  }

  // Nothing acknowledged is lost.
  static absl::Status CheckTrail(FileSystem* file_system) {
    absl::StatusOr<std::unique_ptr<File>> trail =
        file_system->Open(kTrailFile, {.access = AccessMode::kRead});
    if (!trail.ok()) return trail.status();
    uint64_t seen = 0;
    const absl::StatusOr<double> micros =
        ScanMicros(trail->get(), MadeRecords(kUnplacedRecords, 3), kUnplacedRecords + 1, &seen);
    if (!micros.ok()) return micros.status();
    return seen == kUnplacedRecords ? absl::OkStatus()
                                    : RecordsMissing(kTrailFile, seen, kUnplacedRecords);
  }

  const ChildOptions options_;
  const MadeRecords records_;
  ReopenFigures figures_;
};

}  // namespace

absl::Status RunLoadChild(const ChildOptions& options,
                          const std::function<void(const LoadFigures&)>& hold) {
  LoadChild child(options);
  if (absl::Status s = child.Run(); !s.ok()) return s;
  hold(child.figures());
  return absl::OkStatus();
}

absl::StatusOr<ReopenFigures> RunReopenChild(const ChildOptions& options) {
  return ReopenChild(options).Run();
}

}  // namespace bench
}  // namespace quire
