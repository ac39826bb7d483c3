#include "client/fup/create_parameter.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

absl::StatusOr<std::vector<CreateParameter>> Parse(const std::string& text) {
  TokenCursor cursor(*Tokenize(text), text);
  return ParseCreateParameters(cursor);
}

std::string Message(const std::string& text) {
  return std::string(Parse(text).status().message());
}

TEST(CreateParameterTest, ExtentForms) {
  const ExtentText pages_10{10, ExtentUnit::kPages};
  const ExtentText bytes_5{5, ExtentUnit::kBytes};
  for (const char* text : {"EXT 10", "EXT 10 PAGES", "EXT (10)", "ext ( 10 page )", "EXT 10 P"}) {
    const auto parsed = Parse(text);
    ASSERT_TRUE(parsed.ok()) << text << parsed.status();
    EXPECT_EQ((*parsed)[0].primary, pages_10) << text;
    EXPECT_EQ((*parsed)[0].secondary, pages_10) << text;
  }
  EXPECT_EQ((*Parse("EXT (10, 5 BYTES)"))[0].secondary, bytes_5);
  EXPECT_THAT(Message("EXT 10 ACRES"), testing::HasSubstr("Unknown unit \"ACRES\""));
  EXPECT_FALSE(Parse("EXT (10, 5").ok());
  EXPECT_FALSE(Parse("EXT").ok());
}

TEST(CreateParameterTest, PartitionForms) {
  const auto full = *Parse("PART ( 1, $DATA02, 150000 PAGES, 150000, \"00\" )");
  EXPECT_EQ(full[0].number, 1u);
  EXPECT_EQ(full[0].name, "$DATA02");
  EXPECT_EQ(full[0].primary.count, 150000u);
  EXPECT_EQ(full[0].partial_key, "00");
  EXPECT_EQ((*Parse("PART (2, $DATA03, 7)"))[0].secondary.count, 7u);  // as the primary
  EXPECT_EQ((*Parse("PART (2, $DATA03)"))[0].primary.count, 1u);
  EXPECT_FALSE(Parse("PART (0, $DATA03)").ok());
  EXPECT_FALSE(Parse("PART (128, $DATA03)").ok());
  EXPECT_FALSE(Parse("PART 1, $DATA03").ok());
}

TEST(CreateParameterTest, SeveralInOneCommand) {
  const auto parsed = *Parse("REC 100, NO BUFFERED, TYPE 3, BUFFERED");
  ASSERT_EQ(parsed.size(), 4u);
  EXPECT_FALSE(parsed[1].on);
  EXPECT_EQ(parsed[2].name, "K");
  EXPECT_TRUE(parsed[3].on);
  EXPECT_FALSE(Parse("REC 100 BUFFERED").ok());
  EXPECT_FALSE(Parse("").ok());
}

TEST(CreateParameterTest, WhatQuireLacksIsRefusedWithASentence) {
  for (const char* text :
       {"COMPRESS", "DCOMPRESS", "ICOMPRESS", "ALTKEY ( \"WH\", KEYLEN 6 )", "SERIALWRITES",
        "ALTFILE ( 0, X )", "QUEUEFILE", "VERIFIEDWRITES", "BUFFERSIZE 4096", "ODDUNSTR",
        "NOPURGEUNTIL 1", "PHYSVOL $X", "AUDITCOMPRESS", "PARTONLY", "TYPE E"}) {
    EXPECT_EQ(NumberOf(Parse(text).status()), ErrorNumber::kInvalidOperation) << text;
    EXPECT_GT(Message(text).size(), 20u) << text;
  }
}

TEST(CreateParameterTest, TheirDefaultsAreAccepted) {
  const auto parsed =
      Parse("NO AUDIT, NO COMPRESS, NO SERIALWRITES, NO VERIFIEDWRITES, REFRESH, NO ODDUNSTR");
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_FALSE(Parse("NO REC").ok());
  EXPECT_FALSE(Parse("NO").ok());
}

TEST(CreateParameterTest, BadValues) {
  EXPECT_EQ(NumberOf(Parse("REC 4294967296").status()), ErrorNumber::kIllegalCount);
  EXPECT_THAT(Message("REC x"), testing::HasSubstr("Expected a number for REC"));
  EXPECT_THAT(Message("TYPE X"), testing::HasSubstr("Expected U, R, E, K"));
  EXPECT_THAT(Message("KEYLENGTH 5"), testing::HasSubstr("The nearest is KEYLEN"));
}

TEST(CreateParameterTest, ExtentUnitsBecomePages) {
  const RecordShape shape{1676, 4096, 11};
  const auto pages = [&](uint64_t count, ExtentUnit unit) {
    return ExtentPages({count, unit}, shape);
  };
  EXPECT_EQ(pages(0, ExtentUnit::kPages), 1u);
  EXPECT_EQ(pages(2047, ExtentUnit::kBytes), 1u);
  EXPECT_EQ(pages(2049, ExtentUnit::kBytes), 2u);
  EXPECT_EQ(pages(1, ExtentUnit::kMegabytes), 489u);  // 1,000,000 / 2048, rounded up
  // Two records a block: 100 records fill 50 data blocks, which one index block names.
  EXPECT_EQ(pages(100, ExtentUnit::kRecords), 51u * 2);
  EXPECT_EQ(pages(1, ExtentUnit::kRecords), 2u);
}

TEST(CreateParameterTest, HugeExtentsStayTooLargeInsteadOfOverflowing) {
  const RecordShape shape{1, 4096, 1};
  const uint64_t huge = ~uint64_t{0};
  for (ExtentUnit unit :
       {ExtentUnit::kPages, ExtentUnit::kBytes, ExtentUnit::kRecords, ExtentUnit::kMegabytes}) {
    EXPECT_EQ(ExtentPages({huge, unit}, shape), uint64_t{1} << 40);
  }
}

TEST(CreateParameterTest, KeywordListsOfShowAndReset) {
  const std::string text = "KEYLEN, part, MAXEXT";
  TokenCursor cursor(*Tokenize(text), text);
  EXPECT_THAT(*ParseCreateKeywords(cursor),
              testing::ElementsAre(CreateKeyword::kKeyLen, CreateKeyword::kPart,
                                   CreateKeyword::kMaxExtents));
}

}  // namespace
}  // namespace quire
