#include "client/bench/lookaside/lookaside_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "client/bench/errors.h"
#include "client/bench/lookaside/swapped_memory.h"
#include "client/bench/splitmix.h"
#include "client/bench/stop_signal.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kFewestRecords = 200;
constexpr uint64_t kSmallestCacheBytes = 256 << 10;

// The same reads for every way.
class Ranks {
 public:
  Ranks(const LookasideCase& one, uint64_t seed)
      : order_(one.order), records_(one.file.records), random_(seed), next_(seed % records_) {}

  uint64_t Next() {
    switch (order_) {
      case ReadOrder::kInTurn:
        next_ = (next_ + 1) % records_;
        return next_;
      case ReadOrder::kSkewed:
        if (random_.Below(10) > 0) return random_.Below(std::max<uint64_t>(1, records_ / 10));
        break;
      case ReadOrder::kUniform:
        break;
    }
    return random_.Below(records_);
  }

 private:
  const ReadOrder order_;
  const uint64_t records_;
  SplitMix64 random_;
  uint64_t next_;
};

struct OpenWay {
  LookasideVolume volume;
  WayResult result;
};

std::vector<LookasideWay> WaysOf(const LookasideCase& one, SwappedMemory* swapped) {
  std::vector<LookasideWay> ways;
  if (one.freezing) {
    ways = {{.name = "NOFREEZE", .lookaside = Lookaside::kNoFreeze},
            {.name = "FREEZE", .lookaside = Lookaside::kFreeze}};
  } else {
    ways = {{.name = "never", .data_keeping = KeepData::kNever},
            {.name = "always", .data_keeping = KeepData::kAlways},
            {.name = "measured", .data_keeping = KeepData::kMeasured}};
  }
  if (swapped == nullptr) return ways;
  for (LookasideWay& way : ways) {
    way.before_cached_use = [swapped](absl::Span<const char> image) { swapped->Use(image); };
  }
  return ways;
}

absl::Status Copy(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy(from, to, fs::copy_options::recursive, error);
  if (!error) return absl::OkStatus();
  return MakeError(ErrorNumber::kNoDiscSpace,
                   StrCat("cannot copy ", from, " to ", to, ": ", error.message()));
}

