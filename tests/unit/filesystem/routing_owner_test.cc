#include "client/filesystem/routing_owner.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "tests/unit/filesystem/fake_volume.h"

namespace quire::testing {
namespace {

class RecordingVolume : public FakeVolume {
 public:
  explicit RecordingVolume(std::thread::id* ended_on)
      : FakeVolume("$DATA01"), ended_on_(ended_on) {}
  ~RecordingVolume() override { *ended_on_ = std::this_thread::get_id(); }

 private:
  std::thread::id* const ended_on_;
};

// A volume cannot be ended by one of its own threads, and it is on those that callbacks run.
TEST(RoutingOwnerTest, TheOwnersThreadEndsTheVolumesThoughACallbackLetsGoLast) {
  std::thread::id ended_on;
  std::optional<RoutingOwner> owner;
  owner.emplace(
      std::map<std::string, std::shared_ptr<Service>>{
          {"$DATA01", std::make_shared<RecordingVolume>(&ended_on)}},
      RoutingOptions{});
  std::thread callback([held = owner->get()]() mutable {
    while (held.use_count() > 1) std::this_thread::yield();
    held.reset();
  });
  owner.reset();
  callback.join();
  EXPECT_EQ(ended_on, std::this_thread::get_id());
}

}  // namespace
}  // namespace quire::testing
