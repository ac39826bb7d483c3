#include "client/bench/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "absl/time/clock.h"
#include "client/bench/text_file.h"
#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

absl::Time Soon() {
  return absl::Now() + absl::Seconds(30);
}

class ChildProcessTest : public testing::Test {
 protected:
  absl::StatusOr<ChildProcess> Shell(const std::string& script) {
    return ChildProcess::Start("/bin/sh", {"-c", script}, log_);
  }

  TestFolder folder_;
  const std::string log_ = folder_.path() + "/log";
};

TEST_F(ChildProcessTest, TellsHowItEnded) {
  absl::StatusOr<ChildProcess> good = Shell("echo hello; echo world >&2");
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->WaitUntil(Soon()), "");
  EXPECT_EQ(*ReadTextFile(log_), "hello\nworld\n");
  absl::StatusOr<ChildProcess> bad = Shell("exit 5");
  ASSERT_TRUE(bad.ok());
  EXPECT_EQ(bad->WaitUntil(Soon()), "exited with code 5");
  absl::StatusOr<ChildProcess> signalled = Shell("kill -9 $$");
  ASSERT_TRUE(signalled.ok());
  EXPECT_EQ(signalled->WaitUntil(Soon()), "was ended by signal 9");
}

TEST_F(ChildProcessTest, WaitsNoLongerThanAsked) {
  absl::StatusOr<ChildProcess> child = Shell("kill -STOP $$");
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(child->WaitUntil(absl::InfinitePast()), std::nullopt);
  const pid_t pid = child->pid();
  child->Kill();
  EXPECT_NE(kill(pid, 0), 0);
  child->Kill();  // a second time does nothing
}

TEST_F(ChildProcessTest, AMissingProgramIsAnErrorOfStart) {
  EXPECT_EQ(NumberOf(ChildProcess::Start(folder_.path() + "/none", {}, log_).status()),
            ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(ChildProcess::Start("/bin/sh", {}, folder_.path() + "/no/log").status()),
            ErrorNumber::kNotFound);
}

}  // namespace
}  // namespace bench
}  // namespace quire
