#include "client/bench/loader.h"

#include <gtest/gtest.h>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/unit/bench/fake_file_system.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

const FileName kName = {.node = "", .volume = "$DATA01", .subvolume = "TEST", .file = "LOAD"};

std::vector<std::string> MakeRecords(int count) {
  std::vector<std::string> records;
  for (int i = 0; i < count; ++i) records.push_back(StrCat("key", 1000 + i, "text"));
  return records;
}

class LoaderTest : public testing::Test {
 protected:
  LoaderTest() {
    FileAttributes attributes;
    attributes.key_length = 7;
    EXPECT_TRUE(file_system_.Create(kName, attributes).ok());
  }

  absl::StatusOr<uint64_t> Load(std::vector<std::string> records, uint32_t in_flight,
                                uint32_t batch) {
    ListedRecords source(std::move(records));
    absl::StatusOr<std::unique_ptr<File>> file =
        file_system_.Open(kName, {.batch_operations = batch});
    EXPECT_TRUE(file.ok());
    return LoadRecords(&source, file->get(), in_flight, [](uint64_t) { return true; });
  }

  FakeFileSystem file_system_;
};

TEST_F(LoaderTest, WritesAllInEveryMode) {
  for (const auto& [in_flight, batch] :
       std::vector<std::pair<uint32_t, uint32_t>>{{1, 1}, {2, 1}, {7, 3}, {64, 64}, {256, 16}}) {
    file_system_.files[kName].records.clear();
    file_system_.behaviour = {};
    const absl::StatusOr<uint64_t> written = Load(MakeRecords(1000), in_flight, batch);
    ASSERT_TRUE(written.ok()) << written.status();
    EXPECT_EQ(*written, 1000u);
    EXPECT_EQ(file_system_.files[kName].records.size(), 1000u);
    EXPECT_LE(file_system_.behaviour.most_under_way, in_flight);
    if (in_flight == 1) {
      EXPECT_EQ(file_system_.behaviour.most_under_way, 0u);
    }
  }
}

TEST_F(LoaderTest, ADuplicateKeyIs10WithTheRowNumber) {
  for (uint32_t in_flight : {1u, 64u}) {
    file_system_.files[kName].records.clear();
    std::vector<std::string> records = MakeRecords(50);
    records[41] = records[3];
    records[45] = records[4];
    const absl::StatusOr<uint64_t> written = Load(records, in_flight, 8);
    EXPECT_EQ(NumberOf(written.status()), ErrorNumber::kAlreadyExists);
    EXPECT_NE(ToStd(written.status().message()).find("row 42:"), std::string::npos)
        << written.status();
  }
}

TEST_F(LoaderTest, OtherRefusalsKeepTheirNumber) {
  file_system_.behaviour.fail_write = 20;
  EXPECT_EQ(NumberOf(Load(MakeRecords(30), 1, 1).status()), ErrorNumber::kNoDiscSpace);
}

TEST_F(LoaderTest, ProgressCanStopTheLoad) {
  for (uint32_t in_flight : {1u, 16u}) {
    file_system_.files[kName].records.clear();
    ListedRecords source(MakeRecords(100));
    absl::StatusOr<std::unique_ptr<File>> file = file_system_.Open(kName, {});
    ASSERT_TRUE(file.ok());
    const absl::StatusOr<uint64_t> written =
        LoadRecords(&source, file->get(), in_flight, [](uint64_t done) { return done < 10; });
    EXPECT_EQ(NumberOf(written.status()), ErrorNumber::kTimedOut);
    EXPECT_EQ(file_system_.files[kName].records.size(), 10u);
  }
}

}  // namespace
}  // namespace bench
}  // namespace quire
