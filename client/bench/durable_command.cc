// quire-bench durable: one durable write at a time, in this process, beside a bare synced append.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/strings/str_format.h"
#include "client/bench/bare_append.h"
#include "client/bench/commands.h"
#include "client/bench/durable_figures.h"
#include "client/bench/errors.h"
#include "client/bench/output_file.h"
#include "client/bench/run_counters.h"
#include "client/bench/work_folder.h"
#include "client/filesystem/connect_flags.h"
#include "quire/filesystem.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload
ABSL_DECLARE_FLAG(std::string, json);
ABSL_DECLARE_FLAG(bool, strict);

ABSL_FLAG(uint32_t, durable_operations, 500, "durable: writes of each kind in a round");
ABSL_FLAG(uint32_t, durable_rounds, 20, "durable: rounds");

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr char kVolume[] = "$DATA01";
constexpr uint32_t kKeyBytes = 11;  // the article's record
constexpr uint32_t kRecordBytes = 1676;
constexpr uint32_t kBlockBytes = 4096;
constexpr uint32_t kWarmUpWrites = 200;

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Keys all over the file, none twice.
std::string RecordText(uint32_t number) {
  std::string record =
      absl::StrFormat("%0*d", static_cast<int>(kKeyBytes), number * uint32_t{2654435761});
  record.resize(kRecordBytes, 'x');
  return record;
}

class Durable {
 public:
  Durable(FileSystem* file_system, std::string directory)
      : file_system_(file_system), directory_(std::move(directory)), writes_(kDurableKinds) {}

  absl::Status Prepare() {
    if (absl::Status s = Make("AUDIT", true, true, DurableKind::kAudit); !s.ok()) return s;
    if (absl::Status s = Make("THROUGH", false, false, DurableKind::kWriteThrough); !s.ok()) {
      return s;
    }
    if (absl::Status s = Make("BUFFERED", true, false, DurableKind::kBuffered); !s.ok()) return s;
    if (absl::Status s = LearnAppendBytes(); !s.ok()) return s;
    if (absl::Status s = MakeBare(AppendWay::kFdatasync, DurableKind::kBareFdatasync); !s.ok()) {
      return s;
    }
    return MakeBare(AppendWay::kDirect, DurableKind::kBareDirect);
  }

  // All kinds in each round, so that what the machine does besides hits all of them alike.
  absl::StatusOr<DurableFigures> Run(uint32_t rounds, uint32_t operations) {
    std::vector<std::vector<LatencyRound>> measured(kDurableKinds);
    for (uint32_t round = 0; round < rounds; ++round) {
      for (size_t kind = 0; kind < kDurableKinds; ++kind) {
        const absl::StatusOr<LatencyRound> one = Round(writes_[kind], operations);
        if (!one.ok()) return one.status();
        measured[kind].push_back(*one);
      }
    }
    DurableFigures figures = SummarizeDurable(std::move(measured));
    figures.record_bytes = kRecordBytes;
    figures.append_bytes = append_bytes_;
    return figures;
  }

 private:
  using Write = std::function<absl::Status()>;

  static absl::StatusOr<LatencyRound> Round(const Write& write, uint32_t operations) {
    LatencyRound round;
    round.operations = operations;
    round.latencies_ns.reserve(operations);
    const int64_t start = NowNanos();
    int64_t last = start;
    for (uint32_t i = 0; i < operations; ++i) {
      if (absl::Status s = write(); !s.ok()) return s;
      const int64_t now = NowNanos();
      round.latencies_ns.push_back(now - last);
      last = now;
    }
    round.elapsed_ns = last - start;
    return round;
  }

  absl::Status Make(const std::string& name, bool buffered, bool audit, DurableKind kind) {
    FileAttributes attributes;
    attributes.key_length = kKeyBytes;
    attributes.record_bytes = kRecordBytes;
    attributes.extents = ExtentSizes{5000, 5000};
    attributes.max_extents = 900;
    attributes.buffered = buffered;
    attributes.audit = audit;
    const FileName file_name{.node = "", .volume = kVolume, .subvolume = "BENCH", .file = name};
    const absl::StatusOr<FileInfo> created = file_system_->Create(file_name, attributes);
    if (!created.ok()) return created.status();
    absl::StatusOr<std::unique_ptr<File>> opened = file_system_->Open(file_name, {});
    if (!opened.ok()) return opened.status();
    files_.push_back(*std::move(opened));
    writes_[static_cast<size_t>(kind)] = [file = files_.back().get(),
                                          next = uint32_t{0}]() mutable {
      return file->Write(RecordText(++next));
    };
    return absl::OkStatus();
  }

