#include "client/fup/fileset.h"

#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

const NameDefaults kDefaults{"", "$DATA01", "STOCK"};

TEST(FilesetTest, SubvolumeSets) {
  EXPECT_EQ(ParseSubvolumeSet("", kDefaults)->ToString(), "$DATA01.STOCK.*");
  EXPECT_EQ(ParseSubvolumeSet("OLD", kDefaults)->ToString(), "$DATA01.OLD.*");
  EXPECT_EQ(ParseSubvolumeSet("$DATA02.S*", kDefaults)->ToString(), "$DATA02.S*.*");
  EXPECT_EQ(ParseSubvolumeSet("$*", kDefaults)->ToString(), "$*.*.*");
  EXPECT_EQ(ParseSubvolumeSet("\\NY.$DATA02", kDefaults)->ToString(), "\\NY.$DATA02.*.*");
  EXPECT_EQ(NumberOf(ParseSubvolumeSet("", {}).status()), ErrorNumber::kIllegalName);
  EXPECT_EQ(NumberOf(ParseSubvolumeSet("$A.B.C", kDefaults).status()), ErrorNumber::kIllegalName);
}

TEST(FilesetTest, WildCards) {
  EXPECT_TRUE(HasWildCard(FileName{"", "$D*", "S", "F"}));
  EXPECT_TRUE(HasWildCard(FileName{"", "$D", "S", "?"}));
  EXPECT_FALSE(HasWildCard(FileName{"", "$D", "S", "F"}));
}

}  // namespace
}  // namespace quire
