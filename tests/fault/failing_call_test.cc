// Every system call on the volume's files fails in every way that matters, in a real server: each
// ends in the state that server/volume/FAILURES.md promises (R-D8), and afterwards a server without
// the fault finds every acknowledged change.
#include "tests/fault/failing_call.h"

#include <signal.h>

#include <cstring>
#include <string>

#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/fault/fault_fixture.h"

namespace quire::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr int kNotStartedCode = 3;
constexpr int kLatchedCode = 10;
// Enough for several segments of the trail and many control points.
constexpr int kMostSteps = 3000;
constexpr int kStepsAfterFault = 40;

class FailingCallTest : public FaultTest, public testing::WithParamInterface<FailingCall> {
 protected:
  void Prepare() {
    control().call = GetParam().call;
    control().effect = GetParam().effect;
    control().repeats = GetParam().lasts ? 1 : 0;
    control().least_bytes = GetParam().least_bytes;
    control().most_bytes = GetParam().most_bytes;
    std::strncpy(control().path_end, GetParam().path_end.c_str(), sizeof(control().path_end) - 1);
    // Freed segments would serve as well as new ones.
    if (GetParam().path_end == ".new") steps_per_control_point_ = 0;
    Arm();
  }

  void SomeSteps(int count) {
    for (int i = 0; i < count; ++i) {
      const absl::Status status = Step();
      ASSERT_TRUE(status.ok()) << Describe(status);
    }
  }

  // Until something is refused, or enough has gone well after the fault.
  absl::Status StepsUntilRefused() {
    int after = 0;
    const int enough = GetParam().end == EndState::kUnharmed ? kStepsAfterFault : kMostSteps;
    for (int i = 0; i < kMostSteps && after < enough; ++i) {
      if (absl::Status status = Step(); !status.ok()) return status;
      if (control().failed.load() > 0) ++after;
    }
    EXPECT_GT(control().failed.load(), 0u) << "the call was never made";
    return absl::OkStatus();
  }

  void ExpectLatched(const absl::Status& first) {
    EXPECT_EQ(NumberOf(first), ErrorNumber::kVolumeDown) << Describe(first);
    // The server answers so while it is there; when it ends meanwhile, the library gives up.
    EXPECT_THAT(NumberOf(Step()), AnyOf(ErrorNumber::kVolumeDown, ErrorNumber::kPathDown));
    EXPECT_EQ(volume(1).WaitForExit(), kLatchedCode) << volume_log(1);
    EXPECT_THAT(volume_log(1), HasSubstr("the volume is latched"));
    EXPECT_EQ(control().syncs_after.load(), 0u) << "a sync was tried again";
    EXPECT_EQ(control().writes_after.load(), 0u) << "a write went on after a failed sync";
  }

  void ExpectRoomComesBack(const absl::Status& first) {
    EXPECT_EQ(NumberOf(first), ErrorNumber::kNoDiscSpace) << Describe(first);
    EXPECT_TRUE(volume(1).Running());
    OpenFiles();
    VerifyRecords();  // reads go on
    Disarm();
    steps_per_control_point_ = 8;
    EXPECT_TRUE(WaitUntil([&] { return Step().ok(); })) << volume_log(1);
    EXPECT_TRUE(WaitUntil([&] { return filesystem().Refresh("").ok(); }));
    SomeSteps(kStepsAfterFault);
  }

  void RestartAndVerify() {
    Disarm();
    Close();
    if (volume(1).Running()) volume(1).Kill();
    ASSERT_NO_FATAL_FAILURE(Start());
    ASSERT_NO_FATAL_FAILURE(OpenFiles());
    VerifyRecords();
    SomeSteps(3);
  }

  void ExpectNotStarted() {
    const CommandResult refused =
        Run("quire-volume",
            {"--name", "$DATA01", "--directory", volume_directory(1), "--capacity", "1GiB",
             "--trail-segment", "256KiB", "--trail-sync", "fdatasync", "--listen", "127.0.0.1:0",
             "--port-file", StrCat(folder(), "/refused.port")},
            environment());
    EXPECT_GT(control().failed.load(), 0u) << "the call was never made: " << refused.output;
    EXPECT_EQ(refused.exit_code, kNotStartedCode) << refused.output;
    EXPECT_THAT(refused.output, HasSubstr("error"));
    EXPECT_THAT(refused.output, testing::Not(HasSubstr("listening on")));
    EXPECT_EQ(control().syncs_after.load(), 0u) << "a sync was tried again";
  }
};

// The whole life: some changes, a start, the fault, and a start without it.
TEST_P(FailingCallTest, EndsInItsState_R_D8) {
  const FailingCall& row = GetParam();
  if (row.when == FailsWhen::kFirstStart) {
    Prepare();
    ExpectNotStarted();
    Disarm();
    ASSERT_NO_FATAL_FAILURE(Start());
    ASSERT_NO_FATAL_FAILURE(CreateFiles());
    SomeSteps(20);
    return RestartAndVerify();
  }
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(CreateFiles());
  SomeSteps(20);
  Close();
  volume(1).Kill();
  if (row.when == FailsWhen::kStart) {
    Prepare();
    if (row.end == EndState::kNotStarted) {
      ExpectNotStarted();
    } else {
      ASSERT_NO_FATAL_FAILURE(Start());
      EXPECT_GT(control().failed.load(), 0u) << "the call was never made";
    }
    return RestartAndVerify();
  }
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(OpenFiles());
  if (row.when == FailsWhen::kStop) {
    SomeSteps(3);
    Prepare();
    volume(1).Signal(SIGTERM);
    EXPECT_EQ(volume(1).WaitForExit(), kLatchedCode) << volume_log(1);
    EXPECT_THAT(volume_log(1), HasSubstr("the volume is latched"));
    return RestartAndVerify();
  }
  Prepare();
  const absl::Status refused = StepsUntilRefused();
  switch (row.end) {
    case EndState::kLatched:
      ExpectLatched(refused);
      break;
    case EndState::kNoRoom:
      ExpectRoomComesBack(refused);
      break;
    default:
      EXPECT_TRUE(refused.ok()) << Describe(refused);
      break;
  }
  RestartAndVerify();
}

INSTANTIATE_TEST_SUITE_P(FailingCalls, FailingCallTest, testing::ValuesIn(AllFailingCalls()),
                         [](const auto& row) { return row.param.name; });

// The page and the table say the same: a row "| name | end state |" for each.
TEST(FailuresPageTest, HasTheRowsOfTheTable) {
  const std::string page = ReadWholeFile(StrCat(QUIRE_SOURCE_DIR, "/server/volume/FAILURES.md"));
  size_t rows = 0;
  for (size_t at = page.find("\n| `"); at != std::string::npos; at = page.find("\n| `", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, AllFailingCalls().size());
  for (const FailingCall& row : AllFailingCalls()) {
    EXPECT_THAT(page, HasSubstr(StrCat("\n| `", row.name, "` | ", EndStateWord(row.end), " |")));
  }
}

}  // namespace
}  // namespace quire::test
