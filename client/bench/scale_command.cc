// quire-bench scale: what an insert, a read and a start cost as a file grows.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "client/bench/child_process.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/made_records.h"
#include "client/bench/number_text.h"
#include "client/bench/output_file.h"
#include "client/bench/page/result_page.h"
#include "client/bench/scale/disc_probe.h"
#include "client/bench/scale/scale_child.h"
#include "client/bench/scale/scale_page.h"
#include "client/bench/scale/sync_spike.h"
#include "client/bench/stop_signal.h"
#include "client/bench/text_file.h"
#include "client/bench/work_folder.h"
#include "quire/byte_size.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload
ABSL_DECLARE_FLAG(quire::ByteSize, cache);
ABSL_DECLARE_FLAG(quire::ByteSize, dirty_limit);

ABSL_FLAG(std::vector<std::string>, scale_steps,
          std::vector<std::string>({"135000", "1350000", "13500000"}),
          "scale: numbers of records, rising");
ABSL_FLAG(bool, scale_largest, false, "scale: a step of 135 million records behind the others");
ABSL_FLAG(uint32_t, scale_rounds, 5,
          "scale: rounds of the steps up to two million records; larger ones run once");
ABSL_FLAG(bool, scale_spike, false,
          "scale: instead, how long a trail's sync takes while LMDB commits beside it");
ABSL_FLAG(std::vector<std::string>, scale_spike_mib, std::vector<std::string>({"64", "256"}),
          "scale: sizes of those commits in MiB");
ABSL_FLAG(std::string, scale_child, "", "scale: load or reopen: the work of a child process");
ABSL_FLAG(uint64_t, scale_records, 0, "scale: records of a child process");
ABSL_FLAG(std::string, scale_result, "", "scale: file for a child's figures");

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestStep = 135000000;
constexpr uint64_t kMostRecordsOfRounds = 2000000;
// Before anything is measured: a record takes half a block, the index and the store's tree little.
constexpr double kAssumedBytesPerRecord = 2200;
constexpr uint64_t kMostWriteRateBytes = uint64_t{4} << 30;
constexpr absl::Duration kLookInterval = absl::Milliseconds(20);

absl::StatusOr<std::vector<uint64_t>> NumbersOf(const char* option,
                                                const std::vector<std::string>& texts) {
  std::vector<uint64_t> numbers;
  for (const std::string& text : texts) {
    uint64_t number = 0;
    if (!absl::SimpleAtoi(text, &number) || number == 0) {
      return BadOption(option, StrCat("\"", text, "\" is not a number above 0"));
    }
    numbers.push_back(number);
  }
  if (numbers.empty()) return BadOption(option, "names nothing");
  return numbers;
}

absl::StatusOr<std::vector<uint64_t>> StepsFromFlags() {
  absl::StatusOr<std::vector<uint64_t>> steps =
      NumbersOf("scale_steps", absl::GetFlag(FLAGS_scale_steps));
  if (!steps.ok()) return steps.status();
  if (absl::GetFlag(FLAGS_scale_largest)) steps->push_back(kLargestStep);
  if (std::adjacent_find(steps->begin(), steps->end(), std::greater_equal<>()) != steps->end()) {
    return BadOption("scale_steps", "the numbers must rise");
  }
  if (steps->back() > 1000000000) return BadOption("scale_steps", "at most 1,000,000,000 records");
  return steps;
}

class Scale {
 public:
  Scale(std::string directory, std::vector<uint64_t> steps)
      : directory_(std::move(directory)), step_records_(std::move(steps)) {}

