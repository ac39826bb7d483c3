// One connection to Redis through hiredis, with errors as values.
#ifndef QUIRE_CLIENT_BENCH_PEERS_REDIS_CONNECTION_H_
#define QUIRE_CLIENT_BENCH_PEERS_REDIS_CONNECTION_H_

#include <hiredis/hiredis.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace quire {
namespace bench {

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using RedisReply = std::unique_ptr<redisReply, FreeReply>;
inline std::string_view BytesOf(const redisReply& reply) {
  return {reply.str, reply.len};
}

// One thread at a time. Errors: 22 with the server's words; 66 when it cannot be reached.
class RedisConnection {
 public:
  // "127.0.0.1:6379".
  static absl::StatusOr<std::unique_ptr<RedisConnection>> Connect(const std::string& address);

  // A command and its answer.
  absl::StatusOr<RedisReply> Run(const std::vector<std::string_view>& words);
  // Commands sent without waiting; every one must be taken, in order.
  absl::Status Send(const std::vector<std::string_view>& words);
  absl::StatusOr<RedisReply> Take();
  // Takes so many, and keeps the first failure.
  absl::Status TakeAll(size_t count);

  // A field of INFO, "" when there is none.
  std::string Info(std::string_view section, std::string_view field);

 private:
  struct Free {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  explicit RedisConnection(redisContext* context) : context_(context) {}

  const std::unique_ptr<redisContext, Free> context_;
  std::vector<const char*> starts_;  // of the command being sent
  std::vector<size_t> lengths_;
};

// The value of "field:value\r\n" in INFO's text, "" when there is none.
std::string InfoField(std::string_view text, std::string_view field);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_REDIS_CONNECTION_H_
