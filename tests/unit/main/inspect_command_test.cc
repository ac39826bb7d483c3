// quire-inspect's commands on real volumes: what they show, and that they change nothing (H28).
#include "server/main/inspect_command.h"

#include <lmdb.h>

#include <filesystem>

#include "tests/unit/main/inspect_fixture.h"

namespace quire::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(InspectTest, H28_NoCommandChangesAnything) {
  MakeVolume();
  const std::map<std::string, std::string> before = Files();
  const std::vector<std::vector<std::string>> commands = {{},
                                                          {"meta"},
                                                          {"files"},
                                                          {"label", "SHOP.PARTS"},
                                                          {"blocks", "SHOP.PARTS"},
                                                          {"blocks", "#1", "3"},
                                                          {"block", "SHOP.PARTS", "1"},
                                                          {"trail"},
                                                          {"check"}};
  for (const std::vector<std::string>& words : commands) {
    const absl::StatusOr<uint64_t> faults = Run(words, true);
    ASSERT_TRUE(faults.ok()) << Describe(faults.status());
    EXPECT_EQ(*faults, 0u) << text_;
    EXPECT_FALSE(text_.empty());
  }
  EXPECT_TRUE(before == Files());
}

TEST_F(InspectTest, ShowsLabelBlocksAndRecords) {
  MakeVolume();
  ASSERT_TRUE(Run({}).ok());
  EXPECT_THAT(text_, HasSubstr("volume $DATA01"));
  EXPECT_THAT(text_, HasSubstr("#1  $DATA01.SHOP.PARTS  partition 0, BLOCK 512, 200 records"));
  EXPECT_THAT(text_, HasSubstr("0 batches in the trail not placed"));
  ASSERT_TRUE(Run({"label", "$DATA01.SHOP.PARTS"}).ok());
  EXPECT_THAT(text_, HasSubstr("REC 100, KEYLEN 4"));
  ASSERT_TRUE(Run({"blocks", "SHOP.PARTS"}).ok());
  EXPECT_THAT(text_, HasSubstr("block 0: bitmap"));
  ASSERT_TRUE(Run({"block", "SHOP.PARTS", "0"}).ok());
  EXPECT_THAT(text_, HasSubstr("of blocks 1 to 3680; used:\n    1-"));
  ASSERT_TRUE(Run({"meta"}).ok());
  EXPECT_THAT(text_, HasSubstr("meta value control-point: "));
  ASSERT_TRUE(Run({"check"}).ok());
  EXPECT_THAT(text_, HasSubstr("$DATA01.SHOP.PARTS: whole, 200 records, "));
  ASSERT_TRUE(Run({"blocks", "SHOP.PARTS"}).ok());
  EXPECT_THAT(text_, HasSubstr("index level 1"));
  EXPECT_THAT(text_, Not(HasSubstr("BAD")));
  ASSERT_TRUE(Run({"block", "SHOP.PARTS", "1"}, true).ok());
  EXPECT_THAT(text_, HasSubstr("key \"0000\""));
  EXPECT_THAT(text_, HasSubstr("00000000  "));
}

TEST_F(InspectTest, ShowsTheTrailOfACrashedVolume) {
  {
    TestVolume volume(Options());
    Fill(volume);
    volume.Crash();
  }
  const std::map<std::string, std::string> before = Files();
  const absl::StatusOr<uint64_t> faults = Run({"check"});
  ASSERT_TRUE(faults.ok());
  EXPECT_EQ(*faults, 0u) << text_;
  EXPECT_THAT(text_, HasSubstr("batches in the trail not placed"));
  EXPECT_THAT(text_, Not(HasSubstr("; 0 batches")));
  ASSERT_TRUE(Run({"trail"}).ok());
  EXPECT_THAT(text_, HasSubstr("CREATE $DATA01.SHOP.PARTS, file id 1, partition 0, BLOCK 512"));
  EXPECT_THAT(text_, HasSubstr("state of file id 1: root block "));
  EXPECT_THAT(text_, HasSubstr(" UTC, not in the store"));  // the batch's time
  EXPECT_THAT(text_, HasSubstr("image of block 1 of file id 1"));
  EXPECT_THAT(text_, HasSubstr("not in the store"));
  EXPECT_TRUE(before == Files());
}

TEST_F(InspectTest, FindsADamagedBlockAndStillShowsTheRest) {
  MakeVolume();
  DamageStore("0100a part of forty");
  const absl::StatusOr<uint64_t> faults = Run({"check"});
  ASSERT_TRUE(faults.ok()) << Describe(faults.status());
  EXPECT_EQ(*faults, 1u);  // the first bad thing of the file
  EXPECT_THAT(text_, HasSubstr("FAULT $DATA01.SHOP.PARTS: "));
  EXPECT_THAT(text_, HasSubstr("wrong checksum"));
  EXPECT_EQ(*Run({"blocks", "SHOP.PARTS"}), 1u);
  EXPECT_THAT(text_, HasSubstr("BAD: wrong checksum"));
}