  absl::StatusOr<std::vector<StepRounds>> Run() {
    std::vector<StepRounds> steps(step_records_.size());
    const uint32_t rounds = absl::GetFlag(FLAGS_scale_rounds);
    for (uint32_t round = 0; round < rounds; ++round) {
      for (size_t i = 0; i < step_records_.size(); ++i) {
        const uint64_t records = step_records_[i];
        if (records > kMostRecordsOfRounds && round > 0) continue;
        absl::StatusOr<StepFigures> step = RunStep(records);
        if (!step.ok()) return step.status();
        bytes_per_record_ = std::max(bytes_per_record_measured_ ? bytes_per_record_ : 0.0,
                                     step->load.disc_bytes / static_cast<double>(records));
        bytes_per_record_measured_ = records >= step_records_.back() / 200;
        std::fprintf(stderr, "%s records: loaded in %.1f s, read, killed, started in %.0f ms\n",
                     CountText(static_cast<int64_t>(records)).c_str(), step->load.placed_s,
                     step->reopen.open_s * 1e3);
        steps[i].push_back(*std::move(step));
      }
    }
    return steps;
  }

 private:
  absl::StatusOr<StepFigures> RunStep(uint64_t records) {
    const double per_record =
        bytes_per_record_measured_ ? bytes_per_record_ : kAssumedBytesPerRecord;
    const uint64_t wanted = DiscBytesWanted(records, per_record);
    const absl::StatusOr<uint64_t> free_bytes = FreeDiscBytes(directory_);
    if (!free_bytes.ok()) return free_bytes.status();
    if (*free_bytes < wanted) {
      return NotEnoughDisc(directory_, records, wanted, *free_bytes);
    }
    std::fprintf(stderr, "%s records: wants %s MB of disc, %s MB are free\n",
                 CountText(static_cast<int64_t>(records)).c_str(),
                 CountText(static_cast<int64_t>(wanted / 1000000)).c_str(),
                 CountText(static_cast<int64_t>(*free_bytes / 1000000)).c_str());
    const absl::StatusOr<WorkFolder> folder = WorkFolder::Make(directory_, /*keep=*/false);
    if (!folder.ok()) return folder.status();
    const absl::StatusOr<double> rate = SustainedWriteRate(
        folder->path(), std::min(static_cast<uint64_t>(static_cast<double>(records) * per_record),
                                 kMostWriteRateBytes));
    if (!rate.ok()) return rate.status();
    StepFigures step;
    step.disc_write_bytes_per_s = *rate;
    const absl::StatusOr<std::string> load = RunChild("load", records, folder->path());
    if (!load.ok()) return load.status();
    absl::StatusOr<LoadFigures> loaded = DecodeLoad(*load);
    if (!loaded.ok()) return loaded.status();
    step.load = *std::move(loaded);
    if (absl::Status s = DropPageCache(folder->path()); !s.ok()) return s;
    const absl::StatusOr<std::string> reopen = RunChild("reopen", records, folder->path());
    if (!reopen.ok()) return reopen.status();
    absl::StatusOr<ReopenFigures> reopened = DecodeReopen(*reopen);
    if (!reopened.ok()) return reopened.status();
    step.reopen = *std::move(reopened);
    return step;
  }

  // Starts the child, waits for its figures, and kills it: a volume that is open then crashes.
  absl::StatusOr<std::string> RunChild(const std::string& work, uint64_t records,
                                       const std::string& folder) {
    const std::string result = StrCat(folder, "/", work, ".json");
    const std::string log = StrCat(folder, "/", work, ".log");
    absl::StatusOr<ChildProcess> child = ChildProcess::Start(
        "/proc/self/exe",
        {"scale", StrCat("--scale_child=", work), StrCat("--scale_records=", records),
         StrCat("--scale_result=", result), StrCat("--directory=", folder, "/volumes"),
         StrCat("--cache=", absl::GetFlag(FLAGS_cache).bytes),
         StrCat("--dirty_limit=", absl::GetFlag(FLAGS_dirty_limit).bytes)},
        log);
    if (!child.ok()) return child.status();
    for (;;) {
      const std::optional<std::string> ended = child->WaitUntil(absl::Now() + kLookInterval);
      std::error_code failed;
      if (fs::exists(result, failed)) break;
      if (StopRequested()) return Interrupted();
      if (ended.has_value()) {
        const absl::StatusOr<std::string> said = ReadTextFile(log);
        return ChildEndedBadly(work, said.ok() ? *said : *ended);
      }
    }
    child->Kill();
    return ReadTextFile(result);
  }

