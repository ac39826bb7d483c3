#include "client/bench/progress_bar.h"

#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

TEST(ProgressBarTest, Lines) {
  EXPECT_EQ(ProgressLine("A: writing", 55377, 135065, 10),
            "A: writing  [============>                 ]  41 %  55,377 of 135,065  5,537/s");
  EXPECT_EQ(ProgressLine("x", 5, 5, 1), "x  [==============================] 100 %  5 of 5  5/s");
  EXPECT_EQ(ProgressLine("x", 7, 5, 1), "x  [==============================] 100 %  7 of 5  7/s");
  EXPECT_EQ(ProgressLine("sorting", 0, 0, 0), "sorting  0  -");
}

TEST(ProgressBarTest, HiddenBarsWriteNothing) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(false);
    bar.Start("x", 10);
    bar.Show(5);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ProgressBarTest, ShownBarsClearThemselves) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(true);
    bar.Start("x", 10);
    bar.Show(5);
  }
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_NE(written.find("5 of 10"), std::string::npos);
  EXPECT_EQ(written.substr(written.size() - 4), "\r\033[K");
}

}  // namespace
}  // namespace bench
}  // namespace quire