TEST_F(InspectTest, AStoreCutShortIsSaidAndTheTrailStillShown) {
  MakeVolume();
  std::filesystem::resize_file(directory() + "/store/data.mdb", 3 * 4096);
  EXPECT_EQ(NumberOf(Run({"files"}).status()), ErrorNumber::kFileBad);
  const absl::StatusOr<uint64_t> faults = Run({"trail"});
  ASSERT_TRUE(faults.ok()) << Describe(faults.status());
  EXPECT_THAT(text_, HasSubstr("segment 1"));
}

// As LMDB leaves a file whose last pages were taken and given back in one transaction: it counts
// them and never writes them.
void TakeAndGiveBackPages(const std::string& store_directory) {
  MDB_env* environment = nullptr;
  MDB_txn* transaction = nullptr;
  MDB_dbi meta = 0;
  ASSERT_EQ(mdb_env_create(&environment), 0);
  ASSERT_EQ(mdb_env_set_maxdbs(environment, 3), 0);
  ASSERT_EQ(mdb_env_set_mapsize(environment, size_t{64} << 20), 0);
  ASSERT_EQ(mdb_env_open(environment, store_directory.c_str(), 0, 0600), 0);
  ASSERT_EQ(mdb_txn_begin(environment, nullptr, 0, &transaction), 0);
  ASSERT_EQ(mdb_dbi_open(transaction, "meta", 0, &meta), 0);
  std::string key_bytes = "passing";
  std::string value_bytes(size_t{1} << 20, 'x');
  MDB_val key = {key_bytes.size(), key_bytes.data()};
  MDB_val value = {value_bytes.size(), value_bytes.data()};
  ASSERT_EQ(mdb_put(transaction, meta, &key, &value, 0), 0);
  ASSERT_EQ(mdb_del(transaction, meta, &key, nullptr), 0);
  ASSERT_EQ(mdb_txn_commit(transaction), 0);
  MDB_envinfo information = {};
  ASSERT_EQ(mdb_env_info(environment, &information), 0);
  ASSERT_LT(std::filesystem::file_size(store_directory + "/data.mdb"),
            (information.me_last_pgno + 1) * size_t{4096});
  mdb_env_close(environment);
}

TEST_F(InspectTest, PagesAtTheEndThatWereNeverUsedAreNoFault) {
  MakeVolume();
  TakeAndGiveBackPages(directory() + "/store");
  const absl::StatusOr<uint64_t> faults = Run({"check"});
  ASSERT_TRUE(faults.ok()) << Describe(faults.status());
  EXPECT_EQ(*faults, 0u) << text_;
}

TEST_F(InspectTest, AServedVolumeIsRefused) {
  TestVolume volume(Options());
  EXPECT_EQ(NumberOf(Run({"files"}).status()), ErrorNumber::kFileInUse);
}

TEST_F(InspectTest, NamesThatAreNotThereAndWordsThatAreNoCommand) {
  MakeVolume();
  EXPECT_EQ(NumberOf(Run({"label", "SHOP.NOTHING"}).status()), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(Run({"block", "SHOP.PARTS", "9999"}).status()), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(Run({"block", "SHOP.PARTS", "one"}).status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Run({"erase"}).status()), ErrorNumber::kBadParameter);
}

TEST_F(InspectTest, ADirectoryWithoutVolumeIsRefusedAndStaysAsItWas) {
  std::filesystem::create_directory(directory());
  EXPECT_EQ(NumberOf(Run({"meta"}).status()), ErrorNumber::kVolumeDown);
  EXPECT_TRUE(std::filesystem::is_empty(directory()));
}

// An audited file: its trail holds redo records.
TEST_F(InspectTest, ShowsRedoRecordsAndATrailThatLiesElsewhere) {
  {
    TestVolume volume(Options());
    CreateRequest create = SmallFile("$DATA01.SHOP.AUDITED", true);
    create.attributes.audit = true;
    ASSERT_TRUE(Await<FileInfo>([&](Done<FileInfo> done) {
                  volume->Create(create, std::move(done));
                }).ok());
    const FileReference file{create.name, 0, 0, "test"};
    const std::string record = SmallRecord(7, "seven");
    ASSERT_TRUE(RunOne(volume.volume(), file,
                       Operation{OperationKind::kWrite, {}, false, false, {}, record})
                    .ok());
    ASSERT_TRUE(RunOne(volume.volume(), file,
                       Operation{OperationKind::kDelete, {}, false, false, SmallKey(7), {}})
                    .ok());
    volume.Crash();
  }
  ASSERT_TRUE(Run({"trail"}).ok());
  EXPECT_THAT(text_, HasSubstr("redo of file id 1: write of 9 bytes \"0007seven\""));
  EXPECT_THAT(text_, HasSubstr("redo of file id 1: delete of key \"0007\""));
  const std::string elsewhere = root_.path() + "/trail";
  std::filesystem::rename(directory() + "/trail", elsewhere);
  EXPECT_FALSE(Run({"trail"}).ok());
  ASSERT_TRUE(Run({"trail"}, false, elsewhere).ok());
  EXPECT_THAT(text_, HasSubstr("delete of key"));
  EXPECT_EQ(*Run({"check"}, false, elsewhere), 0u) << text_;
}

}  // namespace
}  // namespace quire::test
