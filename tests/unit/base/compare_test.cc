#include "server/base/compare.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_random.h"

namespace quire::test {
namespace {

int Sign(int order) {
  return (order > 0) - (order < 0);
}

TEST(CompareKeysTest, OrdersAsStringsOfUnsignedBytes) {
  EXPECT_EQ(CompareKeys("", ""), 0);
  EXPECT_LT(CompareKeys("", "a"), 0);
  EXPECT_GT(CompareKeys("\xff", "a"), 0);
  TestRandom random;
  for (int i = 0; i < 20000; ++i) {
    std::string a(random.Below(20), 'k');
    std::string b(random.Below(20), 'k');
    for (std::string* key : {&a, &b}) {
      if (!key->empty() && random.OneIn(2)) {
        (*key)[random.Below(key->size())] = static_cast<char>(random.Below(256));
      }
    }
    ASSERT_EQ(Sign(CompareKeys(a, b)), Sign(a.compare(b))) << a << " " << b;
  }
}

}  // namespace
}  // namespace quire::test
