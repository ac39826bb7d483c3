#include "client/bench/json_report.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "client/bench/errors.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value.has_value() ? Json(*value) : Json(nullptr);
}

std::optional<double> CpuOf(const std::optional<ProcessFigures>& figures) {
  if (!figures.has_value()) return std::nullopt;
  return figures->cpu_busy_s;
}

double Number(const Json& run, const char* name) {
  const auto found = run.find(name);
  return found != run.end() && found->is_number() ? found->get<double>() : 0;
}

std::string Word(const Json& run, const char* name) {
  const auto found = run.find(name);
  if (found == run.end()) return "?";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

}  // namespace

std::string RenderJson(const std::vector<RunResult>& runs) {
  Json all = Json::array();
  for (const RunResult& run : runs) {
    all.push_back({
        {"config", std::string(1, static_cast<char>(run.load_case.config))},
        {"mode", std::string(ModeName(run.load_case.config))},
        {"crash_loses", std::string(LostByCrash(run.load_case.config))},
        {"partitions", run.partitions},
        {"in_flight", run.load_case.in_flight},
        {"batch", run.load_case.batch},
        {"transport", run.transport},
        {"records", run.records},
        {"record_bytes", run.record_bytes},
        {"elapsed_s", run.elapsed_s},
        {"placed_s", run.placed_s},
        {"records_per_s", run.records_per_s()},
        {"client_cpu_s", run.client.cpu_busy_s},
        {"server_cpu_s", OrNull(CpuOf(run.server))},
        {"server_peak_anon_bytes", OrNull(run.server_peak_anon_bytes)},
        {"requests", run.open.requests},
        {"cache_hits", run.open.cache_hits},
        {"cache_write_hits", run.open.cache_write_hits},
        {"cache_write_cleans", run.open.cache_write_cleans},
        {"block_splits", run.open.block_splits},
        {"driver_input_calls", run.open.driver_input_calls},
        {"driver_output_calls", run.open.driver_output_calls},
        {"cache_read_misses", run.open.cache_read_misses},
        {"cache_write_misses", run.open.cache_write_misses},
        {"eof", run.eof},
        {"index_levels", run.index_levels},
        {"disc_bytes", OrNull(run.disc_bytes)},
        {"trail_bytes", run.disc.trail_bytes},
        {"syncs", run.syncs()},
        {"verified", run.verified},
    });
  }
  return all.dump(2) + "\n";
}

absl::StatusOr<std::vector<SavedRun>> ParseJson(std::string_view path, std::string_view text) {
  const Json all = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (all.is_discarded()) return DamagedMeasurements(path, "it is not JSON");
  if (!all.is_array() || all.empty()) return DamagedMeasurements(path, "an array is expected");
  std::vector<SavedRun> runs;
  for (const Json& run : all) {
    if (!run.is_object() || !run.contains("config") || Number(run, "elapsed_s") <= 0) {
      return DamagedMeasurements(path, StrCat("element ", runs.size(), " is not a measured run"));
    }
    runs.push_back({.title = StrCat(Word(run, "config"), " ", Word(run, "transport"),
                                    ", in flight ", Word(run, "in_flight"), ", batch ",
                                    Word(run, "batch"), ", ", Word(run, "records"), " records"),
                    .elapsed_s = Number(run, "elapsed_s"),
                    .placed_s = Number(run, "placed_s"),
                    .records_per_s = Number(run, "records_per_s"),
                    .client_cpu_s = Number(run, "client_cpu_s"),
                    .server_cpu_s = Number(run, "server_cpu_s")});
  }
  return runs;
}

}  // namespace bench
}  // namespace quire
