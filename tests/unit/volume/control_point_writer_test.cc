#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "quire/error.h"
#include "server/volume/control_point.h"

namespace quire {
namespace {

// Whoever has the disc process's role may cut a control point while the volume ends: those who wait
// for it are told.
TEST(ControlPointWriterEnd, AJobBehindItIsAnsweredAtOnce) {
  std::vector<ControlPointResult> results;
  ControlPointWriter writer({.store = nullptr,
                             .wait_durable = [](uint64_t) { return absl::OkStatus(); },
                             .done = [&](ControlPointResult r) { results.push_back(std::move(r)); },
                             .tick = [] {},
                             .tick_ms = 1000,
                             .monotonic_us = [] { return int64_t{0}; }});
  writer.Start();
  writer.End();
  writer.End();
  ControlPointJob job;
  job.meta.lsn = 7;
  writer.Submit(std::move(job));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(NumberOf(results[0].commit.status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(results[0].meta.lsn, 7u);
}

}  // namespace
}  // namespace quire