  const std::string directory_;
  const std::vector<uint64_t> step_records_;
  double bytes_per_record_ = kAssumedBytesPerRecord;
  bool bytes_per_record_measured_ = false;
};

// Under another name first: the parent takes what it finds for whole.
absl::Status Hand(const std::string& path, const std::string& text) {
  if (absl::Status s = WriteFile(path + ".new", text); !s.ok()) return s;
  std::error_code failed;
  fs::rename(path + ".new", path, failed);
  return failed ? CannotOpen(path, failed.value()) : absl::OkStatus();
}

absl::StatusOr<int> RunAsChild(const std::string& work) {
  ChildOptions options;
  options.directory = absl::GetFlag(FLAGS_directory);
  options.records = absl::GetFlag(FLAGS_scale_records);
  options.cache_bytes = absl::GetFlag(FLAGS_cache).bytes;
  options.dirty_limit_bytes = absl::GetFlag(FLAGS_dirty_limit).bytes;
  const std::string result = absl::GetFlag(FLAGS_scale_result);
  if (options.records == 0 || result.empty() || options.directory.empty()) {
    return BadOption("scale_child", "wants --scale_records, --scale_result and --directory");
  }
  if (work == "load") {
    absl::Status handed;
    absl::Status done = RunLoadChild(options, [&](const LoadFigures& figures) {
      handed = Hand(result, EncodeLoad(figures));
      while (handed.ok() && !StopRequested()) absl::SleepFor(kLookInterval);  // to be killed
    });
    if (!done.ok()) return done;
    if (!handed.ok()) return handed;
    return kExitDone;
  }
  if (work != "reopen") return BadOption("scale_child", "load or reopen");
  const absl::StatusOr<ReopenFigures> figures = RunReopenChild(options);
  if (!figures.ok()) return figures.status();
  if (absl::Status s = Hand(result, EncodeReopen(*figures)); !s.ok()) return s;
  return kExitDone;
}

absl::StatusOr<int> RunSpike(const std::string& directory) {
  const absl::StatusOr<std::vector<uint64_t>> sizes =
      NumbersOf("scale_spike_mib", absl::GetFlag(FLAGS_scale_spike_mib));
  if (!sizes.ok()) return sizes.status();
  SpikeOptions options;
  options.directory = directory;
  options.rounds = absl::GetFlag(FLAGS_scale_rounds);
  for (const uint64_t mebibytes : *sizes) options.commit_bytes.push_back(mebibytes << 20);
  const absl::StatusOr<std::vector<SpikeFigures>> figures = RunSyncSpike(options);
  if (!figures.ok()) return figures.status();
  return Publish(SpikePage(*figures), PublishFlags());
}

}  // namespace

absl::StatusOr<int> ScaleCommand() {
  if (const std::string work = absl::GetFlag(FLAGS_scale_child); !work.empty()) {
    return RunAsChild(work);
  }
  if (absl::GetFlag(FLAGS_scale_rounds) == 0) {
    return BadOption("scale_rounds", "must be at least 1");
  }
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  if (absl::GetFlag(FLAGS_scale_spike)) return RunSpike(folder->path());
  const absl::StatusOr<std::vector<uint64_t>> step_records = StepsFromFlags();
  if (!step_records.ok()) return step_records.status();
  const absl::StatusOr<std::vector<StepRounds>> steps = Scale(folder->path(), *step_records).Run();
  if (!steps.ok()) return steps.status();
  return Publish(
      ScalePage(*steps, StrCat("Records of ", CountText(MadeRecords::kRecordBytes),
                               " bytes, BUFFERED, 100 rising runs in turn, embedded; cache ",
                               absl::GetFlag(FLAGS_cache).bytes >> 20, " MiB, dirty limit ",
                               absl::GetFlag(FLAGS_dirty_limit).bytes >> 20, " MiB")),
      PublishFlags());
}

}  // namespace bench
}  // namespace quire
