#include "client/bench/expected.h"

#include <map>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "client/bench/checks.h"
#include "client/bench/report_block.h"
#include "client/bench/report_generator.h"

namespace quire {
namespace bench {
namespace {

class ModelCache {
 public:
  const ModelCounters& Get(const ModelShape& shape) {
    absl::MutexLock lock(&mutex_);
    const auto key = std::make_pair(shape.partitions, shape.records);
    auto found = played_.find(key);
    if (found == played_.end()) found = played_.emplace(key, PlayModel(shape)).first;
    return found->second;  // map nodes stay where they are
  }

 private:
  absl::Mutex mutex_;
  std::map<std::pair<uint32_t, uint64_t>, ModelCounters> played_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

const ModelCounters& ModelOf(Config config, uint64_t records) {
  static ModelCache& cache = *new ModelCache;
  ModelShape shape{.records = records, .key_length = kReportKeyBytes, .partitions = 1};
  if (IsPartitioned(config)) {
    shape.key_length = kReportKeyBytes - kCpuDigits;
    shape.partitions = PartitionsOf(config) - 1;  // the primary stays empty
  }
  return cache.Get(shape);
}

ExpectedFigures ExpectedOf(const RunResult& run) {
  ExpectedFigures expected;
  expected.requests = {
      static_cast<int64_t>(run.records) + kRequestsPerPartition * int64_t{run.partitions}, "ours"};
  if (!run.has_article_shape()) return expected;

  const Config config = run.load_case.config;
  const ModelCounters& model = ModelOf(config, run.records);
  const auto of_model = [](uint64_t value) {
    return ExpectedFigure{static_cast<int64_t>(value), "model"};
  };
  expected.block_splits = of_model(model.block_splits);
  expected.index_levels = of_model(model.index_levels);
  expected.cache_hits = of_model(model.cache_hits);
  expected.driver_input_calls = of_model(model.cache_hits);
  expected.driver_output_calls = of_model(model.driver_output_calls());
  expected.eof = of_model(model.eof_bytes);
  const bool write_through = IsWriteThrough(config);
  if (write_through) {
    expected.cache_write_hits = of_model(model.write_hits);
    expected.cache_write_cleans = of_model(model.write_cleans);
  }
  const ArticleFigures* const printed = Article(config);
  if (run.records != kArticleRecords || printed == nullptr) return expected;

  const ArticleFigures& article = *printed;
  const auto of_article = [](int64_t value) { return ExpectedFigure{value, "article"}; };
  expected.block_splits = of_article(article.block_splits);
  expected.cache_hits = of_article(article.cache_hits);
  expected.driver_input_calls = of_article(article.driver_input_calls);
  expected.driver_output_calls = of_article(article.driver_output_calls);
  if (article.index_levels) expected.index_levels = of_article(*article.index_levels);
  if (article.eof) expected.eof = of_article(*article.eof);
  if (write_through) {
    expected.cache_write_hits = of_article(article.cache_write_hits);
    expected.cache_write_cleans = of_article(article.cache_write_cleans);
  }
  return expected;
}

}  // namespace bench
}  // namespace quire
