#include "server/rpc/droppable.h"

#include <future>
#include <memory>
#include <thread>

#include "gtest/gtest.h"

namespace quire {
namespace {

struct Flagged {
  explicit Flagged(bool* flag) : gone(flag) {}
  Flagged(const Flagged&) = delete;
  Flagged& operator=(const Flagged&) = delete;
  ~Flagged() { *gone = true; }
  bool* gone;
};

TEST(DroppableTest, UseWithoutAnObjectDoesNothing) {
  Droppable<int> droppable;
  EXPECT_FALSE(droppable.Use([](int&) { FAIL(); }));
}

TEST(DroppableTest, DropDestroysAtOnceWhenNobodyIsInside) {
  bool gone = false;
  Droppable<Flagged> droppable;
  droppable.Set(std::make_unique<Flagged>(&gone));
  EXPECT_TRUE(droppable.Use([](Flagged&) {}));
  EXPECT_FALSE(gone);
  droppable.Drop();
  EXPECT_TRUE(gone);
  EXPECT_FALSE(droppable.Use([](Flagged&) { FAIL(); }));
}

TEST(DroppableTest, SetAfterDropDestroysAtOnce) {
  bool gone = false;
  Droppable<Flagged> droppable;
  droppable.Drop();
  droppable.Set(std::make_unique<Flagged>(&gone));
  EXPECT_TRUE(gone);
}

TEST(DroppableTest, DropFromInsideWaitsForTheUser) {
  bool gone = false;
  Droppable<Flagged> droppable;
  droppable.Set(std::make_unique<Flagged>(&gone));
  droppable.Use([&](Flagged&) {
    droppable.Drop();
    EXPECT_FALSE(gone);
  });
  EXPECT_TRUE(gone);
}

TEST(DroppableTest, DropWhileAnotherThreadIsInside) {
  bool gone = false;
  Droppable<Flagged> droppable;
  droppable.Set(std::make_unique<Flagged>(&gone));
  std::promise<void> inside;
  std::promise<void> dropped;
  std::thread user([&] {
    droppable.Use([&](Flagged&) {
      inside.set_value();
      dropped.get_future().wait();
    });
  });
  inside.get_future().wait();
  droppable.Drop();
  dropped.set_value();
  user.join();
  EXPECT_TRUE(gone);
}

}  // namespace
}  // namespace quire