  absl::Status MakeBare(AppendWay way, DurableKind kind) {
    const std::string path =
        (fs::path(directory_) / (way == AppendWay::kDirect ? "direct" : "fdatasync")).string();
    absl::StatusOr<std::unique_ptr<BareAppend>> made = BareAppend::Make(path, way, append_bytes_);
    if (!made.ok()) return made.status();
    appends_.push_back(*std::move(made));
    writes_[static_cast<size_t>(kind)] = [append = appends_.back().get()] {
      return append->Append();
    };
    return absl::OkStatus();
  }

  // What a lone AUDIT write takes on disc, padded; writes some to know it.
  absl::Status LearnAppendBytes() {
    const absl::StatusOr<MeasureSnapshot> before = TakeSnapshot(file_system_, {kVolume});
    if (!before.ok()) return before.status();
    for (uint32_t i = 0; i < kWarmUpWrites; ++i) {
      if (absl::Status s = writes_[static_cast<size_t>(DurableKind::kAudit)](); !s.ok()) return s;
    }
    const absl::StatusOr<MeasureSnapshot> after = TakeSnapshot(file_system_, {kVolume});
    if (!after.ok()) return after.status();
    const double bytes =
        static_cast<double>(TrailBytes(*after) - TrailBytes(*before)) / kWarmUpWrites;
    append_bytes_ =
        static_cast<uint32_t>(std::max(1.0, std::round(bytes / kBlockBytes))) * kBlockBytes;
    return absl::OkStatus();
  }

  static int64_t TrailBytes(const MeasureSnapshot& snapshot) {
    int64_t bytes = 0;
    for (const VolumeSnapshot& volume : snapshot.volumes) {
      for (const EntityRecord& record : volume.records) {
        if (record.entity == Entity::kDisc) bytes += record.Value("TRAIL-BYTES");
      }
    }
    return bytes;
  }

  FileSystem* const file_system_;
  const std::string directory_;
  uint32_t append_bytes_ = 0;
  std::vector<std::unique_ptr<File>> files_;
  std::vector<std::unique_ptr<BareAppend>> appends_;
  std::vector<Write> writes_;  // by DurableKind
};

}  // namespace

absl::StatusOr<int> DurableCommand() {
  const uint32_t operations = absl::GetFlag(FLAGS_durable_operations);
  const uint32_t rounds = absl::GetFlag(FLAGS_durable_rounds);
  if (operations == 0) return BadOption("durable-operations", "must be at least 1");
  if (rounds == 0) return BadOption("durable-rounds", "must be at least 1");
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  const fs::path volumes = fs::path(folder->path()) / "volumes";
  std::error_code failed;
  fs::create_directories(volumes / std::string(kVolume).substr(1), failed);
  if (failed) return CannotOpen(volumes.string(), failed.value());
  const absl::StatusOr<std::unique_ptr<FileSystem>> file_system =
      ConnectEmbedded(volumes.string(), "quire-bench");
  if (!file_system.ok()) return file_system.status();
  Durable durable(file_system->get(), folder->path());
  if (absl::Status s = durable.Prepare(); !s.ok()) return s;
  const absl::StatusOr<DurableFigures> figures = durable.Run(rounds, operations);
  if (!figures.ok()) return figures.status();
  std::fputs(RenderDurable(*figures).c_str(), stdout);
  if (const std::string path = absl::GetFlag(FLAGS_json); !path.empty()) {
    if (absl::Status s = WriteFile(path, RenderDurableJson(*figures)); !s.ok()) return s;
  }
  return figures->met() || !absl::GetFlag(FLAGS_strict) ? kExitDone : kExitMissed;
}

}  // namespace bench
}  // namespace quire
