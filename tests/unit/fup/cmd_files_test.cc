// FILES, FILENAMES, SUBVOLS.
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/unit/fup/fup_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

class FilesTest : public FupFixture {
 protected:
  void SetUp() override {
    FupFixture::SetUp();
    std::string creates = "VOLUME $DATA01.STOCK; SET KEYLEN 8\n";
    for (char c = 'A'; c < 'K'; ++c) creates += std::string("CREATE PART000") + c + "\n";
    creates += "CREATE OLD.X; CREATE $DATA02.STOCK.Y\n";
    Run(creates);
  }
};

TEST_F(FilesTest, FilesGolden) {
  ExpectGolden("fup_files.txt", Run("FILES; FILES $DATA01; FILES $*.S*"));
}

TEST_F(FilesTest, FilenamesMatchTheFileId) {
  EXPECT_EQ(Run("FILENAMES *B"), "$DATA01.STOCK\nPART000B\n");
  EXPECT_EQ(Run("FILENAMES $*.*.?"), "$DATA01.OLD\nX\n$DATA02.STOCK\nY\n");
  EXPECT_THAT(Run("FILENAMES Q*"),
              HasSubstr("ERROR - $DATA01.STOCK.Q*: FILE SYSTEM ERROR: ERR 11"));
}

TEST_F(FilesTest, SubvolsOfOneAndAllVolumes) {
  EXPECT_EQ(Run("SUBVOLS"), "$DATA01\nOLD       STOCK\n");
  EXPECT_EQ(Run("SUBVOLS $*"), "$DATA01\nOLD       STOCK\n$DATA02\nSTOCK\n");
  EXPECT_THAT(Run("SUBVOLS STOCK"), HasSubstr("Expected a volume"));
}

// R-D13: leftovers are invisible but for this option.
TEST_F(FilesTest, R_D13_Pending) {
  EXPECT_EQ(Run("FILES $*, PENDING"), "NOTHING PENDING\n");
  FileInfo left = ArticleFile();
  left.name.volume = "$DATA03";
  left.partition = 2;
  left.pending = true;
  files_->labels[left.name] = left;
  EXPECT_EQ(Run("FILES $*, PENDING"),
            "$DATA03.MEASURE.OUTFILE              PENDING, PART 2 OF $DATA01, CREATED 17 Dec 2019, "
            "7:34\n");
  EXPECT_THAT(Run("FILES $DATA03"), HasSubstr("ERR 11"));
}

TEST_F(FilesTest, Json) {
  StartSession(/*interactive=*/false, /*json=*/true);
  const nlohmann::json listing = nlohmann::json::parse(Run("FILES $DATA02"));
  ASSERT_EQ(listing["files"].size(), 1u);
  EXPECT_EQ(listing["files"][0]["name"], "$DATA02.STOCK.Y");
  EXPECT_EQ(listing["files"][0]["key_length"], 8);
  EXPECT_EQ(nlohmann::json::parse(Run("FILES $DATA03"))["files"].size(), 0u);
}

}  // namespace
}  // namespace quire
