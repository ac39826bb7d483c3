#include "server/volume/volume.h"

#include <algorithm>
#include <future>
#include <utility>

#include "quire/file_name.h"
#include "quire/text.h"
#include "server/volume/batch_execution.h"
#include "server/volume/control_point_request.h"
#include "server/volume/errors.h"
#include "server/volume/file_commands.h"
#include "server/volume/function_request.h"
#include "server/volume/list_opens.h"
#include "server/volume/open_storage.h"
#include "server/volume/recovery.h"
#include "server/volume/snapshot.h"
#include "server/volume/volume_backup.h"
#include "server/volume/volume_check.h"
#include "server/volume/volume_core.h"
#include "server/volume/volume_load.h"
#include "server/volume/volume_scan.h"
#include "server/volume/volume_session.h"
#include "server/volume/watched_store.h"

namespace quire {
namespace {

constexpr uint64_t kMinCacheBytes = 64 << 10;

class UnaryBatchRequest : public Request {
 public:
  UnaryBatchRequest(UnaryRequest request, Done<BatchResult> done)
      : file_(std::move(request.file)),
        execution_(std::move(request.operation), nullptr),
        done_(std::move(done)) {
    caller_waits = execution_.batch().caller_waits;
  }

  FileEntry* Target(VolumeState& state) override { return FindFile(state, file_.name); }
  bool changes() const override { return execution_.batch().changes(); }

  void Execute(VolumeState& state, DiscProcess& process) override {
    absl::StatusOr<OpenEntry*> open = Resolve(state);
    status_ = open.status();
    if (!status_.ok()) return;
    open_id_ = (*open)->id;
    execution_.Run(state, process, *this, **open);
  }
  void Reply(const absl::Status& volume, bool) override {
    if (!volume.ok()) status_ = volume;
    if (status_.ok()) {
      std::move(done_)(execution_.TakeResult());
    } else {
      std::move(done_)(status_);
    }
  }

 private:
  // After a wait for a lock it is the open that waited.
  absl::StatusOr<OpenEntry*> Resolve(VolumeState& state) const {
    if (open_id_ == 0) return ResolveOpen(state, file_);
    OpenEntry* const open = state.opens.Find(open_id_);
    if (open == nullptr) return state.opens.WhyNotOpen(open_id_);
    return open;
  }

  const FileReference file_;
  BatchExecution execution_;
  Done<BatchResult> done_;
  uint64_t open_id_ = 0;
  absl::Status status_;
};

DoneStatus ReportTo(Done<RefreshAnswer> done, std::shared_ptr<RefreshAnswer> answer) {
  return [done = std::move(done), answer = std::move(answer)](absl::Status status) mutable {
    if (status.ok()) {
      std::move(done)(*answer);
    } else {
      std::move(done)(std::move(status));
    }
  };
}

class LocalVolume : public Volume {
 public:
  LocalVolume(std::shared_ptr<VolumeCore> core, RecoveryReport recovered)
      : core_(std::move(core)),
        recovered_(std::move(recovered)),
        checker_(core_.get()),
        backup_(&core_->state) {}

  ~LocalVolume() override {
    checker_.Stop();
    backup_.Stop();
    if (!crashed_) core_->process.Stop();
    // Sessions may keep the core; the directory must be free for the next server now.
    core_->state.trail.reset();
    core_->state.catalog.reset();
    core_->state.read_ahead.reset();
    core_->state.cache.reset();
    core_->state.store.reset();
    core_->state.trail_lock.reset();
    core_->state.lock.reset();
  }

  const std::string& name() const override { return core_->state.options.name; }
  uint64_t epoch() const override { return core_->state.epoch; }
  absl::Status Health() const override { return core_->process.Health(); }
  const RecoveryReport& Recovered() const override { return recovered_; }
  void OnLatched(std::function<void(absl::Status)> callback) override {
    core_->process.OnLatched(std::move(callback));
  }

  absl::Status CheckTrees() override {
    std::promise<absl::Status> answer;
    std::future<absl::Status> answered = answer.get_future();
    SubmitFunction<bool>(
        core_->process, FileName{}, false,
        [](VolumeState& state, DiscProcess&, Request&) -> absl::StatusOr<bool> {
          for (const auto& [name, entry] : state.catalog->by_name()) {
            if (absl::Status s = entry->file.tree().Check(); !s.ok()) return s;
          }
          return true;
        },
        [&](absl::StatusOr<bool> result) { answer.set_value(result.status()); });
    return answered.get();
  }

  void Crash() override {
    if (std::exchange(crashed_, true)) return;
    core_->process.Crash();
    checker_.Stop();
  }

  std::unique_ptr<Session> OpenSession(OpenRequest request,
                                       std::shared_ptr<SessionEvents> events) override {
    return OpenVolumeSession(core_, std::move(request), std::move(events));
  }

