#include "client/command/keyword.h"

#include <array>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace quire {
namespace {

constexpr std::array<std::string_view, 5> kWords = {"PART", "PARTONLY", "KEYLEN", "KEYOFF",
                                                    "BUFFERED"};

TEST(KeywordTest, AnyCaseAndAsShortAsUnique) {
  EXPECT_EQ(*FindKeyword("attribute", "buffered", kWords), 4u);
  EXPECT_EQ(*FindKeyword("attribute", "B", kWords), 4u);
  EXPECT_EQ(*FindKeyword("attribute", "KeyL", kWords), 2u);
}

TEST(KeywordTest, AFullWordWinsOverLongerOnes) {
  EXPECT_EQ(*FindKeyword("attribute", "PART", kWords), 0u);
  EXPECT_EQ(*FindKeyword("attribute", "PARTO", kWords), 1u);
}

TEST(KeywordTest, AmbiguousNamesTheCandidates) {
  EXPECT_EQ(FindKeyword("attribute", "KEY", kWords).status().message(),
            "The attribute \"KEY\" can mean KEYLEN, KEYOFF; write more of it.");
}

TEST(KeywordTest, UnknownNamesTheNearest) {
  EXPECT_EQ(FindKeyword("attribute", "KYELEN", kWords).status().message(),
            "Unknown attribute \"KYELEN\". The nearest is KEYLEN; HELP lists what there is.");
  EXPECT_EQ(FindKeyword("attribute", "ZEBRA", kWords).status().message(),
            "Unknown attribute \"ZEBRA\". HELP lists what there is.");
  EXPECT_FALSE(FindKeyword("attribute", "", kWords).ok());
}

TEST(KeywordTest, NearestKeepsItsDistance) {
  EXPECT_EQ(NearestWord("BUFERED", kWords), "BUFFERED");
  EXPECT_EQ(NearestWord("XYZ", kWords), std::nullopt);
  EXPECT_EQ(NearestWord(std::string(100000, 'A'), kWords), std::nullopt);
}

}  // namespace
}  // namespace quire
