// quire-volume: one volume server. Flags and wiring only.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "client/transport/lock_checks.h"
#include "quire/byte_size.h"
#include "quire/error.h"
#include "quire/mutex.h"
#include "quire/program.h"
#include "quire/text.h"
#include "quire/wakeup.h"
#include "server/base/huge_memory.h"
#include "server/main/map_fault.h"
#include "server/main/memory_limit.h"
#include "server/main/profile_file.h"
#include "server/main/restore_command.h"
#include "server/main/serve.h"
#include "server/main/stop_signal.h"
#include "server/store/errors.h"
#include "server/volume/volume.h"
#include "spdlog/spdlog.h"

ABSL_FLAG(std::string, name, "", "name of the volume, such as '$DATA01' (quote it)");
ABSL_FLAG(std::string, directory, "", "directory of the volume; made when it is missing");
ABSL_FLAG(std::string, listen, "127.0.0.1:0", "host:port to serve; port 0: one that is free");
ABSL_FLAG(std::string, port_file, "", "file to write the port to");
ABSL_FLAG(quire::ByteSize, cache, {quire::kDefaultCacheBytes},
          "block cache; capped by the control group's memory");
ABSL_FLAG(quire::ByteSize, dirty_limit, {quire::kDefaultDirtyLimitBytes},
          "dirty blocks in memory; at most half of the cache");
ABSL_FLAG(quire::ByteSize, lookaside, {quire::kDefaultLookasideBytes},
          "memory for index blocks of files with LOOKASIDE FREEZE, taken as used; above 32MiB it "
          "comes out of the cache");
ABSL_FLAG(quire::ByteSize, capacity, {quire::kDefaultCapacityBytes},
          "address space of the store; costs nothing until used");
ABSL_FLAG(quire::ByteSize, trail_limit, {quire::kDefaultTrailLimitBytes},
          "audit trail since the last control point that starts the next one");
ABSL_FLAG(quire::ByteSize, trail_segment, {quire::kTrailSegmentBytes},
          "size of an audit trail segment");
ABSL_FLAG(std::string, trail, "",
          "directory of the audit trail, for a device of its own; empty: \"trail\" in --directory");
ABSL_FLAG(std::vector<std::string>, trail_archive, {},
          "directory that keeps the trail's segments for a restore; with --restore: several, "
          "parted by commas");
ABSL_FLAG(std::string, backup_directory, "",
          "directory below which backups may be written; empty: no backups");
ABSL_FLAG(std::string, trail_sync, "auto",
          "how the trail is made durable: fdatasync, direct, auto (direct where it can be)");
ABSL_FLAG(uint32_t, control_point_interval_ms, quire::kControlPointIntervalMs,
          "longest time between control points while BUFFERED blocks are dirty");
ABSL_FLAG(
    uint32_t, control_point_target_ms, quire::kControlPointTargetMs,
    "how long a control point should take: smaller ones come sooner for it; 0: as large as the "
    "dirty limit allows");
ABSL_FLAG(std::string, read_ahead, "adaptive",
          "blocks brought from disc ahead of sequential readers: none, fixed, adaptive (while it "
          "is worth it)");
ABSL_FLAG(uint32_t, recovery_target_ms, quire::kRecoveryTargetMs,
          "longest time replay may take after a crash; control points come sooner for it");
ABSL_FLAG(uint32_t, lease_ms, quire::kLeaseMs, "how long an open lives without its client");
ABSL_FLAG(uint32_t, locks_per_open, quire::kMaxLocksPerOpen,
          "locks one open may hold and wait for; more is error 35");
ABSL_FLAG(uint32_t, locks_per_volume, quire::kMaxLocksPerVolume,
          "locks held and waited for in all; more is error 31");
