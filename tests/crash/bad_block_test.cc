// A block whose bytes come back wrong: error 59 for its file, naming the block; every other file of
// the volume serves on, in every mode (R-D14).
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "server/keyseq/file_label.h"
#include "tests/crash/history.h"
#include "tests/crash/recovery_check.h"
#include "tests/crash/simulated_machine.h"
#include "tests/support/blocking.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr int kRounds = 30;

class BadBlockTest : public ::testing::TestWithParam<Mode> {
 protected:
  // The label of `file` as the disc has it.
  static FileLabel LabelOf(const DiscImage& image, int file) {
    const auto labels = OpenMemoryStore(image.disc, uint64_t{1} << 30)->ReadLabels();
    for (const auto& [id, bytes] : *labels) {
      absl::StatusOr<FileLabel> label = DecodeLabel(bytes);
      if (label.ok() && !label->purged && label->name == *ParseFileName(NameOfFile(file))) {
        return *std::move(label);
      }
    }
    ADD_FAILURE() << "no label of file " << file;
    return {};
  }

  static absl::StatusOr<std::vector<std::string>> Scan(Volume& volume, int file) {
    ScanRequest scan;
    scan.file = ReferenceTo(file);
    return ScanAll(volume, scan);
  }
};

TEST_P(BadBlockTest, Is59ForItsFileAndTheOthersServe) {
  TestRandom random;
  const int bad = GetParam() == Mode::kWriteThrough ? 0 : GetParam() == Mode::kAudit ? 2 : 4;
  ASSERT_EQ(SteadyMode(bad), GetParam());
  DiscImage image;
  {
    SimulatedMachine machine(image, 0, 0, 0);
    absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(machine.Connect(SmallVolume(0)));
    ASSERT_TRUE(volume.ok()) << Describe(volume.status());
    History history(random.Below(uint64_t{1} << 62));
    history.Run(**volume, kRounds);
    ASSERT_TRUE(history.wrong_answers().empty()) << history.wrong_answers().front();
  }
  const FileLabel label = LabelOf(image, bad);
  const BlockNumber block = label.tree.root;
  ASSERT_TRUE(image.disc->Damage(label.id, block, static_cast<uint32_t>(random.Below(400))));

  SimulatedMachine machine(image, 0, 0, 0);
  absl::StatusOr<std::unique_ptr<Volume>> volume = Volume::Open(machine.Connect(SmallVolume(0)));
  ASSERT_TRUE(volume.ok()) << Describe(volume.status());
  const absl::Status found = Scan(**volume, bad).status();
  EXPECT_EQ(NumberOf(found), ErrorNumber::kFileBad) << Describe(found);
  EXPECT_THAT(std::string(found.message()), testing::HasSubstr(StrCat("block ", block)));
  for (int file = 0; file < kSteadyFiles; ++file) {
    if (file == bad) continue;
    const auto records = Scan(**volume, file);
    ASSERT_TRUE(records.ok()) << Describe(records.status());
    EXPECT_EQ(records->size(), LabelOf(image, file).tree.record_count);
    Operation write;
    write.kind = OperationKind::kUpdate;
    const std::string record = records->empty() ? RecordText(0, 1) : records->front();
    write.record = record;
    if (records->empty()) write.kind = OperationKind::kWrite;
    EXPECT_TRUE(RunOne(**volume, ReferenceTo(file), write).ok());
  }
  EXPECT_TRUE((*volume)->Health().ok());
}

INSTANTIATE_TEST_SUITE_P(Modes, BadBlockTest,
                         testing::Values(Mode::kWriteThrough, Mode::kAudit, Mode::kBuffered),
                         [](const testing::TestParamInfo<Mode>& mode) {
                           switch (mode.param) {
                             case Mode::kWriteThrough:
                               return "WriteThrough";
                             case Mode::kAudit:
                               return "Audit";
                             default:
                               return "Buffered";
                           }
                         });

}  // namespace
}  // namespace quire::test