  void Execute(UnaryRequest request, Done<BatchResult> done) override {
    if (request.operation.size() != 1) {
      std::move(done)(volume_error::NotOneOperation(request.operation.size()));
      return;
    }
    if (request.operation.data_bytes() > kMaxMessageBytes) {
      std::move(done)(volume_error::BatchTooLarge(request.operation.data_bytes(), 1));
      return;
    }
    core_->process.Submit(std::make_unique<UnaryBatchRequest>(std::move(request), std::move(done)));
  }

  std::unique_ptr<ScanStream> Scan(ScanRequest request) override {
    return OpenVolumeScan(core_, std::move(request));
  }
  std::unique_ptr<LoadStream> Load(LoadRequest request) override {
    return OpenVolumeLoad(core_, std::move(request));
  }

  void Create(CreateRequest request, Done<FileInfo> done) override {
    FileName name = request.name;
    SubmitFunction<FileInfo>(
        core_->process, std::move(name), true,
        [request = std::move(request)](VolumeState& state, DiscProcess& process, Request& self) {
          return CreateFile(state, process, self, request);
        },
        std::move(done));
  }

  void Info(FileReference file, Done<FileDescription> done) override {
    FileName name = file.name;
    SubmitFunction<FileDescription>(
        core_->process, std::move(name), false,
        [file = std::move(file)](VolumeState& state, DiscProcess& process, Request& self) {
          return DescribeFile(state, process, self, file);
        },
        std::move(done));
  }

  void Alter(AlterRequest request, DoneStatus done) override {
    FileName name = request.file.name;
    if (request.buffered.has_value() || request.audit.has_value()) {
      core_->process.Submit(std::make_unique<ControlPointRequest>(
          std::move(name), /*changes=*/true,
          [request = std::move(request)](VolumeState& state, DiscProcess& process, Request& self,
                                         DoneStatus finished) {
            AlterMode(state, process, self, request, std::move(finished));
          },
          std::move(done)));
      return;
    }
    SubmitStatus(
        std::move(name), std::move(done),
        [request = std::move(request)](VolumeState& state, DiscProcess& process, Request& self) {
          return AlterFile(state, process, self, request);
        });
  }

  void Purge(PurgeRequest request, DoneStatus done) override {
    FileName name = request.file.name;
    SubmitStatus(
        std::move(name), std::move(done),
        [request = std::move(request)](VolumeState& state, DiscProcess& process, Request& self) {
          return PurgeFile(state, process, self, request);
        });
  }

  void List(ListRequest request, Done<ListPage> done) override {
    SubmitFunction<ListPage>(
        core_->process, FileName{}, false,
        [request = std::move(request)](VolumeState& state, DiscProcess&, Request&) {
          return ListFiles(state, request);
        },
        std::move(done));
  }

  void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) override {
    SubmitFunction<ListOpensPage>(
        core_->process, FileName{}, false,
        [request = std::move(request)](VolumeState& state, DiscProcess&, Request&) {
          return quire::ListOpens(state, request);
        },
        std::move(done));
  }

  void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) override {
    SubmitFunction<ListLocksPage>(
        core_->process, FileName{}, false,
        [request = std::move(request)](VolumeState& state, DiscProcess&, Request&) {
          return quire::ListLocks(state, request);
        },
        std::move(done));
  }

  void Check(FileReference file, Done<std::vector<PartitionCheck>> done) override {
    checker_.Check(std::move(file), std::move(done));
  }

  void Volumes(Done<std::vector<std::string>> done) override {
    std::move(done)(std::vector<std::string>{name()});
  }

  void Refresh(std::string volume, Done<RefreshAnswer> done) override {
    if (!volume.empty() && volume != name()) {
      std::move(done)(volume_error::WrongVolume(FileName{"", volume, "*", "*"}, name()));
      return;
    }
    auto answer = std::make_shared<RefreshAnswer>();
    core_->process.Submit(std::make_unique<ControlPointRequest>(
        FileName{}, /*changes=*/false,
        [answer](VolumeState&, DiscProcess& process, Request&, DoneStatus finished) {
          process.WantControlPoint([] {},
                                   [answer, finished = std::move(finished)](
                                       absl::StatusOr<ControlPointReport> report) mutable {
                                     if (report.ok())
                                       *answer = {report->blocks_written, report->change_sequence};
                                     std::move(finished)(report.status());
                                   });
        },
        ReportTo(std::move(done), answer)));
  }

  void Backup(BackupRequest request, Done<BackupAnswer> done) override {
    backup_.Start(std::move(request), std::move(done),
                  [this](Done<RefreshAnswer> taken) { Refresh(name(), std::move(taken)); });
  }

