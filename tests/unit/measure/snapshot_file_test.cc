#include "client/measure/snapshot_file.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/test_directory.h"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {
namespace {

void ExpectSame(const MeasureSnapshot& a, const MeasureSnapshot& b) {
  ASSERT_EQ(a.volumes.size(), b.volumes.size());
  for (size_t i = 0; i < a.volumes.size(); ++i) {
    EXPECT_EQ(a.volumes[i].volume, b.volumes[i].volume);
    EXPECT_EQ(a.volumes[i].epoch, b.volumes[i].epoch);
    EXPECT_EQ(a.volumes[i].time_us, b.volumes[i].time_us);
    ASSERT_EQ(a.volumes[i].records.size(), b.volumes[i].records.size());
    for (size_t k = 0; k < a.volumes[i].records.size(); ++k) {
      const EntityRecord& x = a.volumes[i].records[k];
      const EntityRecord& y = b.volumes[i].records[k];
      EXPECT_EQ(x.entity, y.entity);
      EXPECT_EQ(x.volume, y.volume);
      EXPECT_EQ(x.file, y.file);
      EXPECT_EQ(x.open_id, y.open_id);
      EXPECT_EQ(x.opener, y.opener);
      EXPECT_EQ(x.opened_us, y.opened_us);
      EXPECT_EQ(x.closed_us, y.closed_us);
      ASSERT_EQ(x.counters.size(), y.counters.size());
      for (size_t c = 0; c < x.counters.size(); ++c) {
        EXPECT_EQ(x.counters[c].name, y.counters[c].name);
        EXPECT_EQ(x.counters[c].kind, y.counters[c].kind);
        EXPECT_EQ(x.counters[c].unit, y.counters[c].unit);
        EXPECT_EQ(x.counters[c].value, y.counters[c].value);
      }
    }
  }
}

TEST(SnapshotFileTest, ComesBackAsItWas) {
  const TestDirectory directory;
  const std::string path = directory.path() + "/snapshot.json";
  MeasureSnapshot snapshot = ArticleEnd();
  snapshot.volumes[0].records.back().open_id = UINT64_MAX;
  ASSERT_TRUE(WriteSnapshotFile(ArticleStart(), path).ok());
  ASSERT_TRUE(WriteSnapshotFile(snapshot, path).ok());
  const auto read = ReadSnapshotFile(path);
  ASSERT_TRUE(read.ok()) << read.status();
  ExpectSame(snapshot, *read);
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST(SnapshotFileTest, AFailedWriteNamesThePath) {
  const TestDirectory directory;
  const std::string path = directory.path() + "/no/such/folder/x.json";
  const absl::Status status = WriteSnapshotFile(ArticleStart(), path);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kNoDiscSpace);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr(path));
}

TEST(SnapshotFileTest, WhatCannotBeReadIs11) {
  const TestDirectory directory;
  EXPECT_EQ(NumberOf(ReadSnapshotFile(directory.path() + "/none").status()),
            ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(ReadSnapshotFile(directory.path()).status()), ErrorNumber::kNotFound);
}

TEST(SnapshotFileTest, TextThatIsNotUtf8StaysReadable) {
  MeasureSnapshot snapshot = ArticleEnd();
  snapshot.volumes[0].records.back().opener = "bad\xff name";
  EXPECT_TRUE(ParseSnapshotText(SnapshotText(snapshot), "x").ok());
}

}  // namespace
}  // namespace measure
}  // namespace quire
