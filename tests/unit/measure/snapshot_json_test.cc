#include "client/measure/snapshot_json.h"

#include "client/measure/snapshot_file.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "quire/error.h"
#include "tests/support/test_random.h"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {
namespace {

using Json = nlohmann::ordered_json;

absl::Status StatusOf(const Json& json) {
  return SnapshotFromJson(json, "file").status();
}

TEST(SnapshotJsonTest, LayoutIsTheDocumentedOne) {
  const Json json = SnapshotToJson(ArticleEnd());
  EXPECT_EQ(json["format"], "quire-snapshot");
  EXPECT_EQ(json["version"], 1);
  const Json& volume = json["volumes"][0];
  EXPECT_EQ(volume["volume"], "$DATA01");
  EXPECT_EQ(volume["epoch"], 3);
  EXPECT_EQ(volume["time_us"], kRunEndUs);
  const Json& open = volume["records"][3];
  EXPECT_EQ(open["entity"], "DISCOPEN");
  EXPECT_EQ(open["file"], "$DATA01.MEASURE.OUTFILE");
  EXPECT_EQ(open["open_id"], 41);
  EXPECT_EQ(open["opener"], "quire-bench");
  EXPECT_FALSE(volume["records"][0].contains("file"));
  const Json requests = {
      {"name", "REQUESTS"}, {"kind", "incrementing"}, {"unit", "#"}, {"value", 135070}};
  EXPECT_THAT(std::vector<Json>(open["counters"].begin(), open["counters"].end()),
              testing::Contains(requests));
}

TEST(SnapshotJsonTest, EveryMemberIsChecked) {
  const Json good = SnapshotToJson(ArticleEnd());
  ASSERT_TRUE(StatusOf(good).ok());
  for (const char* pointer :
       {"/format", "/version", "/volumes", "/volumes/0/volume", "/volumes/0/epoch",
        "/volumes/0/time_us", "/volumes/0/records", "/volumes/0/records/3/entity",
        "/volumes/0/records/3/file", "/volumes/0/records/3/open_id", "/volumes/0/records/3/opener",
        "/volumes/0/records/3/opened_us", "/volumes/0/records/3/closed_us",
        "/volumes/0/records/3/counters", "/volumes/0/records/3/counters/0/name",
        "/volumes/0/records/3/counters/0/kind", "/volumes/0/records/3/counters/0/unit",
        "/volumes/0/records/3/counters/0/value"}) {
    for (const Json& wrong : {Json(nullptr), Json(Json::object()), Json(1.5)}) {
      Json bad = good;
      bad[Json::json_pointer(pointer)] = wrong;
      EXPECT_EQ(NumberOf(StatusOf(bad)), ErrorNumber::kBadParameter) << pointer;
    }
  }
}

TEST(SnapshotJsonTest, NumbersMustFit) {
  Json bad = SnapshotToJson(ArticleEnd());
  bad["volumes"][0]["time_us"] = UINT64_MAX;
  EXPECT_FALSE(StatusOf(bad).ok());
  bad = SnapshotToJson(ArticleEnd());
  bad["volumes"][0]["epoch"] = -1;
  EXPECT_FALSE(StatusOf(bad).ok());
}

TEST(SnapshotJsonTest, NewerVersionsAreRefusedAndUnknownMembersPassedOver) {
  Json json = SnapshotToJson(ArticleEnd());
  json["volumes"][0]["weather"] = "fine";
  EXPECT_TRUE(StatusOf(json).ok());
  json["version"] = kSnapshotFileVersion + 1;
  EXPECT_THAT(std::string(StatusOf(json).message()), testing::HasSubstr("newer"));
}

// Any bytes give a snapshot or an error with a sentence, never a crash.
TEST(SnapshotJsonTest, DamagedFilesAreNeverTrusted) {
  TestRandom random;
  const std::string good = SnapshotText(ArticleEnd());
  for (int round = 0; round < 300; ++round) {
    std::string text = good;
    for (uint64_t k = random.Below(4) + 1; k > 0; --k) {
      text[random.Below(text.size())] = static_cast<char>(random.Below(256));
    }
    if (random.OneIn(3)) text.resize(random.Below(text.size()));
    const auto parsed = ParseSnapshotText(text, "file");
    if (!parsed.ok()) {
      EXPECT_FALSE(parsed.status().message().empty());
    }
  }
}

}  // namespace
}  // namespace measure
}  // namespace quire
