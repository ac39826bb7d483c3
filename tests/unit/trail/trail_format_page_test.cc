// server/trail/FORMAT.md says what the code does: its golden bytes parse, its numbers are the
// constants.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/escaping.h"
#include "quire/text.h"
#include "server/trail/trail_format.h"
#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

std::string Page() {
  std::ifstream in(StrCat(QUIRE_SOURCE_DIR, "/server/trail/FORMAT.md"));
  EXPECT_TRUE(in.is_open());
  return {std::istreambuf_iterator<char>(in), {}};
}

void ExpectSays(const std::string& page, const std::string& text) {
  EXPECT_NE(page.find(text), std::string::npos) << "the page lacks: " << text;
}

TEST(TrailFormatPage, TablesHaveTheConstants) {
  const std::string page = Page();
  ExpectSays(page, StrCat("| ", kBatchHeaderBytes, " | | records |"));
  ExpectSays(page, StrCat("| ", kBatchHeaderBytesOfVersion1, " | 8 | time |"));
  ExpectSays(page, StrCat("layout version, ", kBatchVersion, ";"));
  ExpectSays(page, StrCat("| ", kTrailRecordHeaderBytes,
                          " | | payload | then zeros up to a "
                          "multiple of ",
                          kTrailRecordAlignment));
  ExpectSays(page, "0x4C525451");
  EXPECT_EQ(kBatchMagic, 0x4C525451u);
  EXPECT_EQ(kMinSegmentBytes, 64u << 10);
  EXPECT_EQ(kMaxSegmentBytes, 1u << 30);
  ExpectSays(page, StrCat("| ", static_cast<int>(TrailRecordKind::kRedo), " | redo |"));
  ExpectSays(page, StrCat("| ", static_cast<int>(TrailRecordKind::kAnswers), " | answers |"));
}

TEST(TrailFormatPage, GoldenBytesAreABatch) {
  const std::string page = Page();
  const size_t begin = page.find("```\n");
  ASSERT_NE(begin, std::string::npos);
  const size_t end = page.find("```", begin + 4);
  ASSERT_NE(end, std::string::npos);
  std::string digits;
  for (const char c : page.substr(begin + 4, end - begin - 4)) {
    if (c != ' ' && c != '\n') digits += c;
  }
  std::string bytes(absl::HexStringToBytes(digits));
  bytes.resize(kTrailBlockBytes);
  BatchHeader header;
  std::vector<TrailRecord> records;
  QUIRE_ASSERT_OK(ParseBatch(bytes, &header, &records));
  EXPECT_EQ(header.version, kBatchVersion);
  EXPECT_EQ(header.volume_id, kTestVolumeId);
  EXPECT_EQ(header.first_lsn, 100u);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].payload, "image");
  EXPECT_EQ(records[0].block, 6u);
  EXPECT_EQ(records[1].payload, "command!");
  ExpectSays(page, StrCat((kTrailBlockBytes - digits.size() / 2) / 1000, ",",
                          (kTrailBlockBytes - digits.size() / 2) % 1000, " zeros follow"));
}

}  // namespace
}  // namespace quire
