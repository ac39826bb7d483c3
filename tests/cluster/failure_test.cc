// One volume of several is down: what the others still do, and which number says what (R-S3).
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class FailureClusterTest : public ClusterTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartCluster(3));
    const CommandResult created = FupScript(
        "SET REC 40\nSET KEYLEN 4\nSET PART (1,$DATA02,10,10,\"H\")\n"
        "SET PART (2,$DATA03,10,10,\"P\")\nCREATE $DATA01.S.PARTS\n");
    ASSERT_EQ(created.exit_code, 0) << created.output;
    filesystem_ = ConnectToVolumes();
    ASSERT_NE(filesystem_, nullptr);
    file_ = Open();
    ASSERT_NE(file_, nullptr);
    for (const char* key : {"A001", "J001", "Q001"}) ASSERT_TRUE(file_->Write(key).ok());
  }
  std::unique_ptr<File> Open() {
    auto file = filesystem_->Open("$DATA01.S.PARTS");
    if (file.ok()) return *std::move(file);
    ADD_FAILURE() << Describe(file.status());
    return nullptr;
  }

  std::unique_ptr<FileSystem> filesystem_;
  std::unique_ptr<File> file_;
};

TEST_F(FailureClusterTest, SecondaryDownLeavesTheOthersUsable_R_S3) {
  volume(2).Kill();
  // The open that stood before.
  EXPECT_TRUE(file_->Write("A002").ok());
  EXPECT_TRUE(file_->Write("Q002").ok());
  EXPECT_THAT(NumberOf(file_->Read("J001").status()),
              AnyOf(ErrorNumber::kVolumeDown, ErrorNumber::kPathDown));
  EXPECT_EQ(NumberOf(file_->Read("J001").status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(file_->Read("Q002").value_or(""), "Q002");

  // A new open comes with warning 3; its missing partition is 72 or 66.
  std::unique_ptr<File> later = Open();
  ASSERT_NE(later, nullptr);
  EXPECT_EQ(later->open_warning(), ErrorNumber::kPartitionFailure);
  const absl::Status missing = later->Write("J002");
  EXPECT_THAT(NumberOf(missing), AnyOf(ErrorNumber::kPartitionMissing, ErrorNumber::kVolumeDown));
  EXPECT_THAT(std::string(missing.message()), HasSubstr("$DATA02"));
  EXPECT_TRUE(later->Write("A003").ok());

  // A scan gives what lies before the dead partition, then its number and the last key.
  std::unique_ptr<Scanner> scan = later->Scan({});
  for (const char* key : {"A001", "A002", "A003"}) {
    const absl::StatusOr<std::string_view> record = scan->Next();
    ASSERT_TRUE(record.ok()) << Describe(record.status());
    EXPECT_EQ(*record, key);
  }
  const absl::Status end = scan->Next().status();
  EXPECT_THAT(NumberOf(end), AnyOf(ErrorNumber::kPartitionMissing, ErrorNumber::kVolumeDown));
  EXPECT_THAT(std::string(end.message()), HasSubstr("A003"));

  // After its restart the partition is there again for whoever opens the file.
  ASSERT_NO_FATAL_FAILURE(StartVolume(2));
  EXPECT_TRUE(WaitUntil([&] {
    auto again = filesystem_->Open("$DATA01.S.PARTS");
    return again.ok() && (*again)->Read("J001").value_or("") == "J001";
  }));
}

TEST_F(FailureClusterTest, PrimaryDownStandingOpensGoOn_R_S3) {
  volume(1).Kill();
  EXPECT_TRUE(file_->Write("J002").ok());
  EXPECT_TRUE(file_->Write("Q002").ok());
  EXPECT_EQ(file_->Read("Q001").value_or(""), "Q001");
  EXPECT_FALSE(file_->Write("A002").ok());
  const auto refused = filesystem_->Open("$DATA01.S.PARTS");
  EXPECT_EQ(NumberOf(refused.status()), ErrorNumber::kVolumeDown) << Describe(refused.status());
}

TEST_F(FailureClusterTest, SecondaryByItsOwnNameIs72_R_S3) {
  const auto refused = filesystem_->Open("$DATA02.S.PARTS");
  EXPECT_EQ(NumberOf(refused.status()), ErrorNumber::kPartitionMissing);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("$DATA01"));
}

TEST_F(FailureClusterTest, RouterComesBackAndKnowsEverything) {
  std::unique_ptr<FileSystem> through_router = ConnectToRouter();
  ASSERT_NE(through_router, nullptr);
  router().Kill();
  ASSERT_NO_FATAL_FAILURE(StartRouter());
  EXPECT_TRUE(WaitUntil([&] {
    auto file = through_router->Open("$DATA01.S.PARTS");
    return file.ok() && (*file)->Read("Q001").value_or("") == "Q001";
  }));
  EXPECT_THAT(Fup("INFO $DATA01.S.PARTS, DETAIL").output, HasSubstr("$DATA03"));
}

}  // namespace
}  // namespace quire
