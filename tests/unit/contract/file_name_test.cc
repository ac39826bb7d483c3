#include "quire/file_name.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

using testing::HasSubstr;

const NameDefaults kDefaults{"", "$DATA01", "MEASURE"};

std::string Parsed(std::string_view text, const NameDefaults& defaults = kDefaults) {
  const absl::StatusOr<FileName> name = ParseFileName(text, defaults);
  return name.ok() ? name->ToString() : Describe(name.status()).substr(0, 8);
}

TEST(FileNameTest, MissingPartsComeFromDefaults) {
  EXPECT_EQ(Parsed("outfile"), "$DATA01.MEASURE.OUTFILE");
  EXPECT_EQ(Parsed("other.outfile"), "$DATA01.OTHER.OUTFILE");
  EXPECT_EQ(Parsed("$data02.other.outfile"), "$DATA02.OTHER.OUTFILE");
  EXPECT_EQ(Parsed("\\node.$data02.other.outfile"), "\\NODE.$DATA02.OTHER.OUTFILE");
  EXPECT_EQ(Parsed("outfile", {"\\N1", "$V", "S"}), "\\N1.$V.S.OUTFILE");
  EXPECT_EQ(Parsed("$data02.outfile"), "$DATA02.MEASURE.OUTFILE");
}

TEST(FileNameTest, LongestNamesAreLegal) {
  EXPECT_EQ(Parsed("\\a234567.$b234567.c2345678.d2345678"), "\\A234567.$B234567.C2345678.D2345678");
}

TEST(FileNameTest, IsFileNameTellsWhatParsingWouldLeaveAsItIs) {
  EXPECT_TRUE(IsFileName({"", "$DATA01", "MEASURE", "OUTFILE"}));
  EXPECT_TRUE(IsFileName({"\\NODE", "$D", "M2", "O3"}));
  for (const FileName& other : {
           FileName{"", "$data01", "MEASURE", "OUTFILE"},
           FileName{"", "$DATA01", "MEASURE", "outfile"},
           FileName{"", "DATA01", "MEASURE", "OUTFILE"},
           FileName{"", "$DATA01", "", "OUTFILE"},
           FileName{"", "$DATA01", "MEASURE", ""},
           FileName{"", "", "MEASURE", "OUTFILE"},
           FileName{"NODE", "$DATA01", "MEASURE", "OUTFILE"},
           FileName{"", "$DATA01", "MEASURE", "A.B"},
           FileName{"", "$DATA01", "MEASURE", "A*"},
           FileName{"", "$DATA01", "MEASURE", "TOOLONG89"},
           FileName{"", "$DATA01234", "MEASURE", "OUTFILE"},
       }) {
    EXPECT_FALSE(IsFileName(other)) << other.ToString();
  }
}

TEST(FileNameTest, MalformedNamesAre13) {  // R-B6
  for (const char* text : {"",
                           "$data01",
                           "\\node",
                           "\\node.$data01",
                           "a.b.c",
                           "$data01.a.b.c",
                           "$data01..f",
                           "a.",
                           "123",
                           "1a",
                           "a-b",
                           "a b",
                           "outfile12",
                           "subvolume.f",
                           "$dataaaaa.s.f",
                           "$1.s.f",
                           "$.s.f",
                           "\\.$v.s.f",
                           "\\nodenode.$v.s.f",
                           "out*",
                           "out?",
                           "$v.s.f\n",
                           "\xC3\xA4"}) {
    EXPECT_EQ(Parsed(text), "error 13") << text;
  }
  EXPECT_EQ(Parsed("f", {"", "", "S"}), "error 13");
  EXPECT_EQ(Parsed("f", {"", "$V", ""}), "error 13");
}

TEST(FileNameTest, NameWithoutItsVolumeGetsTheShellHint) {  // R-A6
  for (const char* text : {".MEASURE.OUTFILE", ".X.Y", "."}) {
    EXPECT_THAT(Describe(ParseFileName(text, kDefaults).status()), HasSubstr("single quotes"));
    EXPECT_THAT(Describe(ParseDefaults(text, kDefaults).status()), HasSubstr("single quotes"));
    EXPECT_EQ(NumberOf(ParseFileset(text, kDefaults).status()), ErrorNumber::kIllegalName);
  }
}

TEST(FileNameTest, OnVolumeNamesASecondary) {
  const FileName name{"\\N", "$DATA01", "S", "F"};
  EXPECT_EQ(name.OnVolume("$DATA02").ToString(), "\\N.$DATA02.S.F");
}

TEST(VolumeNameTest, IsUpperCasedOr13) {
  EXPECT_EQ(*ParseVolumeName("$data01"), "$DATA01");
  for (const char* text : {"", "$", "data01", "$1", "$data0123", "$a.b", "$a*"}) {
    EXPECT_EQ(NumberOf(ParseVolumeName(text).status()), ErrorNumber::kIllegalName) << text;
  }
}

TEST(DefaultsTest, PartsNotGivenStay) {
  const NameDefaults current{"\\N", "$DATA01", "OLD"};
  EXPECT_EQ(ParseDefaults("$data02.new", current)->volume, "$DATA02");
  EXPECT_EQ(ParseDefaults("$data02.new", current)->subvolume, "NEW");
  EXPECT_EQ(ParseDefaults("$data02", current)->subvolume, "OLD");
  EXPECT_EQ(ParseDefaults("new", current)->volume, "$DATA01");
  EXPECT_EQ(ParseDefaults("new", current)->subvolume, "NEW");
  EXPECT_EQ(ParseDefaults("\\m.$v.s", current)->node, "\\M");
  for (const char* text : {"", "a.b", "$v.a.b", "$v.", "$1", "\\.a", "toolongname"}) {
    EXPECT_EQ(NumberOf(ParseDefaults(text, current).status()), ErrorNumber::kIllegalName) << text;
  }
}

TEST(FilesetTest, WildCardsInEveryPart) {
  const FileName fileset = *ParseFileset("$*.m?asure.out*", kDefaults);
  EXPECT_TRUE(MatchesFileset(fileset, {"", "$DATA07", "MEASURE", "OUT"}));
  EXPECT_TRUE(MatchesFileset(fileset, {"", "$D", "MXASURE", "OUTFILE2"}));
  EXPECT_FALSE(MatchesFileset(fileset, {"", "$D", "MASURE", "OUTFILE2"}));
  EXPECT_FALSE(MatchesFileset(fileset, {"", "$D", "MEASURE", "INFILE"}));
  EXPECT_EQ(ParseFileset("*", kDefaults)->ToString(), "$DATA01.MEASURE.*");
  EXPECT_EQ(NumberOf(ParseFileset("a-*", kDefaults).status()), ErrorNumber::kIllegalName);
}

TEST(FilesetTest, MatchesPart) {
  EXPECT_TRUE(MatchesPart("*", ""));
  EXPECT_TRUE(MatchesPart("*", "ABCDEFGH"));
  EXPECT_TRUE(MatchesPart("A*C", "AC"));
  EXPECT_TRUE(MatchesPart("A*C", "ABCBC"));
  EXPECT_TRUE(MatchesPart("**A?", "XAAB"));
  EXPECT_FALSE(MatchesPart("A*C", "ACB"));
  EXPECT_FALSE(MatchesPart("?", ""));
  EXPECT_FALSE(MatchesPart("", "A"));
  EXPECT_FALSE(MatchesPart("ABC", "AB"));
  EXPECT_FALSE(MatchesPart("AB", "ABC"));
}

}  // namespace
}  // namespace quire
