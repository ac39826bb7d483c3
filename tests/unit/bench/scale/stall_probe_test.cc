#include "client/bench/scale/stall_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/synchronization/notification.h"

namespace quire {
namespace bench {
namespace {

TEST(StallProbeTest, RequestsComeInTurnAndEachHasItsTimes) {
  int first = 0;
  int second = 0;
  absl::Notification enough;
  StallProbe probe({[&] {
                      ++first;
                      return absl::OkStatus();
                    },
                    [&] {
                      if (++second == 3) enough.Notify();
                      return absl::OkStatus();
                    }});
  enough.WaitForNotification();
  const absl::StatusOr<std::vector<StallProbe::Latencies>> latencies = probe.Finish();
  ASSERT_TRUE(latencies.ok());
  EXPECT_EQ(latencies->at(0).ns.size(), static_cast<size_t>(first));
  EXPECT_EQ(latencies->at(1).ns.size(), static_cast<size_t>(second));
  EXPECT_GE(first, second);
}

TEST(StallProbeTest, LongestAndP99) {
  StallProbe::Latencies latencies;
  EXPECT_EQ(latencies.LongestMs(), 0);
  for (int64_t i = 1; i <= 100; ++i) latencies.ns.push_back(i * 1000000);
  EXPECT_DOUBLE_EQ(latencies.LongestMs(), 100);
  EXPECT_DOUBLE_EQ(latencies.P99Ms(), 99);
}

TEST(StallProbeTest, AnErrorEndsIt) {
  absl::Notification called;
  StallProbe probe({[&]() -> absl::Status {
    called.Notify();
    return absl::UnknownError("no");
  }});
  called.WaitForNotification();
  EXPECT_FALSE(probe.Finish().ok());
}

}  // namespace
}  // namespace bench
}  // namespace quire
