// CHECK and INFO STATISTICS: what they print of what a file system found.
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "quire/error.h"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;
using testing::Not;

class CheckTest : public FupFixture {
 protected:
  void SetUp() override {
    FupFixture::SetUp();
    Run("CREATE $DATA01.STOCK.PARTS, REC 240, KEYLEN 8, PART (1,$DATA02,100,200,\"H\"), "
        "PART (2,$DATA03,100,200,\"P\")");
    // The first rows are those of the manual's layout.
    files_->checks[OnVolume("$DATA01")] = Whole(
        {{0, 6757, 13507, 712ULL * 6757}, {1, 47, 6757, 1901ULL * 47}, {2, 1, 47, 3391}}, 0, 1);
    files_->checks[OnVolume("$DATA02")] = Whole({{0, 3, 100, 30}}, 12, 1);
    files_->checks[OnVolume("$DATA03")] = Whole({{0, 0, 0, 0}}, 0, 0);
  }
  static FileName OnVolume(const std::string& volume) {
    return FileName{"", volume, "STOCK", "PARTS"};
  }
  static PartitionCheck Whole(std::vector<LevelStatistics> levels, uint64_t unused,
                              uint64_t bitmaps) {
    PartitionCheck check;
    check.levels = std::move(levels);
    check.block_bytes = 4096;
    check.unused_blocks = unused;
    check.bitmap_blocks = bitmaps;
    check.lsn = 77;
    return check;
  }
  void Damage(const std::string& volume) {
    files_->checks[OnVolume(volume)].status =
        MakeError(ErrorNumber::kFileBad, "file id 7, block 12: wrong checksum");
  }
};

TEST_F(CheckTest, StatisticsGolden) {
  std::string printed = Run("INFO $DATA01.STOCK.PARTS, STATISTICS");
  Damage("$DATA02");
  files_->down.insert("$DATA03");
  printed += Run("INFO $DATA01.STOCK.PARTS, STAT");
  EXPECT_EQ(session().trouble().errors, 2u);
  ExpectGolden("fup_info_statistics.txt", printed);
}

TEST_F(CheckTest, CheckGolden) {
  std::string printed = Run("CHECK $DATA01.STOCK.PARTS");
  EXPECT_EQ(session().trouble().errors, 0u);
  Damage("$DATA02");
  printed += Run("CHECK $*.STOCK.*");
  EXPECT_EQ(session().trouble().errors, 1u);
  StartSession(/*interactive=*/false);
  files_->down.insert("$DATA02");
  printed += Run("CHECK ($DATA01.STOCK.PARTS)");
  EXPECT_EQ(session().trouble().errors, 1u);
  ExpectGolden("fup_check.txt", printed);
}

TEST_F(CheckTest, AFileThatIsNotThereIsAnErrorAndNotCounted) {
  const std::string printed = Run("CHECK $DATA01.STOCK.NONE");
  EXPECT_THAT(printed, HasSubstr("ERROR - $DATA01.STOCK.NONE: FILE SYSTEM ERROR: ERR 11"));
  EXPECT_THAT(printed, HasSubstr("FILES CHECKED: 0\nFILES BAD: 0\n"));
  EXPECT_EQ(session().trouble().errors, 1u);
}

TEST_F(CheckTest, JsonOfBoth) {
  Damage("$DATA02");
  StartSession(/*interactive=*/false, /*json=*/true);
  nlohmann::json listing = nlohmann::json::parse(Run("CHECK $DATA01.STOCK.PARTS"));
  EXPECT_EQ(listing["files_checked"], 1);
  EXPECT_EQ(listing["files_bad"], 1);
  ASSERT_EQ(listing["checks"].size(), 3u);
  EXPECT_EQ(listing["checks"][0]["levels"][1]["records"], 6757);
  EXPECT_EQ(listing["checks"][0]["whole"], true);
  EXPECT_EQ(listing["checks"][1]["error"]["number"], 59);
  listing = nlohmann::json::parse(Run("INFO $DATA01.STOCK.PARTS, STAT"));
  EXPECT_EQ(listing["statistics"][1]["free_blocks"], 12);
  EXPECT_EQ(listing["statistics"][0]["lsn"], 77);
}

}  // namespace
}  // namespace quire
