// quire-bench csvload: the article's three loads, measured.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "absl/cleanup/cleanup.h"
#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/strings/str_split.h"
#include "client/bench/checks.h"
#include "client/bench/commands.h"
#include "client/bench/csvload_output.h"
#include "client/bench/errors.h"
#include "client/bench/input_flags.h"
#include "client/bench/load_case.h"
#include "client/bench/page/result_page.h"
#include "client/bench/progress_bar.h"
#include "client/bench/runner.h"
#include "client/bench/server_fleet.h"
#include "client/bench/stop_signal.h"
#include "client/bench/work_folder.h"
#include "client/filesystem/connect_flags.h"
#include "quire/byte_size.h"
#include "quire/limits.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, embedded);  // of connect_flags

ABSL_FLAG(std::string, configurations, "A,B,C,D,E",
          "csvload: configurations to run, in this order");
ABSL_FLAG(bool, one_at_a_time, true, "csvload: run them with each reply awaited");
ABSL_FLAG(bool, pipelined, false,
          "csvload: run them also with many operations under way (4,096 unless --in-flight says)");
ABSL_FLAG(uint32_t, in_flight, 0,
          "csvload: operations under way when pipelined; giving it implies --pipelined");
ABSL_FLAG(uint32_t, batch, 64, "csvload: operations of one message when pipelined");
ABSL_FLAG(uint32_t, repeat, 1, "csvload: how often each run is done");
ABSL_FLAG(std::string, directory, "",
          "csvload: where servers started here keep their data; default: a temporary folder");
ABSL_FLAG(bool, keep, false, "csvload: leave the data of servers started here");
ABSL_FLAG(quire::ByteSize, cache, quire::ByteSize{quire::kDefaultCacheBytes},
          "csvload: block cache of all servers started here together");
ABSL_FLAG(quire::ByteSize, dirty_limit, quire::ByteSize{quire::kDefaultDirtyLimitBytes},
          "csvload: dirty memory of all servers started here together");
ABSL_FLAG(std::string, server_options, "",
          "csvload: further options for the servers started here, separated by blanks");

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kDefaultInFlight = 4096;
constexpr uint32_t kMaxInFlight = kSessionCredits * kMaxBatchOperations;

absl::StatusOr<std::vector<LoadCase>> CasesFromFlags() {
  absl::StatusOr<std::vector<Config>> configs = ParseConfigs(absl::GetFlag(FLAGS_configurations));
  if (!configs.ok()) return configs.status();
  const uint32_t given_in_flight = absl::GetFlag(FLAGS_in_flight);
  const bool pipelined = absl::GetFlag(FLAGS_pipelined) || given_in_flight > 0;
  const uint32_t in_flight = given_in_flight > 0 ? given_in_flight : kDefaultInFlight;
  const uint32_t batch = absl::GetFlag(FLAGS_batch);
  if (in_flight > kMaxInFlight) return BadOption("in-flight", StrCat("at most ", kMaxInFlight));
  if (batch < 1 || batch > kMaxBatchOperations) {
    return BadOption("batch", StrCat("must be 1 to ", kMaxBatchOperations));
  }
  const uint32_t repeats = absl::GetFlag(FLAGS_repeat);
  std::vector<LoadCase> cases;
  for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
    if (absl::GetFlag(FLAGS_one_at_a_time)) {
      for (Config config : *configs) cases.push_back({.config = config});
    }
    if (pipelined) {
      for (Config config : *configs) {
        cases.push_back({.config = config, .in_flight = in_flight, .batch = batch});
      }
    }
  }
  if (cases.empty()) return BadOption("one-at-a-time", "nothing is left to run");
  return cases;
}

class Csvload {
 public:
  Csvload(InputOptions input, uint64_t expected_records, std::string servers_option)
      : input_(std::move(input)),
        expected_records_(expected_records),
        servers_option_(std::move(servers_option)),
        progress_(ProgressBar::IsTerminal()) {}

  absl::StatusOr<RunResult> Run(const LoadCase& load_case) {
    return servers_option_.empty() ? RunOnOwnServers(load_case) : RunOnGivenServers(load_case);
  }

