// H5: a small volume directory of each format, kept as text, is opened: what was placed in its
// store and what is in its trail only are both there, and the volume is of the newest format
// afterwards. Anything of a newer format than this program's is refused, with both numbers.
//
// version_1/directory.txt was made by the last program that wrote format 1, with the same history
// as below, and is never made again. That of version 2 was made by this test with
// QUIRE_REWRITE_COMPAT=1; never again once version 2 is released.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "server/volume/volume_identity.h"
#include "tests/compat/kept_volume.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace {

// An open that had two mutations answered, one before the control point and one behind it.
constexpr uint64_t kOpenId = 77;
constexpr uint64_t kItsEpoch = 1;
constexpr int kItsKey = 90;

std::string TextPath(int version) {
  return StrCat(QUIRE_SOURCE_DIR, "/tests/compat/version_", version, "/directory.txt");
}

std::string Text(int version) {
  std::ifstream in(TextPath(version));
  EXPECT_TRUE(in.is_open()) << TextPath(version);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Where the bytes of an entry begin in the text.
size_t BytesOf(const std::string& text, const std::string& entry) {
  const size_t at = text.find(entry + "\n");
  EXPECT_NE(at, std::string::npos) << entry;
  return at + entry.size() + 1;
}

OpenRequest TheOpen() {
  OpenRequest request;
  request.file = KeptReference(kKeptWriteThrough);
  request.file.open_id = kOpenId;
  return request;
}

OperationBatch ItsMutation(uint64_t sequence) {
  OperationBatch batch = test::OneWrite(test::SmallRecord(kItsKey));
  batch.first_sequence = sequence;
  return batch;
}

ErrorNumber AnswerOf(const BatchResult& result) {
  return NumberOf(result.results.at(0).status);
}

void RewriteNewest() {
  const TestDirectory directory;
  const VolumeOptions options = KeptOptions(directory.path() + "/v");
  auto volume = *Volume::Open(options);
  ASSERT_EQ(volume->epoch(), kItsEpoch);
  KeptCreate(*volume, test::SmallFile(kKeptWriteThrough, test::FileMode::kWriteThrough));
  KeptCreate(*volume, test::SmallFile(kKeptBuffered, test::FileMode::kBuffered));
  KeptCreate(*volume, test::SmallFile(kKeptAudited, test::FileMode::kAudit));
  auto session = std::make_unique<test::KeptSession>(*volume, TheOpen());
  ASSERT_TRUE(session->opened().ok());
  for (int key = 1; key <= kInTrail; ++key) {
    ASSERT_TRUE(KeptWrite(*volume, kKeptWriteThrough, key).ok());
    ASSERT_TRUE(KeptWrite(*volume, kKeptAudited, key).ok());
    if (key <= kPlaced) {
      ASSERT_TRUE(KeptWrite(*volume, kKeptBuffered, key).ok());
    }
    if (key != kPlaced) continue;
    EXPECT_EQ(AnswerOf(session->Submit(ItsMutation(1))), ErrorNumber::kOk);
    KeptRefresh(*volume);
    // In an epoch of its own, so that one has ended.
    session.reset();
    volume->Crash();
    volume.reset();
    volume = *Volume::Open(options);
    OpenRequest resumed = TheOpen();
    resumed.resume = OpenResume{OpenState{{}, 0, {PartitionMark{.epoch = kItsEpoch}}}, 0};
    session = std::make_unique<test::KeptSession>(*volume, resumed);
    EXPECT_EQ(AnswerOf(session->Submit(ItsMutation(2))), ErrorNumber::kAlreadyExists);
  }
  session.reset();
  volume->Crash();
  volume.reset();
  std::ofstream(TextPath(kVolumeFormat)) << DescribeDirectory(directory.path() + "/v");
}

class DirectoryTest : public testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() {
    if (std::getenv("QUIRE_REWRITE_COMPAT") != nullptr) RewriteNewest();
  }

  static void ExpectRecords(Volume& volume, const char* name, int last) {
    SCOPED_TRACE(name);
    for (int key = 1; key <= last + 1; ++key) {
      const std::string bytes = test::SmallKey(key);
      const auto found =
          test::RunOne(volume, KeptReference(name), test::Keyed(OperationKind::kRead, bytes));
      if (key > last) {
        EXPECT_EQ(NumberOf(found.status()), ErrorNumber::kNotFound);
        continue;
      }
      ASSERT_TRUE(found.ok()) << key << ": " << Describe(found.status());
      EXPECT_EQ(*found, test::SmallRecord(key));
    }
  }

  std::string Made(const std::string& text) {
    const std::string path = directory_.path() + "/v";
    MakeDirectory(text, path);
    return path;
  }

  TestDirectory directory_;
};