ABSL_FLAG(std::string, default_user, "10,1", "owner of files made without one: group,user");
ABSL_FLAG(std::string, default_security, "GOGO", "security of files made without one");
ABSL_FLAG(std::string, handoff,
          std::string(quire::kWakeupNames[static_cast<size_t>(quire::kDefaultWakeup)]),
          "how its threads wake each other: condition, futex, spin, eventfd (for quire-bench "
          "handoff)");
ABSL_FLAG(std::string, profile, "",
          "file to write what processor time goes into, at the end and on SIGUSR1; empty: no "
          "sampling");
ABSL_FLAG(uint32_t, drain_ms, 5000, "time that calls under way get to finish at the end");

namespace quire {
namespace {

constexpr char kUsage[] =
    "quire-volume --name '$DATA01' --directory DIR [options]\n\n"
    "Serves one volume until SIGTERM or SIGINT. Prints one line when it is ready.\n"
    "quire-volume --restore BACKUP --directory NEW [--name '$NEWNAME'] [--trail-archive DIR,...]\n"
    "             [--until-lsn N | --until-time 'YYYY-MM-DD hh:mm:ss[.ffffff]']\n"
    "Makes a new volume of a backup and of the archived trail behind it.\n"
    "Exit codes: 0 ended normally, 2 bad options, 3 cannot start, 10 the volume latched after a\n"
    "failed write or sync, 11 the store's file cannot be read (SIGBUS) or is damaged, 12 no "
    "memory.";

// The reason an option is refused.
absl::Status BadOption(std::string_view option, std::string_view why) {
  return MakeError(ErrorNumber::kBadParameter, StrCat("option --", option, ": ", why));
}

absl::Status ReadNames(VolumeOptions* options) {
  // A restored volume has the name of the one that was backed up, unless told otherwise.
  if (!RestoreWanted() || !absl::GetFlag(FLAGS_name).empty()) {
    absl::StatusOr<std::string> name = ParseVolumeName(absl::GetFlag(FLAGS_name));
    if (!name.ok()) return BadOption("name", ToStd(name.status().message()));
    options->name = *std::move(name);
  }
  options->directory = absl::GetFlag(FLAGS_directory);
  if (options->directory.empty()) return BadOption("directory", "is missing");
  const std::vector<std::string> user = absl::StrSplit(absl::GetFlag(FLAGS_default_user), ',');
  if (user.size() != 2 || !absl::SimpleAtoi(user[0], &options->default_owner_group) ||
      !absl::SimpleAtoi(user[1], &options->default_owner_user) ||
      options->default_owner_group > 255 || options->default_owner_user > 255) {
    return BadOption("default-user", "must be GROUP,USER, each 0 to 255, such as 10,1");
  }
  options->default_security = absl::GetFlag(FLAGS_default_security);
  return absl::OkStatus();
}

absl::Status ReadReadAhead(ReadAheadMode* mode) {
  const std::string word = absl::GetFlag(FLAGS_read_ahead);
  if (word == "none") {
    *mode = ReadAheadMode::kNone;
  } else if (word == "fixed") {
    *mode = ReadAheadMode::kFixed;
  } else if (word != "adaptive") {
    return BadOption("read-ahead", "must be none, fixed or adaptive");
  }
  return absl::OkStatus();
}

absl::StatusOr<VolumeOptions> ReadOptions() {
  VolumeOptions options;
  if (absl::Status status = ReadNames(&options); !status.ok()) return status;
  const std::string sync = absl::GetFlag(FLAGS_trail_sync);
  if (sync == "fdatasync") {
    options.trail_sync = TrailSync::kFdatasync;
  } else if (sync == "direct") {
    options.trail_sync = TrailSync::kDirect;
  } else if (sync != "auto") {
    return BadOption("trail-sync", "must be fdatasync, direct or auto");
  }
  const std::optional<WakeupKind> handoff = WakeupKindOf(absl::GetFlag(FLAGS_handoff));
  if (!handoff) return BadOption("handoff", "must be condition, futex, spin or eventfd");
  options.handoff = *handoff;
  if (absl::Status status = ReadReadAhead(&options.read_ahead); !status.ok()) return status;
  const std::vector<std::string> archives = absl::GetFlag(FLAGS_trail_archive);
  if (archives.size() > 1 && !RestoreWanted()) {
    return BadOption("trail-archive", "a volume has one; several are for --restore");
  }
  if (archives.size() == 1) options.archive_directory = archives[0];
  options.trail_directory = absl::GetFlag(FLAGS_trail);
  options.backup_directory = absl::GetFlag(FLAGS_backup_directory);
  options.report = [](const absl::Status& what) { spdlog::warn("{}", Describe(what)); };
  options.capacity_bytes = absl::GetFlag(FLAGS_capacity).bytes;
  options.trail_limit_bytes = absl::GetFlag(FLAGS_trail_limit).bytes;
  options.trail_segment_bytes = absl::GetFlag(FLAGS_trail_segment).bytes;
  options.control_point_interval_ms = absl::GetFlag(FLAGS_control_point_interval_ms);
  options.control_point_target_ms = absl::GetFlag(FLAGS_control_point_target_ms);
  options.recovery_target_ms = absl::GetFlag(FLAGS_recovery_target_ms);
  options.lease_ms = absl::GetFlag(FLAGS_lease_ms);
  options.locks_per_open = absl::GetFlag(FLAGS_locks_per_open);
  options.locks_per_volume = absl::GetFlag(FLAGS_locks_per_volume);
  options.program = "quire-volume";
  const MemoryShares wish{absl::GetFlag(FLAGS_cache).bytes, absl::GetFlag(FLAGS_dirty_limit).bytes};
  const std::optional<uint64_t> limit_bytes = ControlGroupMemoryBytes();
  const MemoryShares shares = FitIntoMemory(wish, limit_bytes);
  if (shares.cache_bytes != wish.cache_bytes) {
    spdlog::warn("the control group allows {} of memory: cache {} instead of {}, dirty limit {}",
                 AbslUnparseFlag(ByteSize{*limit_bytes}),
                 AbslUnparseFlag(ByteSize{shares.cache_bytes}),
                 AbslUnparseFlag(ByteSize{wish.cache_bytes}),
                 AbslUnparseFlag(ByteSize{shares.dirty_limit_bytes}));
  }
  options.cache_bytes = shares.cache_bytes;
  options.dirty_limit_bytes = shares.dirty_limit_bytes;
  options.lookaside_bytes = absl::GetFlag(FLAGS_lookaside).bytes;
  // In a small control group the overhead, and so what of it may be frozen, is smaller.
  if (limit_bytes) {
    options.lookaside_bytes = std::min(options.lookaside_bytes, *limit_bytes / 4);
  }
  return options;
}

std::terminate_handler terminate_before = nullptr;

// An allocation that failed where nobody could answer for it: ending at once is what recovery is
// made for. Nothing here may allocate.
void EndWithoutMemory() {
  constexpr std::string_view kMessage =
      "quire-volume critical: no memory; give the server more, or a smaller --cache\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(kExitNoMemory);
}

// Exceptions that nobody caught end here.
[[noreturn]] void Terminate() {
  try {
    if (const std::exception_ptr uncaught = std::current_exception()) {
      std::rethrow_exception(uncaught);
    }
  } catch (const std::bad_alloc&) {
    EndWithoutMemory();
  } catch (...) {
    terminate_before();  // says what it was
  }
  std::abort();
}

int CannotStart(const absl::Status& status) {
  spdlog::error("{}", Describe(status));
  return kExitCannotStart;
}

// What happens when the volume latches: at any time, also while it takes its last control point
// and the server is gone already.
class LatchWatch {
 public:
  LatchWatch(RpcServer* server, StopSignal* stop) : server_(server), stop_(stop) {}

