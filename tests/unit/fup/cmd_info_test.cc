#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

class InfoTest : public FupFixture {
 protected:
  void AddArticleFile(bool buffered) {
    FileInfo info = ArticleFile();
    info.attributes.buffered = buffered;
    files_->labels[info.name] = info;
  }
  void AddPartitionedFile() {
    Run("CREATE $DATA01.STOCK.PARTS, REC 240, KEYLEN 8, EXT (100,200), CODE 1200, BUFFERED, "
        "PART (1,$DATA02,100,200,\"H\"), PART (2,$DATA03,100,200,[80,0,255])");
    uint64_t eof = 1269760;
    for (auto& [name, info] : files_->labels) {
      if (name.file != "PARTS") continue;
      info.eof_bytes = eof;
      info.extents_allocated = 4;
      info.index_levels = 2;
      info.open_count = name.volume == "$DATA01" ? 1 : 0;
      eof += 4096;
    }
  }
};

// Line by line what the article prints (seed figures §1.3), FILE LABEL before EOF (R-A7).
TEST_F(InfoTest, R_A7_TheArticlesDetail) {
  AddArticleFile(/*buffered=*/false);
  const std::string printed = Run("INFO $DATA01.MEASURE.OUTFILE, DETAIL");
  EXPECT_EQ(printed,
            "$DATA01.MEASURE.OUTFILE                        17 Dec 2019, 8:20\n"
            "    ENSCRIBE\n"
            "    TYPE K\n"
            "    FORMAT 2\n"
            "    EXT ( 150000 PAGES, 150000 PAGES )\n"
            "    REC 1676\n"
            "    BLOCK 4096\n"
            "    KEYLEN 11\n"
            "    KEYOFF 0\n"
            "    MAXEXTENTS 40\n"
            "    OWNER 10,1\n"
            "    SECURITY (RWEP): GOGO\n"
            "    DATA MODIF: 17 Dec 2019, 8:10\n"
            "    CREATION DATE: 17 Dec 2019, 7:34\n"
            "    LAST OPEN: 17 Dec 2019, 7:37\n"
            "    FILE LABEL: 352 (8.6% USED)\n"
            "    EOF: 278822912 (2.3% USED)\n"
            "    EXTENTS ALLOCATED: 1\n"
            "    INDEX LEVELS: 3\n");
  AddArticleFile(/*buffered=*/true);
  EXPECT_THAT(Run("INFO $DATA01.MEASURE.OUTFILE, DETAIL"),
              HasSubstr("    MAXEXTENTS 40\n    BUFFERED\n    OWNER 10,1\n"));
  ExpectGolden("fup_info_detail.txt", printed);
}

// Lines 328 and 348 of the manual.
TEST_F(InfoTest, R_D15_AnAuditedFileIsMarked) {
  FileInfo info = ArticleFile();
  info.attributes.audit = true;
  info.attributes.buffered = true;
  files_->labels[info.name] = info;
  EXPECT_THAT(Run("INFO $DATA01.MEASURE.OUTFILE, DETAIL"),
              HasSubstr("    MAXEXTENTS 40\n    AUDIT\n    BUFFERED\n    OWNER 10,1\n"));
  EXPECT_THAT(Run("INFO $DATA01.MEASURE.OUTFILE"), HasSubstr("  OUTFILE            A+  278822912"));
}

TEST_F(InfoTest, LookasideIsShownUnlessOff) {
  FileInfo info = ArticleFile();
  info.attributes.lookaside = Lookaside::kFreeze;
  files_->labels[info.name] = info;
  EXPECT_THAT(Run("INFO $DATA01.MEASURE.OUTFILE, DETAIL"),
              HasSubstr("    MAXEXTENTS 40\n    LOOKASIDE FREEZE\n    OWNER 10,1\n"));
}

TEST_F(InfoTest, PartitionedDetailGolden) {
  AddPartitionedFile();
  files_->labels[FileName{"", "$DATA03", "STOCK", "PARTS"}].bad = true;
  std::string printed = Run("INFO $DATA01.STOCK.PARTS, DETAIL\n");
  printed += Run("INFO $DATA03.STOCK.PARTS, DETAIL\n");  // a secondary by its own name
  files_->down.insert("$DATA02");
  printed += Run("INFO $DATA01.STOCK.PARTS, DETAIL\n");
  ExpectGolden("fup_info_detail_partitioned.txt", printed);
}

