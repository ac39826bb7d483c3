// How fast recovery replays the audit trail: what the rates of recovery_estimate.cc stand on.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "quire/file_name.h"
#include "server/base/check.h"
#include "server/volume/volume.h"

namespace quire {
namespace {

constexpr uint32_t kKeyBytes = 8;
constexpr uint32_t kLoadChunk = 100;
// Far from each other, so that the change of every record meets another block.
constexpr uint64_t kStride = 7919;

VolumeOptions OptionsFor(const std::string& directory) {
  VolumeOptions options;
  options.name = "$DATA01";
  options.directory = directory;
  options.capacity_bytes = uint64_t{8} << 30;
  options.cache_bytes = uint64_t{1} << 30;
  options.dirty_limit_bytes = uint64_t{512} << 20;
  options.trail_limit_bytes = uint64_t{2} << 30;
  options.recovery_target_ms = 3600 * 1000;
  options.control_point_interval_ms = 3600 * 1000;
  return options;
}

template <typename T, typename Call>
T Wait(Call call) {
  std::promise<absl::StatusOr<T>> answer;
  std::future<absl::StatusOr<T>> answered = answer.get_future();
  call([&answer](absl::StatusOr<T> result) { answer.set_value(std::move(result)); });
  absl::StatusOr<T> result = answered.get();
  QUIRE_CHECK(result.ok());
  return *std::move(result);
}

void Load(Volume& volume, bool audit, uint32_t records, uint32_t record_bytes) {
  CreateRequest create;
  create.name = *ParseFileName("$DATA01.BENCH.FILE");
  create.attributes.key_length = kKeyBytes;
  create.attributes.record_bytes = record_bytes;
  create.attributes.extents = {100000, 100000};
  create.attributes.audit = audit;
  Wait<FileInfo>([&](Done<FileInfo> done) { volume.Create(create, std::move(done)); });
  LoadRequest request;
  request.file.name = create.name;
  const std::unique_ptr<LoadStream> load = volume.Load(request);
  for (uint32_t i = 0; i < records;) {
    RecordChunk chunk;
    for (uint32_t in_chunk = 0; in_chunk < kLoadChunk && i < records; ++in_chunk, ++i) {
      const std::string digits = std::to_string(i * kStride % records);
      std::string record(kKeyBytes - digits.size(), '0');
      record += digits;
      record.resize(record_bytes, 'x');
      chunk.data += record;
      chunk.lengths.push_back(record_bytes);
    }
    Wait<LoadAnswer>([&](Done<LoadAnswer> done) { load->Send(std::move(chunk), std::move(done)); });
  }
}

void Recovery(benchmark::State& state, bool audit) {
  RecoveryReport report;
  for (auto _ : state) {
    std::string directory = (std::filesystem::temp_directory_path() / "quire-XXXXXX").string();
    QUIRE_CHECK(mkdtemp(directory.data()) != nullptr);
    {
      const auto volume = *Volume::Open(OptionsFor(directory));
      Load(*volume, audit, static_cast<uint32_t>(state.range(0)),
           static_cast<uint32_t>(state.range(1)));
      volume->Crash();
    }
    report = (*Volume::Open(OptionsFor(directory)))->Recovered();
    state.SetIterationTime(static_cast<double>(report.micros) * 1e-6);
    std::filesystem::remove_all(directory);
  }
  state.SetLabel(TextOf(report));
}
BENCHMARK_CAPTURE(Recovery, redo, true)
    ->Args({100'000, 1676})
    ->Args({100'000, 100})
    ->Iterations(2)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Recovery, images, false)
    ->Args({50'000, 1676})
    ->Iterations(2)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quire
