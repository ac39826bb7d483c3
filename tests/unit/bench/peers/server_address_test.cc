#include "client/bench/peers/server_address.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace quire {
namespace bench {
namespace {

TEST(ServerAddressTest, TakesHostAndPortApart) {
  const std::optional<HostAndPort> parsed = ParseHostAndPort("127.0.0.1:6401");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->host, "127.0.0.1");
  EXPECT_EQ(parsed->port, 6401);
  EXPECT_EQ(ParseHostAndPort("::1:1")->host, "::1");
  EXPECT_EQ(ParseHostAndPort("host:65535")->port, 65535);
}

TEST(ServerAddressTest, RefusesOthers) {
  for (const char* address : {"", "host", ":1", "host:", "host:0", "host:65536", "host:-1",
                              "host:1x", "host: 1", "host:99999999999999999999"}) {
    EXPECT_FALSE(ParseHostAndPort(address).has_value()) << address;
  }
}

TEST(ServerAddressTest, ComesFromTheEnvironmentAlone) {
  unsetenv(kRedisAlwaysVariable);
  EXPECT_EQ(AddressFrom(kRedisAlwaysVariable), "");
  setenv(kRedisAlwaysVariable, "127.0.0.1:1", 1);
  EXPECT_EQ(AddressFrom(kRedisAlwaysVariable), "127.0.0.1:1");
  unsetenv(kRedisAlwaysVariable);
  EXPECT_NE(NotGiven("redis always", kRedisAlwaysVariable).find(kRedisAlwaysVariable),
            std::string::npos);
}

}  // namespace
}  // namespace bench
}  // namespace quire