  void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) override {
    if (!request.volume.empty() && request.volume != name()) {
      std::move(done)(volume_error::WrongVolume(FileName{"", request.volume, "*", "*"}, name()));
      return;
    }
    SubmitFunction<MeasureSnapshot>(
        core_->process, FileName{}, false,
        [](VolumeState& state, DiscProcess&, Request&) -> absl::StatusOr<MeasureSnapshot> {
          return MeasureSnapshot{{TakeSnapshot(state)}};
        },
        std::move(done));
  }

 private:
  using StatusWork = absl::AnyInvocable<absl::Status(VolumeState&, DiscProcess&, Request&) &&>;

  void SubmitStatus(FileName name, DoneStatus done, StatusWork work) {
    SubmitFunction<bool>(
        core_->process, std::move(name), true,
        [work = std::move(work)](VolumeState& state, DiscProcess& process,
                                 Request& self) mutable -> absl::StatusOr<bool> {
          absl::Status status = std::move(work)(state, process, self);
          if (!status.ok()) return status;
          return true;
        },
        [done = std::move(done)](absl::StatusOr<bool> result) mutable {
          std::move(done)(result.status());
        });
  }

  std::shared_ptr<VolumeCore> core_;
  const RecoveryReport recovered_;
  VolumeChecker checker_;
  VolumeBackup backup_;
  bool crashed_ = false;
};

// Frozen blocks beyond what R-D5 leaves for them take their memory from the others.
uint64_t FrozenOutOfCache(const VolumeOptions& options) {
  return options.lookaside_bytes - std::min(options.lookaside_bytes, kDefaultLookasideBytes);
}

absl::Status CheckOptions(VolumeOptions& options) {
  absl::StatusOr<std::string> name = ParseVolumeName(options.name);
  if (!name.ok()) return name.status();
  options.name = *name;
  if (options.cache_bytes < kMinCacheBytes) {
    return volume_error::BadOption(
        StrCat("cache of ", options.cache_bytes, " bytes is too small; at least ", kMinCacheBytes));
  }
  if (FrozenOutOfCache(options) > options.cache_bytes / 2) {
    return volume_error::BadOption(StrCat("look-aside memory of ", options.lookaside_bytes,
                                          " bytes: at most ", kDefaultLookasideBytes,
                                          " and half of the cache"));
  }
  if (options.locks_per_open == 0 || options.locks_per_volume == 0) {
    return volume_error::BadOption("an open and a volume need room for at least one lock");
  }
  if (options.control_point_interval_ms == 0 || options.recovery_target_ms == 0 ||
      options.dirty_limit_bytes == 0 || options.capacity_bytes == 0) {
    return volume_error::BadOption(
        "control-point interval, recovery target, dirty limit and capacity must be above 0");
  }
  // Beyond half the cache, dirty frames would leave no room for reading (R-D5).
  options.dirty_limit_bytes = std::min(options.dirty_limit_bytes, options.cache_bytes / 2);
  return absl::OkStatus();
}

CacheOptions CacheOptionsOf(const VolumeOptions& options) {
  CacheOptions cache;
  cache.bytes = options.cache_bytes - FrozenOutOfCache(options);
  cache.frozen_bytes = options.lookaside_bytes;
  cache.data_keeping = options.data_keeping;
  cache.before_cached_use = options.before_cached_use;
  return cache;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Volume>> Volume::Open(VolumeOptions options) {
  if (absl::Status s = CheckOptions(options); !s.ok()) return s;
  auto core = std::make_shared<VolumeCore>();
  VolumeState& state = core->state;
  state.options = std::move(options);
  state.locks.SetLimits({state.options.locks_per_open, state.options.locks_per_volume});
  if (absl::Status s = OpenStoreAndTrail(state); !s.ok()) return s;
  // The process lives as long as the state.
  state.store =
      WatchStore(std::move(state.store),
                 [process = &core->process](const absl::Status& s) { process->Latch(s); });
  state.cache = std::make_unique<BlockCache>(state.store.get(), CacheOptionsOf(state.options));
  if (state.options.read_ahead != ReadAheadMode::kNone) {
    if (std::unique_ptr<AheadReader> reader = state.store->OpenAheadReader(); reader != nullptr) {
      state.read_ahead = std::make_unique<VolumeReadAhead>(
          std::move(reader), state.options.read_ahead, state.options.cache_bytes);
    }
  }
  state.catalog = std::make_unique<Catalog>(state.cache.get(), state.read_ahead.get());
  absl::StatusOr<RecoveryReport> report = Recover(state);
  if (!report.ok()) return report.status();
  state.started_us = state.NowMicros();
  state.snapshot_renewed_us = state.options.clock->MonotonicMicros();
  core->process.Start();
  return std::make_unique<LocalVolume>(std::move(core), *std::move(report));
}

}  // namespace quire