 private:
  absl::StatusOr<RunResult> RunOnOwnServers(const LoadCase& load_case) {
    absl::StatusOr<WorkFolder> folder =
        WorkFolder::Make(absl::GetFlag(FLAGS_directory), absl::GetFlag(FLAGS_keep));
    if (!folder.ok()) return folder.status();
    FleetOptions options;
    options.program = ProgramBeside("quire-volume");
    options.directory = folder->path();
    options.volumes = VolumesOf(load_case.config);
    options.cache_bytes = absl::GetFlag(FLAGS_cache).bytes;
    options.dirty_limit_bytes = absl::GetFlag(FLAGS_dirty_limit).bytes;
    options.arguments = absl::StrSplit(absl::GetFlag(FLAGS_server_options), ' ', absl::SkipEmpty());
    progress_.Start(StrCat(TitleOf(load_case), ": starting servers"), 0);
    progress_.Show(0);
    absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options);
    if (!fleet.ok()) return fleet.status();
    absl::StatusOr<std::unique_ptr<FileSystem>> file_system = FileSystem::Connect(
        {.router = "", .volumes = (*fleet)->addresses(), .client_name = "quire-bench"});
    if (!file_system.ok()) return file_system.status();

    RunPlace place;
    place.file_system = file_system->get();
    place.transport = "grpc";
    place.server_pids = (*fleet)->pids();
    place.memory_limit_bytes =
        options.volumes.size() *
        ((*fleet)->cache_share_bytes() + (*fleet)->dirty_share_bytes() + kMemoryAllowanceBytes);
    place.directory = folder->path();
    absl::StatusOr<RunResult> result =
        RunLoad(load_case, input_, place, expected_records_, &progress_);
    file_system->reset();
    const absl::Status stopped = (*fleet)->Stop();
    if (result.ok() && !stopped.ok()) return stopped;
    return result;
  }

  // A folder of the volume's name is what makes an embedded volume.
  static absl::Status MakeEmbeddedVolumes(Config config) {
    const fs::path directory = absl::GetFlag(FLAGS_embedded);
    for (const std::string& volume : VolumesOf(config)) {
      std::error_code failed;
      fs::create_directories(directory / volume.substr(1), failed);
      if (failed) return CannotOpen((directory / volume.substr(1)).string(), failed.value());
    }
    return absl::OkStatus();
  }

  absl::StatusOr<RunResult> RunOnGivenServers(const LoadCase& load_case) {
    const bool embedded = servers_option_ == "embedded";
    if (embedded) {
      if (absl::Status made = MakeEmbeddedVolumes(load_case.config); !made.ok()) return made;
    }
    absl::StatusOr<std::unique_ptr<FileSystem>> file_system = ConnectFromFlags("quire-bench");
    if (!file_system.ok()) return file_system.status();
    RunPlace place;
    place.file_system = file_system->get();
    place.transport = servers_option_ == "volumes" ? "grpc" : servers_option_;
    if (embedded) place.directory = absl::GetFlag(FLAGS_embedded);
    place.purge_after = true;
    return RunLoad(load_case, input_, place, expected_records_, &progress_);
  }

  const InputOptions input_;
  const uint64_t expected_records_;
  const std::string servers_option_;
  ProgressBar progress_;
};

// Makes up the input when none is given; the folder holds it while the runs last.
absl::Status MakeInput(const WorkFolder& folder, InputOptions* input) {
  const GeneratorOptions options = GeneratorFromFlags();
  input->path = (fs::path(folder.path()) / "report.txt").string();
  ProgressBar progress(ProgressBar::IsTerminal());
  progress.Start("making up the report text", options.records);
  return WriteReport(options, input->path, [&progress](uint64_t done) {
    progress.Show(done);
    return !StopRequested();
  });
}

}  // namespace

absl::StatusOr<int> CsvloadCommand(const std::string& servers_option) {
  absl::StatusOr<InputOptions> input = InputFromFlags();
  if (!input.ok()) return input.status();
  const absl::StatusOr<std::vector<LoadCase>> cases = CasesFromFlags();
  if (!cases.ok()) return cases.status();
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  uint64_t expected_records = 0;
  if (input->path.empty()) {
    if (absl::Status made = MakeInput(*folder, &*input); !made.ok()) return made;
    expected_records = GeneratorFromFlags().records;
  }
  Csvload csvload(*input, expected_records, servers_option);
  std::vector<RunResult> runs;
  for (const LoadCase& load_case : *cases) {
    absl::StatusOr<RunResult> run = csvload.Run(load_case);
    if (!run.ok()) return run.status();
    std::puts(RunLine(*run).c_str());
    std::fflush(stdout);
    runs.push_back(*std::move(run));
  }
  const std::vector<Check> checks = CheckRuns(runs);
  std::fputs(RenderCsvload(runs, checks).c_str(), stdout);
  const PublishOptions publish = PublishFlags();
  const absl::Status saved = SaveCsvload(runs, checks, publish.json, publish.html);
  if (!saved.ok()) return saved;
  const bool met =
      AllMet(checks, CheckKind::kCounter) && (!publish.strict || AllMet(checks, CheckKind::kTime));
  return met ? kExitDone : kExitMissed;
}

}  // namespace bench
}  // namespace quire
