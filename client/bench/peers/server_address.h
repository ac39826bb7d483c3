// Where the servers of other stores are, said by deploy/bench-peers-servers.sh through the
// environment. Nothing is tried without it: a benchmark empties what it is given.
#ifndef QUIRE_CLIENT_BENCH_PEERS_SERVER_ADDRESS_H_
#define QUIRE_CLIENT_BENCH_PEERS_SERVER_ADDRESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quire {
namespace bench {

// libpq's words: "host=127.0.0.1 port=54321 user=postgres dbname=postgres".
inline constexpr char kPostgresqlVariable[] = "QUIRE_BENCH_POSTGRESQL";
// "127.0.0.1:6401", each of a server of its own.
inline constexpr char kRedisAlwaysVariable[] = "QUIRE_BENCH_REDIS_ALWAYS";
inline constexpr char kRedisEverysecVariable[] = "QUIRE_BENCH_REDIS_EVERYSEC";

// Empty when the environment does not have it.
std::string AddressFrom(const char* variable);

struct HostAndPort {
  std::string host;
  int port = 0;
};
// nullopt unless "host:port" with a port from 1 to 65535.
std::optional<HostAndPort> ParseHostAndPort(std::string_view address);

// How a page says that a store was not measured because the variable is not set.
std::string NotGiven(std::string_view store, const char* variable);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_SERVER_ADDRESS_H_
