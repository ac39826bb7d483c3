#include "server/cache/frame_list.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(FrameList, KeepsOrderAndTakesFromAnywhere) {
  FrameList list;
  Frame a;
  Frame b;
  Frame c;
  list.PushBack(&a);
  list.PushBack(&b);
  list.PushBack(&c);
  EXPECT_EQ(list.size(), 3u);
  list.Remove(&b);
  EXPECT_EQ(list.front(), &a);
  list.PushBack(&b);
  list.Remove(&a);
  EXPECT_EQ(list.front(), &c);
  list.Remove(&c);
  EXPECT_EQ(list.front(), &b);
  list.Remove(&b);
  EXPECT_EQ(list.front(), nullptr);
  EXPECT_EQ(list.size(), 0u);
}

}  // namespace
}  // namespace quire
