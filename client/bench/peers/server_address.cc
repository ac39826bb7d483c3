#include "client/bench/peers/server_address.h"

#include <charconv>
#include <cstdlib>

#include "quire/text.h"

namespace quire {
namespace bench {

std::string AddressFrom(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::optional<HostAndPort> ParseHostAndPort(std::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  HostAndPort parsed{.host = std::string(address.substr(0, colon))};
  const char* const end = address.data() + address.size();
  const auto [stop, error] = std::from_chars(address.data() + colon + 1, end, parsed.port);
  if (error != std::errc() || stop != end || parsed.port < 1 || parsed.port > 65535) {
    return std::nullopt;
  }
  return parsed;
}

std::string NotGiven(std::string_view store, const char* variable) {
  return StrCat(store, ": no server given (", variable,
                "; deploy/bench-peers-servers.sh starts one)");
}

}  // namespace bench
}  // namespace quire
