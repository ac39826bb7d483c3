#include "client/bench/peers/server_memory.h"

#include <fstream>
#include <sstream>
#include <string>

#include "quire/text.h"

namespace quire {
namespace bench {

uint64_t HugePageBytesOf(std::string_view status_text) {
  constexpr std::string_view kName = "HugetlbPages:";
  std::istringstream lines{std::string(status_text)};
  std::string line;
  while (std::getline(lines, line)) {
    if (line.compare(0, kName.size(), kName) != 0) continue;
    std::istringstream value(line.substr(kName.size()));
    uint64_t kib = 0;
    return value >> kib ? kib << 10 : 0;
  }
  return 0;
}

uint64_t ServerMemory::Peak() {
  if (sampler_ == nullptr) return 0;
  std::ifstream file(StrCat("/proc/", pids_.front(), "/status"));
  std::ostringstream text;
  text << file.rdbuf();
  const uint64_t huge = HugePageBytesOf(text.str());
  const uint64_t peak = sampler_->Finish() + huge;
  sampler_.reset();
  return peak;
}

}  // namespace bench
}  // namespace quire
