#include "client/bench/peers/redis_connection.h"

#include <gtest/gtest.h>

#include "quire/error.h"

namespace quire {
namespace bench {
namespace {

TEST(RedisConnectionTest, FindsFieldsOfInfo) {
  const char* const info = "# Server\r\nredis_version:7.0.15\r\nprocess_id:12\r\nid:3\r\nlast:x";
  EXPECT_EQ(InfoField(info, "redis_version"), "7.0.15");
  EXPECT_EQ(InfoField(info, "id"), "3");  // and not process_id
  EXPECT_EQ(InfoField(info, "last"), "x");
  EXPECT_EQ(InfoField(info, "none"), "");
  EXPECT_EQ(InfoField("", "id"), "");
}

TEST(RedisConnectionTest, SaysWhereNobodyAnswers) {
  EXPECT_EQ(NumberOf(RedisConnection::Connect("nowhere").status()), ErrorNumber::kVolumeDown);
  // Port 1 of the loopback: nothing that a test machine runs listens there.
  EXPECT_EQ(NumberOf(RedisConnection::Connect("127.0.0.1:1").status()), ErrorNumber::kVolumeDown);
}

}  // namespace
}  // namespace bench
}  // namespace quire
