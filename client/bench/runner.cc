#include "client/bench/runner.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/time/clock.h"
#include "client/bench/loader.h"
#include "client/bench/read_back.h"
#include "client/bench/run_counters.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

double SecondsSince(absl::Time start) {
  return absl::ToDoubleSeconds(absl::Now() - start);
}

absl::Status RefreshAll(FileSystem* file_system, const std::vector<std::string>& volumes) {
  for (const std::string& volume : volumes) {
    absl::StatusOr<RefreshAnswer> refreshed = file_system->Refresh(volume);
    if (!refreshed.ok()) return refreshed.status();
  }
  return absl::OkStatus();
}

// The load itself, its control point and its close: everything that is timed.
absl::StatusOr<uint64_t> LoadAndPlace(const InputOptions& input, const RunPlace& place,
                                      uint64_t expected_records, ProgressBar* progress,
                                      RunResult* result) {
  const LoadCase& load_case = result->load_case;
  absl::StatusOr<std::unique_ptr<RecordSource>> source = OpenRecords(input);
  if (!source.ok()) return source.status();
  absl::StatusOr<std::unique_ptr<File>> file =
      place.file_system->Open(FileOf(load_case.config), {.batch_operations = load_case.batch});
  if (!file.ok()) return file.status();
  const uint64_t open_id = (*file)->open_id();

  progress->Start(StrCat(TitleOf(load_case), ": writing"), expected_records);
  const ProcessFigures client_start = OwnProcess();
  const absl::Time start = absl::Now();
  absl::StatusOr<uint64_t> written =
      LoadRecords(source->get(), file->get(), load_case.in_flight, [&](uint64_t done) {
        progress->Show(done);
        return true;
      });
  if (!written.ok()) return written.status();
  result->elapsed_s = SecondsSince(start);
  result->client = OwnProcess() - client_start;
  result->records = *written;

  progress->Start(StrCat(TitleOf(load_case), ": control point"), 0);
  absl::Status placed = RefreshAll(place.file_system, VolumesOf(load_case.config));
  if (!placed.ok()) return placed;
  result->placed_s = SecondsSince(start);
  if (absl::Status closed = (*file)->Close(); !closed.ok()) return closed;
  return open_id;
}

absl::Status FillFileFigures(FileSystem* file_system, RunResult* result) {
  absl::StatusOr<FileDescription> description = file_system->Info(FileOf(result->load_case.config));
  if (!description.ok()) return description.status();
  const auto add = [result](const FileInfo& info) {
    result->eof += static_cast<int64_t>(info.eof_bytes);
    result->index_levels = std::max<int64_t>(result->index_levels, info.index_levels);
  };
  add(description->primary);
  for (const absl::StatusOr<FileInfo>& secondary : description->secondaries) {
    if (!secondary.ok()) return secondary.status();
    add(*secondary);
  }
  return absl::OkStatus();
}

absl::Status ReadBack(const InputOptions& input, const FileAttributes& attributes,
                      FileSystem* file_system, ProgressBar* progress, RunResult* result) {
  progress->Start(StrCat(TitleOf(result->load_case), ": sorting the input"), 0);
  absl::StatusOr<std::unique_ptr<RecordSource>> source = OpenRecords(input);
  if (!source.ok()) return source.status();
  const absl::StatusOr<ExpectedRecords> expected =
      ExpectedRecords::Read(source->get(), attributes.key_offset, attributes.key_length);
  if (!expected.ok()) return expected.status();
  result->in_article_order = !input.csv && expected->in_article_order();

  progress->Start(StrCat(TitleOf(result->load_case), ": reading back"), expected->size());
  absl::StatusOr<std::unique_ptr<File>> file =
      file_system->Open(FileOf(result->load_case.config), {.access = AccessMode::kRead});
  if (!file.ok()) return file.status();
  absl::StatusOr<ReadBackResult> compared =
      CompareWithFile(*expected, file->get(), [progress](uint64_t done) {
        progress->Show(done);
        return true;
      });
  if (!compared.ok()) return compared.status();
  result->verified = compared->verified && result->records == expected->size();
  result->difference = compared->difference;
  return (*file)->Close();
}

}  // namespace

absl::StatusOr<RunResult> RunLoad(const LoadCase& load_case, const InputOptions& input,
                                  const RunPlace& place, uint64_t expected_records,
                                  ProgressBar* progress) {
  RunResult result;
  result.load_case = load_case;
  result.partitions = PartitionsOf(load_case.config);
  result.transport = place.transport;
  result.record_bytes = input.record_bytes;
  result.memory_limit_bytes = place.memory_limit_bytes;
  const FileName name = FileOf(load_case.config);
  const std::vector<std::string> volumes = VolumesOf(load_case.config);
  const FileAttributes attributes = AttributesOf(load_case.config, input);

  absl::StatusOr<FileInfo> created = place.file_system->Create(name, attributes);
  if (!created.ok()) return created.status();
  // The run's own error is the one to tell; a purge that fails leaves a file behind, no more.
  absl::Cleanup purge = [&] { place.file_system->Purge(name).IgnoreError(); };

  const absl::StatusOr<MeasureSnapshot> start = TakeSnapshot(place.file_system, volumes);
  if (!start.ok()) return start.status();
  std::optional<MemorySampler> sampler;
  if (!place.server_pids.empty()) sampler.emplace(place.server_pids);

  const absl::StatusOr<uint64_t> open_id =
      LoadAndPlace(input, place, expected_records, progress, &result);
  if (!open_id.ok()) return open_id.status();
  const absl::StatusOr<MeasureSnapshot> end = TakeSnapshot(place.file_system, volumes);
  if (!end.ok()) return end.status();
  if (absl::Status filled = FillCounters(*start, *end, *open_id, &result); !filled.ok()) {
    return filled;
  }
  if (absl::Status filled = FillFileFigures(place.file_system, &result); !filled.ok()) {
    return filled;
  }
  if (!place.directory.empty()) result.disc_bytes = DirectoryBytes(place.directory);
  absl::Status read = ReadBack(input, attributes, place.file_system, progress, &result);
  if (!read.ok()) return read;
  if (sampler.has_value()) result.server_peak_anon_bytes = sampler->Finish();
  progress->Clear();
  if (!place.purge_after) std::move(purge).Cancel();
  return result;
}

}  // namespace bench
}  // namespace quire