TEST_P(DirectoryTest, H5_IsOpenedAndBroughtUpToDate) {
  const std::string text = Text(GetParam());
  EXPECT_LT(text.size(), 200u << 10) << "kept with the source: small";
  EXPECT_EQ(text.substr(BytesOf(text, "meta volume"), 2), StrCat("0", GetParam()));
  const std::string path = Made(text);
  for (int start = 0; start < 2; ++start) {
    auto volume = Volume::Open(KeptOptions(path));
    ASSERT_TRUE(volume.ok()) << Describe(volume.status());
    EXPECT_TRUE((*volume)->CheckTrees().ok());
    if (start == 0) {
      EXPECT_GT((*volume)->Recovered().replayed.records, 0u) << "some of it is in the trail only";
    }
    ExpectRecords(**volume, kKeptWriteThrough, kInTrail);
    ExpectRecords(**volume, kKeptBuffered, kPlaced);
    if (GetParam() >= 2) ExpectRecords(**volume, kKeptAudited, kInTrail);
  }
  const std::string now = DescribeDirectory(path);
  EXPECT_EQ(now.substr(BytesOf(now, "meta volume"), 2), StrCat("0", int{kVolumeFormat}));
  BytesOf(now, "meta saved-answers");
  BytesOf(now, "meta covered-epochs");
}

INSTANTIATE_TEST_SUITE_P(Versions, DirectoryTest, testing::Values(1, 2));

using NewestDirectoryTest = DirectoryTest;

TEST_P(NewestDirectoryTest, H5_AnOpenFindsItsAnswers) {
  auto volume = Volume::Open(KeptOptions(Made(Text(GetParam()))));
  ASSERT_TRUE(volume.ok()) << Describe(volume.status());
  // Both would be answered otherwise now.
  const std::string key = test::SmallKey(kItsKey);
  ASSERT_TRUE(test::RunOne(**volume, KeptReference(kKeptWriteThrough),
                           test::Keyed(OperationKind::kDelete, key))
                  .ok());
  OpenRequest resumed = TheOpen();
  resumed.resume = OpenResume{OpenState{{}, 0, {PartitionMark{.epoch = kItsEpoch}}}, 0};
  test::KeptSession session(**volume, resumed);
  ASSERT_TRUE(session.opened().ok()) << Describe(session.opened().status());
  EXPECT_TRUE(session.opened()->answers_kept);
  EXPECT_EQ(AnswerOf(session.Submit(ItsMutation(2))), ErrorNumber::kAlreadyExists);
  EXPECT_EQ(AnswerOf(session.Submit(ItsMutation(1))), ErrorNumber::kOk);
  EXPECT_EQ(NumberOf(test::RunOne(**volume, KeptReference(kKeptWriteThrough),
                                  test::Keyed(OperationKind::kRead, key))
                         .status()),
            ErrorNumber::kNotFound)
      << "a repeated write was done again";
}

TEST_P(NewestDirectoryTest, H5_NewerFormatsAreRefusedWithBothNumbers) {
  const struct {
    const char* entry;
    int known;
  } kCases[] = {{"meta volume", kVolumeFormat},
                {"meta control-point", 1},
                {"meta saved-answers", 1},
                {"meta covered-epochs", 1},
                {"label 1", 2}};
  for (const auto& one : kCases) {
    SCOPED_TRACE(one.entry);
    std::string text = Text(GetParam());
    text.replace(BytesOf(text, one.entry), 2, "09");
    const TestDirectory directory;
    MakeDirectory(text, directory.path() + "/v");
    const auto volume = Volume::Open(KeptOptions(directory.path() + "/v"));
    ASSERT_EQ(NumberOf(volume.status()), ErrorNumber::kFileBad);
    EXPECT_NE(Describe(volume.status())
                  .find(StrCat(" 9, this program knows up to ", one.known,
                               "; start the newer program that wrote it")),
              std::string::npos)
        << Describe(volume.status());
  }
}

INSTANTIATE_TEST_SUITE_P(Newest, NewestDirectoryTest, testing::Values(int{kVolumeFormat}));

}  // namespace
}  // namespace quire
