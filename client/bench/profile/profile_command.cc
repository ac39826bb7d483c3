// quire-bench profile: processor time per request, split by what the volume does.
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/strings/numbers.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/made_records.h"
#include "client/bench/number_text.h"
#include "client/bench/page/result_page.h"
#include "client/bench/process_figures.h"
#include "client/bench/profile/profile_figures.h"
#include "client/bench/profile/profile_source.h"
#include "client/bench/profile/profile_work.h"
#include "client/bench/server_fleet.h"
#include "client/bench/stop_signal.h"
#include "client/bench/work_folder.h"
#include "client/transport/embedded.h"
#include "client/transport/grpc_stub.h"
#include "quire/byte_size.h"
#include "quire/filesystem.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload
ABSL_DECLARE_FLAG(quire::ByteSize, cache);
ABSL_DECLARE_FLAG(quire::ByteSize, dirty_limit);
ABSL_DECLARE_FLAG(std::string, server_options);

ABSL_FLAG(uint64_t, profile_records, 100000, "profile: records that are read, and most written");
ABSL_FLAG(uint32_t, profile_rounds, 5, "profile: rounds of each kind of work");
ABSL_FLAG(uint32_t, profile_ms, 500, "profile: how long one kind of work runs in a round");
ABSL_FLAG(std::vector<std::string>, profile_in_flight, std::vector<std::string>({"1", "8", "64"}),
          "profile: requests in flight, parted by commas");
ABSL_FLAG(std::vector<std::string>, profile_way, std::vector<std::string>({"grpc", "embedded"}),
          "profile: how the volume is reached: grpc, embedded");

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr char kVolume[] = "$DATA01";
constexpr uint32_t kMostInFlight = 1024;

// One way to reach a volume, with the source of its profile.
struct Way {
  bool embedded = false;
  std::unique_ptr<ServerFleet> fleet;  // not embedded
  std::unique_ptr<ProfileSource> source;
  std::shared_ptr<Service> unary;
  std::unique_ptr<FileSystem> file_system;
  std::unique_ptr<ProfileWorker> worker;  // first to go
};

absl::StatusOr<Way> OverGrpc(const std::string& directory, const MadeRecords* records) {
  const std::string profile = (fs::path(directory) / "profile.json").string();
  FleetOptions options;
  options.program = ProgramBeside("quire-volume");
  options.directory = directory;
  options.volumes = {kVolume};
  options.cache_bytes = absl::GetFlag(FLAGS_cache).bytes;
  options.dirty_limit_bytes = absl::GetFlag(FLAGS_dirty_limit).bytes;
  options.arguments = {StrCat("--profile=", profile)};
  Way way;
  absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options);
  if (!fleet.ok()) return fleet.status();
  way.fleet = *std::move(fleet);
  way.source = ServerProfile(way.fleet->pids().at(0), profile);
  way.unary = MakeGrpcStub({.address = way.fleet->addresses().begin()->second});
  absl::StatusOr<std::unique_ptr<FileSystem>> file_system =
      FileSystem::Connect({.volumes = way.fleet->addresses(), .client_name = "quire-bench"});
  if (!file_system.ok()) return file_system.status();
  way.file_system = *std::move(file_system);
  way.worker = std::make_unique<ProfileWorker>(way.file_system.get(), way.unary, kVolume, records);
  return way;
}

absl::StatusOr<Way> Embedded(const std::string& directory, const MadeRecords* records) {
  Way way;
  way.embedded = true;
  way.source = OwnProfile();
  if (way.source == nullptr) return NoProfile("of this process", "the kernel has no timer left");
  EmbeddedOptions options;
  options.directory = directory;
  options.volumes = {kVolume};
  options.volume.cache_bytes = absl::GetFlag(FLAGS_cache).bytes;
  options.volume.dirty_limit_bytes = absl::GetFlag(FLAGS_dirty_limit).bytes;
  absl::StatusOr<std::map<std::string, std::shared_ptr<Service>>> volumes =
      OpenEmbeddedVolumes(options);
  if (!volumes.ok()) return volumes.status();
  way.unary = volumes->at(kVolume);
  way.file_system = FileSystem::Over(*std::move(volumes), "quire-bench");
  way.worker = std::make_unique<ProfileWorker>(way.file_system.get(), way.unary, kVolume, records);
  return way;
}

absl::StatusOr<std::vector<Way>> MakeWays(const std::string& directory,
                                          const MadeRecords* records) {
  std::vector<Way> ways;
  for (const std::string& name : absl::GetFlag(FLAGS_profile_way)) {
    const std::string folder = (fs::path(directory) / name).string();
    std::error_code failed;
    fs::create_directory(folder, failed);
    if (failed) return CannotOpen(folder, failed.value());
    absl::StatusOr<Way> way = BadOption("profile-way", "must be grpc, embedded or both");
    if (name == "grpc") way = OverGrpc(folder, records);
    if (name == "embedded") way = Embedded(folder, records);
    if (!way.ok()) return way.status();
    if (absl::Status s = way->worker->Prepare(); !s.ok()) return s;
    ways.push_back(*std::move(way));
  }
  return ways;
}

