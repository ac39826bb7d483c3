#include "client/bench/article.h"

namespace quire {
namespace bench {

const ArticleFigures* Article(Config config) {
  static constexpr ArticleFigures kA = {
      .requests = 135070,
      .cache_hits = 402047,
      .cache_write_hits = 68035,
      .cache_write_cleans = 474712,
      .block_splits = 67564,
      .driver_input_calls = 402047,
      .driver_output_calls = 542747,
      .eof = 278822912,
      .index_levels = 3,
      .elapsed_s = 1950,
      .cpu_busy_s = 5.12,
      .dispatches = 338323,
      .ready_s = 17.03,
  };
  static constexpr ArticleFigures kB = {
      .requests = 135069,
      .cache_hits = 402047,
      .cache_write_hits = 133710,
      .cache_write_cleans = 409037,
      .block_splits = 67564,
      .driver_input_calls = 402047,
      .driver_output_calls = 542749,
      .eof = 278822912,
      .index_levels = 3,
      .elapsed_s = 1614,
      .cpu_busy_s = 4.98,
      .dispatches = 433433,
      .ready_s = 15.42,
  };
  static constexpr ArticleFigures kC = {
      .requests = 135109,
      .cache_hits = 335225,
      .cache_write_hits = 132596,
      .cache_write_cleans = 403915,
      .block_splits = 67555,
      .driver_input_calls = 335225,
      .driver_output_calls = 536516,
      .eof = std::nullopt,
      .index_levels = std::nullopt,
      .elapsed_s = 1032,
      .cpu_busy_s = 4.96,
      .dispatches = 203842,
      .ready_s = 14.07,
  };
  switch (config) {
    case Config::kA:
      return &kA;
    case Config::kB:
      return &kB;
    case Config::kC:
      return &kC;
    case Config::kD:
    case Config::kE:
      break;
  }
  return nullptr;
}

}  // namespace bench
}  // namespace quire
