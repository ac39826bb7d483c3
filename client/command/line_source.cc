#include "client/command/line_source.h"

namespace quire {

std::optional<std::string> StreamLines::Next(const std::string& /*prompt*/) {
  std::string line;
  if (!std::getline(input_, line)) return std::nullopt;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

}  // namespace quire
