// quire-inspect's commands on real volumes: what they show, and that they change nothing (H28).
#include "server/main/inspect_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "tests/support/blocking.h"
#include "tests/support/test_directory.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kRecords = 200;

class InspectTest : public ::testing::Test {
 protected:
  std::string directory() const { return root_.path() + "/DATA01"; }

  VolumeOptions Options() const {
    VolumeOptions options;
    options.directory = directory();
    options.capacity_bytes = uint64_t{1} << 30;
    return options;
  }

  // A write-through file with a deep enough tree.
  static void Fill(TestVolume& volume) {
    const CreateRequest create = SmallFile("$DATA01.SHOP.PARTS", false);
    const absl::StatusOr<FileInfo> info =
        Await<FileInfo>([&](Done<FileInfo> done) { volume->Create(create, std::move(done)); });
    ASSERT_TRUE(info.ok()) << Describe(info.status());
    const FileReference file{create.name, 0, 0, "test"};
    for (int key = 0; key < kRecords; ++key) {
      const std::string record = SmallRecord(key, "a part of forty characters, more or less");
      ASSERT_TRUE(RunOne(volume.volume(), file,
                         Operation{OperationKind::kWrite, {}, false, false, {}, record})
                      .ok());
    }
  }

  void MakeVolume() {
    TestVolume volume(Options());
    Fill(volume);
  }

  // Contents and times of every file under the directory.
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory())) {
      std::string content;
      if (entry.is_regular_file()) {
        std::ifstream in(entry.path(), std::ios::binary);
        content.assign(std::istreambuf_iterator<char>(in), {});
      }
      content += std::to_string(entry.last_write_time().time_since_epoch().count());
      files[entry.path().string()] = std::move(content);
    }
    return files;
  }

  absl::StatusOr<uint64_t> Run(const std::vector<std::string>& words, bool hex = false) {
    std::ostringstream out;
    absl::StatusOr<uint64_t> faults = Inspect({directory(), words, hex}, out);
    text_ = out.str();
    return faults;
  }

  void DamageStore(const std::string& where) {
    const std::string path = directory() + "/store/data.mdb";
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(file), {});
    const size_t at = content.find(where);
    ASSERT_NE(at, std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(at));
    file.put('#');
  }

  TestDirectory root_;
  std::string text_;
};

TEST_F(InspectTest, H28_NoCommandChangesAnything) {
  MakeVolume();
  const std::map<std::string, std::string> before = Files();
  const std::vector<std::vector<std::string>> commands = {{},
                                                          {"meta"},
                                                          {"files"},
                                                          {"file", "SHOP.PARTS"},
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
  ASSERT_TRUE(Run({"file", "$DATA01.SHOP.PARTS"}).ok());
  EXPECT_THAT(text_, HasSubstr("REC 100, KEYLEN 4"));
  ASSERT_TRUE(Run({"blocks", "SHOP.PARTS"}).ok());
  EXPECT_THAT(text_, HasSubstr("block 0: bitmap"));
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
  EXPECT_THAT(text_, HasSubstr("CREATE $DATA01.SHOP.PARTS"));
  EXPECT_THAT(text_, HasSubstr("image of block 1 of file id 1"));
  EXPECT_THAT(text_, HasSubstr("not in the store"));
  EXPECT_TRUE(before == Files());
}

TEST_F(InspectTest, FindsADamagedBlockAndStillShowsTheRest) {
  MakeVolume();
  DamageStore("0100a part of forty");
  const absl::StatusOr<uint64_t> faults = Run({"check"});
  ASSERT_TRUE(faults.ok()) << Describe(faults.status());
  EXPECT_GE(*faults, 2u);  // the block, and the tree it stands in
  EXPECT_THAT(text_, HasSubstr("FAULT $DATA01.SHOP.PARTS block"));
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

TEST_F(InspectTest, AServedVolumeIsRefused) {
  TestVolume volume(Options());
  EXPECT_EQ(NumberOf(Run({"files"}).status()), ErrorNumber::kFileInUse);
}

TEST_F(InspectTest, NamesThatAreNotThereAndWordsThatAreNoCommand) {
  MakeVolume();
  EXPECT_EQ(NumberOf(Run({"file", "SHOP.NOTHING"}).status()), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(Run({"block", "SHOP.PARTS", "9999"}).status()), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(Run({"block", "SHOP.PARTS", "one"}).status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Run({"erase"}).status()), ErrorNumber::kBadParameter);
}

TEST_F(InspectTest, ADirectoryWithoutVolumeIsRefusedAndStaysAsItWas) {
  std::filesystem::create_directory(directory());
  EXPECT_EQ(NumberOf(Run({"meta"}).status()), ErrorNumber::kVolumeDown);
  EXPECT_TRUE(std::filesystem::is_empty(directory()));
}

}  // namespace
}  // namespace quire::test
