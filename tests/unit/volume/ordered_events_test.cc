#include "server/volume/ordered_events.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace quire {
namespace {

TEST(OrderedEvents, DeliversInTheOrderOfPlaces) {
  OrderedEvents order;
  std::vector<int> seen;
  const uint64_t first = order.Reserve();
  const uint64_t second = order.Reserve();
  const uint64_t third = order.Reserve();
  order.Complete(third, [&] { seen.push_back(3); });
  order.Complete(second, [&] { seen.push_back(2); });
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(order.outstanding(), 3U);
  order.Complete(first, [&] { seen.push_back(1); });
  EXPECT_EQ(seen, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(order.outstanding(), 0U);
}

TEST(OrderedEvents, AnEventMayReserveAndComplete) {
  OrderedEvents order;
  std::vector<int> seen;
  order.Complete(order.Reserve(), [&] {
    seen.push_back(1);
    order.Complete(order.Reserve(), [&] { seen.push_back(2); });
  });
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
}

TEST(OrderedEvents, ThreadsCompleteInAnyOrder) {
  constexpr int kEvents = 10000;
  OrderedEvents order;
  std::vector<int> seen;
  for (int i = 0; i < kEvents; ++i) order.Reserve();
  const auto complete = [&](int first) {
    for (int i = first; i < kEvents; i += 2) {
      order.Complete(static_cast<uint64_t>(i), [&seen, i] { seen.push_back(i); });
    }
  };
  std::thread even(complete, 0);
  std::thread odd(complete, 1);
  even.join();
  odd.join();
  ASSERT_EQ(seen.size(), static_cast<size_t>(kEvents));
  for (int i = 0; i < kEvents; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

}  // namespace
}  // namespace quire