absl::StatusOr<ProfileRound> RunOnce(Way& way, const ProfileCell& cell) {
  if (absl::Status s = way.worker->Before(cell.work); !s.ok()) return s;
  const absl::StatusOr<ActivitySamples> before = way.source->Take();
  if (!before.ok()) return before.status();
  const ProcessFigures client_before = OwnProcess();
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<uint64_t> done = way.worker->Run(
      cell.work, cell.in_flight, absl::Milliseconds(absl::GetFlag(FLAGS_profile_ms)));
  if (!done.ok()) return done.status();
  ProfileRound round;
  round.requests = std::max<uint64_t>(*done, 1);
  round.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  round.client_s = (OwnProcess() - client_before).cpu_busy_s;
  const absl::StatusOr<ActivitySamples> after = way.source->Take();
  if (!after.ok()) return after.status();
  round.samples = *after - *before;
  if (absl::Status s = way.worker->After(cell.work); !s.ok()) return s;
  return round;
}

absl::StatusOr<std::vector<uint32_t>> InFlight() {
  std::vector<uint32_t> numbers;
  for (const std::string& text : absl::GetFlag(FLAGS_profile_in_flight)) {
    uint32_t number = 0;
    if (!absl::SimpleAtoi(text, &number) || number == 0 || number > kMostInFlight) {
      return BadOption("profile-in-flight", "must be numbers from 1 to 1024");
    }
    numbers.push_back(number);
  }
  return numbers;
}

// A load stream keeps its own number of chunks under way: it comes once.
std::vector<ProfileCell> CellsOf(bool embedded, const std::vector<uint32_t>& in_flight) {
  std::vector<ProfileCell> cells;
  for (const ProfileWork work : kProfileWorks) {
    for (const uint32_t number : in_flight) {
      if (work == ProfileWork::kLoad && number != in_flight.front()) continue;
      cells.push_back({.work = work, .in_flight = number, .embedded = embedded, .rounds = {}});
    }
  }
  return cells;
}

// All kinds in each round, so that what the machine does besides hits all of them alike.
absl::StatusOr<std::vector<ProfileCell>> Measure(std::vector<Way>& ways,
                                                 const std::vector<uint32_t>& in_flight) {
  std::vector<std::pair<Way*, ProfileCell>> all;
  for (Way& way : ways) {
    for (ProfileCell& cell : CellsOf(way.embedded, in_flight)) {
      all.emplace_back(&way, std::move(cell));
    }
  }
  for (uint32_t round = 0; round < absl::GetFlag(FLAGS_profile_rounds); ++round) {
    for (auto& [way, cell] : all) {
      if (StopRequested()) return Interrupted();
      absl::StatusOr<ProfileRound> one = RunOnce(*way, cell);
      if (!one.ok()) return one.status();
      cell.rounds.push_back(*std::move(one));
    }
  }
  std::vector<ProfileCell> cells;
  for (auto& [way, cell] : all) cells.push_back(std::move(cell));
  return cells;
}

}  // namespace

absl::StatusOr<int> ProfileCommand() {
  const uint64_t records = absl::GetFlag(FLAGS_profile_records);
  const uint32_t rounds = absl::GetFlag(FLAGS_profile_rounds);
  if (records == 0) return BadOption("profile-records", "must be at least 1");
  if (rounds == 0) return BadOption("profile-rounds", "must be at least 1");
  const absl::StatusOr<std::vector<uint32_t>> in_flight = InFlight();
  if (!in_flight.ok()) return in_flight.status();
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  const MadeRecords made(records);
  absl::StatusOr<std::vector<Way>> ways = MakeWays(folder->path(), &made);
  if (!ways.ok()) return ways.status();
  const absl::StatusOr<std::vector<ProfileCell>> cells = Measure(*ways, *in_flight);
  if (!cells.ok()) return cells.status();
  for (Way& way : *ways) {
    way.worker.reset();
    way.file_system.reset();
    way.unary.reset();
    if (way.fleet == nullptr) continue;
    if (absl::Status s = way.fleet->Stop(); !s.ok()) return s;
  }
  ResultPage page("quire-bench profile",
                  StrCat(FigureText(static_cast<double>(records)), " records of ",
                         CountText(MadeRecords::kRecordBytes), " bytes, all in the cache, ",
                         RoundsText(rounds), " of ", absl::GetFlag(FLAGS_profile_ms), " ms"));
  AddProfile(*cells, &page);
  return Publish(page, PublishFlags());
}

}  // namespace bench
}  // namespace quire
