#include "tests/unit/bench/test_text.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "client/bench/checks.h"
#include "client/bench/expected.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

void WriteText(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  ASSERT_TRUE(file.good()) << path;
}

}  // namespace

TestFolder::TestFolder() : path_((fs::temp_directory_path() / "quire-bench-test-XXXXXX").string()) {
  EXPECT_NE(mkdtemp(path_.data()), nullptr);
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TestFolder::Make(const std::string& name, std::string_view text) const {
  const std::string path = path_ + "/" + name;
  WriteText(path, text);
  return path;
}

void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(QUIRE_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("QUIRE_REWRITE_GOLDEN") != nullptr) {
    WriteText(path, text);
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file.good()) << path << " is missing; QUIRE_REWRITE_GOLDEN=1 writes it";
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(golden.str(), text) << "differs from " << path;
}

absl::StatusOr<bool> ListedRecords::Next(std::string* record) {
  if (next_ == records_.size()) return false;
  *record = records_[next_++];
  return true;
}

RunResult GoodRun(Config config, bool pipelined, uint64_t records) {
  RunResult run;
  run.load_case = {
      .config = config, .in_flight = pipelined ? 4096u : 1u, .batch = pipelined ? 64u : 1u};
  run.partitions = PartitionsOf(config);
  run.transport = "grpc";
  run.records = records;
  run.record_bytes = kArticleRecordBytes;
  run.in_article_order = true;
  run.verified = true;
  double slow_s = config == Config::kB ? 10 : 11;
  if (IsWriteThrough(config)) slow_s = 50;
  if (IsAudited(config)) slow_s = 40;
  run.elapsed_s = pipelined ? 1.9 : slow_s;
  run.placed_s = run.elapsed_s + 0.4;
  run.client = {.cpu_busy_s = 3.5, .dispatches = 270000, .ready_s = 3.8};
  run.server = ProcessFigures{.cpu_busy_s = 6.25, .dispatches = 410000, .ready_s = 6.9};
  run.server_peak_anon_bytes = uint64_t{611} << 20;
  run.memory_limit_bytes = uint64_t{896} << 20;
  const ModelCounters& model = ModelOf(config, records);
  run.open.requests =
      static_cast<int64_t>(records) + kRequestsPerPartition * int64_t{run.partitions};
  run.open.cache_hits = static_cast<int64_t>(model.cache_hits);
  run.open.driver_input_calls = run.open.cache_hits;
  run.open.block_splits = static_cast<int64_t>(model.block_splits);
  run.open.driver_output_calls = static_cast<int64_t>(model.driver_output_calls());
  run.open.cache_write_hits = static_cast<int64_t>(model.write_hits);
  if (!IsWriteThrough(config)) run.open.cache_write_hits = run.open.driver_output_calls * 9 / 10;
  run.open.cache_write_cleans = run.open.driver_output_calls - run.open.cache_write_hits;
  const bool durable = IsWriteThrough(config) || IsAudited(config);
  run.disc.trail_syncs = !durable ? 1 : pipelined ? 2100 : static_cast<int64_t>(records);
  run.disc.trail_sync_s = static_cast<double>(run.disc.trail_syncs) * 300e-6;
  run.disc.trail_bytes = IsWriteThrough(config) ? int64_t{1} << 30
                         : IsAudited(config)    ? int64_t{1} << 28
                                                : 4096;
  run.disc.store_syncs = 9;
  run.disc.control_points = 9;
  run.disc.control_point_s = 0.8;
  run.eof = static_cast<int64_t>(model.eof_bytes);
  run.index_levels = model.index_levels;
  run.disc_bytes = uint64_t{700} << 20;
  return run;
}

}  // namespace bench
}  // namespace quire
