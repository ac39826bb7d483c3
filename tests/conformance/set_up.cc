#include "tests/conformance/set_up.h"

#include <utility>

#include "client/transport/embedded.h"
#include "quire/error.h"
#include "tests/support/process_fixture.h"
#include "tests/support/test_directory.h"

namespace quire::conformance {
namespace {

constexpr int kPartitions = 4;

class EmbeddedSetUp final : public RunningSetUp {
 public:
  explicit EmbeddedSetUp(bool audit) {
    EmbeddedOptions options;
    options.directory = directory_.path();
    options.volumes = {VolumeName(1)};
    options.volume.capacity_bytes = uint64_t{1} << 30;
    options.volume.trail_segment_bytes = 1 << 20;
    auto volumes = OpenEmbeddedVolumes(options);
    if (!volumes.ok()) {
      ADD_FAILURE() << Describe(volumes.status());
      return;
    }
    files_ = FileSystem::Over(*std::move(volumes), "conformance");
    place_ = {files_.get(), {VolumeName(1)}, audit};
  }
  const Place& place() const override { return place_; }

 private:
  TestDirectory directory_;
  std::unique_ptr<FileSystem> files_;
  Place place_;
};

// Server processes: one volume alone, or volumes behind a router.
class ServerSetUp final : public RunningSetUp, public ClusterTest {
 public:
  explicit ServerSetUp(const std::string& name) {
    const int volumes = name == "partitioned" ? kPartitions : 1;
    if (name == "volume") {
      StartVolume(1);
    } else {
      StartCluster(volumes);
    }
    if (HasFatalFailure()) return;
    // A volume speaks the same services as a router.
    auto connected =
        FileSystem::Connect({.router = name == "volume" ? volume_address(1) : router_address(),
                             .client_name = "conformance"});
    if (!connected.ok()) {
      ADD_FAILURE() << Describe(connected.status());
      return;
    }
    files_ = *std::move(connected);
    place_.files = files_.get();
    for (int number = 1; number <= volumes; ++number) place_.volumes.push_back(VolumeName(number));
  }
  const Place& place() const override { return place_; }

 private:
  void TestBody() override {}

  std::unique_ptr<FileSystem> files_;
  Place place_;
};

}  // namespace

const std::vector<std::string>& SetUpNames() {
  static const auto* const names =
      new std::vector<std::string>{"embedded", "audited", "volume", "router", "partitioned"};
  return *names;
}

std::unique_ptr<RunningSetUp> StartSetUp(const std::string& name) {
  std::unique_ptr<RunningSetUp> started;
  if (name == "embedded" || name == "audited") {
    started = std::make_unique<EmbeddedSetUp>(/*audit=*/name == "audited");
  } else {
    started = std::make_unique<ServerSetUp>(name);
  }
  return started->place().files == nullptr ? nullptr : std::move(started);
}

}  // namespace quire::conformance
