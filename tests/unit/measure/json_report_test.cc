#include "client/measure/json_report.h"

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {
namespace {

TEST(JsonReportTest, PlainNumbersInRawUnits_R_A6) {
  WindowRecord windowed;
  windowed.record = ArticleProcess();
  windowed.from_us = kRunStartUs;
  windowed.to_us = kRunEndUs;
  ExpectGolden("meascom_process.json", JsonReport({windowed}));
}

TEST(JsonReportTest, WhatDoesNotApplyIsNull) {
  WindowRecord total;
  total.is_total = true;
  total.record = Sum({ArticleOpen()});
  total.to_us = kRunEndUs;
  const auto json = nlohmann::json::parse(JsonReport({total}), nullptr, false);
  ASSERT_TRUE(json.is_array());
  EXPECT_EQ(json[0]["row"], "total");
  EXPECT_TRUE(json[0]["file"].is_null());
  EXPECT_TRUE(json[0]["from_us"].is_null());
  EXPECT_EQ(json[0]["counters"]["REQUESTS"], 135070);
}

TEST(JsonReportTest, EmptyAndUnprintable) {
  EXPECT_EQ(JsonReport({}), "[]\n");
  WindowRecord windowed;
  windowed.record = ArticleOpen();
  windowed.record.opener = "bad\xff";
  EXPECT_FALSE(nlohmann::json::parse(JsonReport({windowed}), nullptr, false).is_discarded());
}

}  // namespace
}  // namespace measure
}  // namespace quire