absl::Status Warm(const LookasideCase& one, OpenWay& way) {
  Ranks ranks(one, /*seed=*/1);
  for (uint64_t read = 0; read < one.warm_reads; ++read) {
    if (absl::Status s = way.volume.Read(ranks.Next()); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status Round(const LookasideCase& one, uint64_t seed, OpenWay& way) {
  const absl::StatusOr<int64_t> index_before = way.volume.Disc("INDEX-READS");
  if (!index_before.ok()) return index_before.status();
  Ranks ranks(one, seed);
  const auto begun = std::chrono::steady_clock::now();
  for (uint64_t read = 0; read < one.round_reads; ++read) {
    if (absl::Status s = way.volume.Read(ranks.Next()); !s.ok()) return s;
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begun;
  const absl::StatusOr<int64_t> index_after = way.volume.Disc("INDEX-READS");
  if (!index_after.ok()) return index_after.status();
  const auto reads = static_cast<double>(one.round_reads);
  way.result.read_us.push_back(took.count() / reads);
  way.result.index_reads.push_back(static_cast<double>(*index_after - *index_before) / reads);
  return absl::OkStatus();
}

absl::Status FillCounters(OpenWay& way) {
  absl::Status failure;
  const auto count = [&](std::string_view name) {
    const absl::StatusOr<int64_t> value = way.volume.Disc(name);
    failure.Update(value.status());
    return static_cast<double>(value.value_or(0));
  };
  const auto mean = [](double sum, double samples) { return samples > 0 ? sum / samples : 0; };
  way.result.found = mean(count("CACHE-HITS"), count("DRIVER-INPUT-CALLS"));
  way.result.decisions = static_cast<int64_t>(count("LOOKASIDE-DECISIONS"));
  way.result.cached_us = mean(count("LOOKASIDE-CACHED-TIME"), count("LOOKASIDE-CACHED-SAMPLES"));
  way.result.store_us = mean(count("LOOKASIDE-STORE-TIME"), count("LOOKASIDE-STORE-SAMPLES"));
  way.result.frozen_blocks = static_cast<int64_t>(count("LOOKASIDE-FROZEN-BLOCKS"));
  return failure;
}

}  // namespace

std::vector<LookasideCase> PublishedCases(uint32_t scale_percent) {
  std::vector<LookasideCase> cases = {
      {.name = "many small objects, all in cache",
       .what = "300,000 records of 100 bytes, cache of 64 MiB, nine of ten reads to a tenth",
       .file = {4096, 100, 12, 300000, 64 * kMiB},
       .order = ReadOrder::kSkewed,
       .warm_reads = 200000,
       .round_reads = 40000},
      {.name = "many small objects, a cache much smaller",
       .what = "300,000 records of 100 bytes, cache of 2 MiB, any record",
       .file = {4096, 100, 12, 300000, 2 * kMiB},
       .order = ReadOrder::kUniform,
       .warm_reads = 100000,
       .round_reads = 40000},
      {.name = "few large objects, in turn",
       .what = "3,000 records of 27,000 bytes in blocks of 32,768, cache of 16 MiB, one after the "
               "other",
       .file = {32768, 27000, 12, 3000, 16 * kMiB},
       .order = ReadOrder::kInTurn,
       .warm_reads = 30000,
       .round_reads = 9000},
      {.name = "a cache larger than memory to spare",
       .what = "300,000 records of 100 bytes, cache of 64 MiB, half of its frames in swap",
       .file = {4096, 100, 12, 300000, 64 * kMiB},
       .order = ReadOrder::kUniform,
       .swapped = true,
       // After a decision to stop, what is cached leaves with its next use: long enough for that.
       .warm_reads = 80000,
       .round_reads = 4000},
      {.name = "a cache smaller than the index",
       .what =
           "30,000 records of 150 bytes, keys of 140, blocks of 512, cache of 1 MiB, any record",
       .file = {512, 150, 140, 30000, kMiB},
       .order = ReadOrder::kUniform,
       .freezing = true,
       .warm_reads = 60000,
       .round_reads = 20000}};
  for (LookasideCase& one : cases) {
    if (scale_percent == 100) break;
    const auto scaled = [scale_percent](uint64_t figure) { return figure * scale_percent / 100; };
    one.file.records = std::max(kFewestRecords, scaled(one.file.records));
    one.file.cache_bytes = std::max(kSmallestCacheBytes, scaled(one.file.cache_bytes));
    one.warm_reads = scaled(one.warm_reads);
    one.round_reads = std::max<uint64_t>(1, scaled(one.round_reads));
    one.what = StrCat(one.what, "; of all figures ", scale_percent, " %");
  }
  return cases;
}

absl::StatusOr<CaseResult> RunCase(const LookasideCase& one, uint32_t rounds,
                                   const std::string& directory) {
  const std::string loaded = directory + "/loaded";
  if (absl::Status s = LookasideVolume::Load(one.file, loaded); !s.ok()) return s;
  std::unique_ptr<SwappedMemory> swapped;
  if (one.swapped) {
    absl::StatusOr<std::unique_ptr<SwappedMemory>> made =
        SwappedMemory::Make(directory + "/swapped");
    if (!made.ok()) return made.status();
    swapped = *std::move(made);
  }
  std::vector<OpenWay> ways;
  for (const LookasideWay& way : WaysOf(one, swapped.get())) {
    const std::string copy = StrCat(directory, "/", way.name);
    if (absl::Status s = Copy(loaded, copy); !s.ok()) return s;
    absl::StatusOr<LookasideVolume> volume = LookasideVolume::Open(one.file, way, copy);
    if (!volume.ok()) return volume.status();
    ways.push_back(OpenWay{*std::move(volume), {.name = way.name}});
    if (absl::Status s = Warm(one, ways.back()); !s.ok()) return s;
  }
  for (uint32_t round = 0; round < rounds; ++round) {
    if (StopRequested()) return Interrupted();
    for (OpenWay& way : ways) {
      if (absl::Status s = Round(one, round + 2, way); !s.ok()) return s;
    }
  }
  CaseResult result{one, {}};
  for (OpenWay& way : ways) {
    if (absl::Status s = FillCounters(way); !s.ok()) return s;
    result.ways.push_back(std::move(way.result));
  }
  return result;
}

}  // namespace bench
}  // namespace quire
