#include "client/bench/load_case.h"

#include <gtest/gtest.h>

#include "quire/error.h"

namespace quire {
namespace bench {
namespace {

TEST(LoadCaseTest, ParsesConfigurations) {
  EXPECT_EQ(*ParseConfigs("A,B,C"), (std::vector<Config>{Config::kA, Config::kB, Config::kC}));
  EXPECT_EQ(*ParseConfigs("E,D"), (std::vector<Config>{Config::kE, Config::kD}));
  EXPECT_EQ(*ParseConfigs("C"), (std::vector<Config>{Config::kC}));
  for (const char* bad : {"", "F", "A,A", "AB", "a", ",", "A,,B"}) {
    EXPECT_EQ(NumberOf(ParseConfigs(bad).status()), ErrorNumber::kBadParameter) << bad;
  }
}

TEST(LoadCaseTest, AttributesAreTheArticles) {
  const FileAttributes a = AttributesOf(Config::kA, {});
  EXPECT_EQ(a.format, 2u);
  EXPECT_EQ(a.record_bytes, 1676u);
  EXPECT_EQ(a.block_bytes, 4096u);
  EXPECT_EQ(a.key_length, 11u);
  EXPECT_EQ(a.key_offset, 0u);
  EXPECT_EQ(a.max_extents, 40u);
  EXPECT_EQ(a.extents, (ExtentSizes{150000, 150000}));
  EXPECT_FALSE(a.buffered);
  FileAttributes b = AttributesOf(Config::kB, {});
  EXPECT_TRUE(b.buffered);
  b.buffered = false;
  EXPECT_EQ(b, a);

  const FileAttributes c = AttributesOf(Config::kC, {});
  EXPECT_TRUE(c.buffered);
  EXPECT_EQ(c.key_length, 9u);
  EXPECT_EQ(c.key_offset, 2u);
  EXPECT_EQ(c.extents, (ExtentSizes{2, 2}));
  ASSERT_EQ(c.partitions.size(), 10u);
  EXPECT_EQ(c.partitions[0].volume, "$DATA02");
  EXPECT_EQ(c.partitions[0].partial_key, "00");
  EXPECT_EQ(c.partitions[9].volume, "$DATA11");
  EXPECT_EQ(c.partitions[9].partial_key, "90");
  EXPECT_EQ(c.partitions[9].extents, (ExtentSizes{150000, 150000}));
}

TEST(LoadCaseTest, AuditedOnesAreBAndCWithAudit) {
  FileAttributes d = AttributesOf(Config::kD, {});
  FileAttributes e = AttributesOf(Config::kE, {});
  EXPECT_TRUE(d.audit);
  EXPECT_TRUE(e.audit);
  d.audit = e.audit = false;
  EXPECT_EQ(d, AttributesOf(Config::kB, {}));
  EXPECT_EQ(e, AttributesOf(Config::kC, {}));
}

TEST(LoadCaseTest, WhatACrashLoses) {
  EXPECT_EQ(LostByCrash(Config::kA), "nothing");
  EXPECT_EQ(LostByCrash(Config::kB), "since control point");
  EXPECT_EQ(LostByCrash(Config::kE), "nothing");
}

TEST(LoadCaseTest, AllConfigurationsAreLegal) {
  for (Config config : {Config::kA, Config::kB, Config::kC, Config::kD, Config::kE}) {
    EXPECT_TRUE(Normalize(AttributesOf(config, {})).ok());
    EXPECT_EQ(VolumesOf(config).size(), PartitionsOf(config));
  }
}

TEST(LoadCaseTest, CsvKeysAreTakenWhole) {
  const FileAttributes c = AttributesOf(Config::kC, {.path = "", .csv = true, .key_length = 6});
  EXPECT_EQ(c.key_length, 6u);
  EXPECT_EQ(c.key_offset, 0u);
}

TEST(LoadCaseTest, Names) {
  EXPECT_EQ(FileOf(Config::kA).ToString(), "$DATA01.MEASURE.OUTFILE");
  EXPECT_EQ(FileOf(Config::kC).ToString(), "$DATA01.MEASURE.OUTFILE2");
  EXPECT_EQ(FileOf(Config::kD).ToString(), "$DATA01.MEASURE.OUTFILE");
  EXPECT_EQ(FileOf(Config::kE).ToString(), "$DATA01.MEASURE.OUTFILE2");
  EXPECT_EQ(ModeName(Config::kE), "audit");
  EXPECT_EQ(TitleOf({.config = Config::kB}), "B");
  EXPECT_EQ(TitleOf({.config = Config::kC, .in_flight = 2}), "C pipelined");
}

}  // namespace
}  // namespace bench
}  // namespace quire