TEST_F(InfoTest, BriefGolden) {
  AddArticleFile(/*buffered=*/false);
  AddPartitionedFile();
  FileInfo old = ArticleFile();
  old.name.file = "OLD";
  old.attributes.format = 1;
  old.attributes.code = 65535;
  old.modified_us = 1709367000000000;  // 2 Mar 2024, 8:10
  old.owner_group = old.owner_user = 255;
  old.bad = true;
  old.open_count = 2;
  old.eof_bytes = 1099511627776;  // the largest partition
  old.attributes.block_bytes = 32768;
  old.attributes.record_bytes = 27648;
  files_->labels[old.name] = old;
  ExpectGolden("fup_info_brief.txt", Run("INFO $*.*.*"));
}

TEST_F(InfoTest, TheListingGoesOnAfterAMissingFile) {
  AddArticleFile(/*buffered=*/false);
  const std::string printed = Run("INFO ($DATA01.X.NOSUCH, $DATA01.MEASURE.OUT*, $DATA01.Q.*)");
  EXPECT_THAT(printed, HasSubstr("ERROR - $DATA01.X.NOSUCH: FILE SYSTEM ERROR: ERR 11\n"));
  EXPECT_THAT(printed, HasSubstr("ERROR - $DATA01.Q.*: FILE SYSTEM ERROR: ERR 11\n"));
  EXPECT_THAT(printed, HasSubstr("  OUTFILE "));
  EXPECT_EQ(session().trouble().errors, 2u);
}

TEST_F(InfoTest, WithoutANameTheDefaultSubvolume) {
  AddArticleFile(/*buffered=*/false);
  EXPECT_THAT(Run("VOLUME $DATA01.MEASURE\nINFO"), HasSubstr("  OUTFILE "));
  EXPECT_THAT(Run("INFO,DETAIL"), HasSubstr("ENSCRIBE"));
}

TEST_F(InfoTest, NeverOpened) {
  Run("CREATE $DATA01.X.Y, KEYLEN 8");
  EXPECT_THAT(Run("INFO $DATA01.X.Y, DETAIL"), HasSubstr("    NEVER OPENED\n"));
}

TEST_F(InfoTest, JsonHasPlainNumbers) {
  AddPartitionedFile();
  StartSession(/*interactive=*/false, /*json=*/true);
  const nlohmann::json listing = nlohmann::json::parse(Run("INFO $DATA01.STOCK.PARTS"));
  const nlohmann::json& file = listing["files"][0];
  EXPECT_EQ(file["name"], "$DATA01.STOCK.PARTS");
  EXPECT_EQ(file["eof_bytes"], 1269760);
  EXPECT_TRUE(file["eof_bytes"].is_number());
  EXPECT_EQ(file["aggregate_eof_bytes"], 3 * 1269760 + 3 * 4096);
  EXPECT_EQ(file["partitions"][1]["partial_key_hex"], "5000ff");
  EXPECT_FALSE(file["partitions"][1].contains("partial_key"));
  EXPECT_EQ(file["partitions"][1]["info"]["partition"], 2);
}

TEST_F(InfoTest, JsonShowsADeadPartitionAndKeepsErrorsApart) {
  AddPartitionedFile();
  files_->down.insert("$DATA03");
  StartSession(/*interactive=*/false, /*json=*/true);
  const nlohmann::json listing =
      nlohmann::json::parse(Run("INFO ($DATA01.STOCK.PARTS, $DATA01.X.Y)"));
  ASSERT_EQ(listing["files"].size(), 1u);
  EXPECT_EQ(listing["files"][0]["partitions"][1]["error"]["number"], 66);
  EXPECT_FALSE(listing["files"][0].contains("aggregate_eof_bytes"));
  EXPECT_THAT(errors_.str(), HasSubstr("ERR 11"));
}

}  // namespace
}  // namespace quire
