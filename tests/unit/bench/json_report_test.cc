#include "client/bench/json_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "client/bench/report_generator.h"
#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(JsonReportTest, HasExactlyTheFieldsOfItsContract) {
  const nlohmann::ordered_json all =
      nlohmann::ordered_json::parse(RenderJson({GoodRun(Config::kC, true, kArticleRecords)}));
  ASSERT_EQ(all.size(), 1u);
  std::vector<std::string> names;
  for (const auto& [name, value] : all[0].items()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"config",
                                             "mode",
                                             "crash_loses",
                                             "partitions",
                                             "in_flight",
                                             "batch",
                                             "transport",
                                             "records",
                                             "record_bytes",
                                             "elapsed_s",
                                             "placed_s",
                                             "records_per_s",
                                             "client_cpu_s",
                                             "server_cpu_s",
                                             "server_peak_anon_bytes",
                                             "requests",
                                             "cache_hits",
                                             "cache_write_hits",
                                             "cache_write_cleans",
                                             "block_splits",
                                             "driver_input_calls",
                                             "driver_output_calls",
                                             "cache_read_misses",
                                             "cache_write_misses",
                                             "eof",
                                             "index_levels",
                                             "disc_bytes",
                                             "trail_bytes",
                                             "syncs",
                                             "verified"}));
}

TEST(JsonReportTest, Values) {
  RunResult run = GoodRun(Config::kB, false, kArticleRecords);
  run.server_peak_anon_bytes.reset();
  const nlohmann::json json = nlohmann::json::parse(RenderJson({run}))[0];
  EXPECT_EQ(json["config"], "B");
  EXPECT_EQ(json["mode"], "buffered");
  EXPECT_EQ(json["crash_loses"], "since control point");
  EXPECT_EQ(json["partitions"], 1);
  EXPECT_EQ(json["transport"], "grpc");
  EXPECT_EQ(json["records"], 135065);
  EXPECT_EQ(json["elapsed_s"], 10.0);
  EXPECT_EQ(json["records_per_s"], 13506.5);
  EXPECT_EQ(json["server_cpu_s"], 6.25);
  EXPECT_TRUE(json["server_peak_anon_bytes"].is_null());
  EXPECT_EQ(json["block_splits"], 67564);
  EXPECT_EQ(json["syncs"], 10);
  EXPECT_EQ(json["verified"], true);
}

TEST(JsonReportTest, ReadsItsOwnOutput) {
  const RunResult run = GoodRun(Config::kA, true, kQuickRecords);
  const absl::StatusOr<std::vector<SavedRun>> saved = ParseJson("x.json", RenderJson({run, run}));
  ASSERT_TRUE(saved.ok()) << saved.status();
  ASSERT_EQ(saved->size(), 2u);
  EXPECT_EQ((*saved)[0].title, "A grpc, in flight 4096, batch 64, 13565 records");
  EXPECT_EQ((*saved)[0].elapsed_s, 1.9);
  EXPECT_EQ((*saved)[0].server_cpu_s, 6.25);
}

TEST(JsonReportTest, RefusesOtherText) {
  for (const char* text : {"", "{", "{}", "[]", "[1]", "[{}]", "[{\"config\":\"A\"}]",
                           "[{\"config\":\"A\",\"elapsed_s\":\"1\"}]"}) {
    EXPECT_EQ(NumberOf(ParseJson("x.json", text).status()), ErrorNumber::kBadParameter) << text;
  }
}

}  // namespace
}  // namespace bench
}  // namespace quire
