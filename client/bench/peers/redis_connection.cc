#include "client/bench/peers/redis_connection.h"

#include <optional>

#include "client/bench/errors.h"
#include "client/bench/peers/errors.h"
#include "client/bench/peers/server_address.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr char kRedis[] = "redis";

}  // namespace

absl::StatusOr<std::unique_ptr<RedisConnection>> RedisConnection::Connect(
    const std::string& address) {
  const std::optional<HostAndPort> where = ParseHostAndPort(address);
  if (!where.has_value()) {
    return ServerNotStarted(kRedis, StrCat(address, " is not host:port"));
  }
  std::unique_ptr<RedisConnection> connection(
      new RedisConnection(redisConnect(where->host.c_str(), where->port)));
  const redisContext* const context = connection->context_.get();
  if (context == nullptr || context->err != 0) {
    return ServerNotStarted(kRedis,
                            context == nullptr ? "no memory" : std::string_view(context->errstr));
  }
  return connection;
}

absl::Status RedisConnection::Send(const std::vector<std::string_view>& words) {
  starts_.clear();
  lengths_.clear();
  for (const std::string_view word : words) {
    starts_.push_back(word.data());
    lengths_.push_back(word.size());
  }
  return redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), starts_.data(),
                                lengths_.data()) == REDIS_OK
             ? absl::OkStatus()
             : PeerRefused(kRedis, words.front(), context_->errstr);
}

absl::StatusOr<RedisReply> RedisConnection::Take() {
  void* taken = nullptr;
  if (redisGetReply(context_.get(), &taken) != REDIS_OK) {
    return PeerRefused(kRedis, "answer", context_->errstr);
  }
  RedisReply reply(static_cast<redisReply*>(taken));
  if (reply->type == REDIS_REPLY_ERROR) return PeerRefused(kRedis, "answer", BytesOf(*reply));
  return reply;
}

absl::Status RedisConnection::TakeAll(size_t count) {
  absl::Status result;
  for (size_t i = 0; i < count; ++i) {
    result.Update(Take().status());
    if (context_->err != 0) break;
  }
  return result;
}

absl::StatusOr<RedisReply> RedisConnection::Run(const std::vector<std::string_view>& words) {
  if (absl::Status s = Send(words); !s.ok()) return s;
  return Take();
}

std::string RedisConnection::Info(std::string_view section, std::string_view field) {
  const absl::StatusOr<RedisReply> reply = Run({"INFO", section});
  return reply.ok() ? InfoField(BytesOf(**reply), field) : "";
}

std::string InfoField(std::string_view text, std::string_view field) {
  const std::string start = StrCat("\n", field, ":");
  const size_t found = text.find(start);
  if (found == std::string_view::npos) return "";
  const std::string_view value = text.substr(found + start.size());
  return std::string(value.substr(0, value.find_first_of("\r\n")));
}

}  // namespace bench
}  // namespace quire