  void Latched(const absl::Status& why) {
    spdlog::critical("the volume is latched and ends: {}", Describe(why));
    MutexLock lock(&mutex_);
    exit_code_ = IsStoreDamage(why) ? kExitStoreFailed : kExitVolumeLatched;
    if (server_ != nullptr) server_->SetServing(false);
    stop_->Wake();
  }
  // Of a volume that is not latched, but whose store cannot be read.
  void StoreUnreadable() {
    MutexLock lock(&mutex_);
    if (server_ != nullptr) server_->SetServing(false);
  }
  void ServerGone() {
    MutexLock lock(&mutex_);
    server_ = nullptr;
  }
  // kExitNormal: it is not latched.
  int exit_code() {
    MutexLock lock(&mutex_);
    return exit_code_;
  }

 private:
  Mutex mutex_;
  RpcServer* server_ ABSL_GUARDED_BY(mutex_);
  StopSignal* const stop_;
  int exit_code_ ABSL_GUARDED_BY(mutex_) = kExitNormal;
};

int Serve(VolumeOptions options, StopSignal& stop) {
  MapFaultWatch map_faults;
  std::unique_ptr<ProfileFile> profile;
  if (const std::string path = absl::GetFlag(FLAGS_profile); !path.empty()) {
    absl::StatusOr<std::unique_ptr<ProfileFile>> started = ProfileFile::Start(path);
    if (!started.ok()) return CannotStart(started.status());
    profile = *std::move(started);
  }
  absl::StatusOr<std::unique_ptr<Volume>> opened = Volume::Open(std::move(options));
  if (!opened.ok()) return CannotStart(opened.status());
  std::shared_ptr<Volume> volume = *std::move(opened);
  spdlog::info("recovered {}", TextOf(volume->Recovered()));
  for (const absl::Status& bad : volume->Recovered().replayed.bad_files) {
    spdlog::error("{}", Describe(bad));
  }
  if (stop.Pending()) {
    spdlog::info("a signal came during recovery: ending");
    return kExitNormal;
  }
  const std::string listen = absl::GetFlag(FLAGS_listen);
  absl::StatusOr<std::unique_ptr<RpcServer>> server =
      StartServing(volume, listen, absl::GetFlag(FLAGS_port_file));
  if (!server.ok()) return CannotStart(server.status());
  const auto watch = std::make_shared<LatchWatch>(server->get(), &stop);
  volume->OnLatched([watch](const absl::Status& why) { watch->Latched(why); });
  map_faults.SetLastWord([watch] { watch->StoreUnreadable(); });
  Announce(StrCat("quire-volume ", volume->name()), listen, **server,
           StrCat(", epoch ", volume->epoch()));
  if (const int signal = stop.Wait(); signal != 0) spdlog::info("signal {}: draining", signal);
  (*server)->Stop(absl::Milliseconds(absl::GetFlag(FLAGS_drain_ms)));
  watch->ServerGone();
  server->reset();
  volume.reset();  // takes the last control point, which may fail too
  return watch->exit_code();
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::KeepFreedMemory();
  quire::DropLockChecks();
  quire::terminate_before = std::set_terminate(quire::Terminate);
  const quire::ProgramArguments arguments =
      quire::ParseProgram(argc, argv, {"quire-volume", QUIRE_VERSION, quire::kUsage});
  if (arguments.exit_code) return *arguments.exit_code;
  quire::StartLog("quire-volume");
  quire::StopSignal stop;
  absl::StatusOr<quire::VolumeOptions> options = quire::ReadOptions();
  if (!arguments.positional.empty()) {
    options = quire::BadOption("", quire::StrCat("\"", arguments.positional[0], "\" is no option"));
  }
  if (!options.ok()) {
    spdlog::error("{}; see --help", quire::ToStd(options.status().message()));
    return quire::kExitBadOptions;
  }
  if (quire::RestoreWanted()) {
    return quire::RunRestore(*std::move(options), absl::GetFlag(FLAGS_trail_archive));
  }
  return quire::Serve(*std::move(options), stop);
}
