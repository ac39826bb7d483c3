#include "server/rpc/measure_service.h"

#include "quire/error.h"
#include "tests/unit/rpc/rpc_fixture.h"

namespace quire::test {
namespace {

using MeasureServiceTest = RpcFixture;

TEST_F(MeasureServiceTest, SnapshotRoundTrips) {
  const auto snapshot = [&](const std::string& volume) {
    return Await<MeasureSnapshot>([&](Done<MeasureSnapshot> done) {
      stub_->Snapshot(SnapshotRequest{volume}, std::move(done));
    });
  };
  const absl::StatusOr<MeasureSnapshot> all = snapshot("");
  ASSERT_TRUE(all.ok()) << all.status();
  ASSERT_EQ(all->volumes.size(), 1u);
  EXPECT_EQ(all->volumes[0].volume, "$DATA01");
  EXPECT_EQ(all->volumes[0].records.at(0).counters.at(0).name, "REQUESTS");
  EXPECT_EQ(NumberOf(snapshot("$OTHER").status()), ErrorNumber::kNoSuchVolume);
}

}  // namespace
}  // namespace quire::test
