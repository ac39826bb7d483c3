#include "server/store/map_advice.h"

#include <sys/mman.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace quire {

MapReadInOrder::MapReadInOrder(const std::string& path) {
  std::error_code failed;
  const std::string whole = std::filesystem::canonical(path, failed).string();
  if (failed) return;
  // "7f00-7f80 r--s 00000000 fe:00 131 /path"
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (!line.ends_with(" " + whole)) continue;
    std::istringstream fields(line);
    Mapping mapping;
    char dash = '\0';
    fields >> std::hex >> mapping.begin >> dash >> mapping.end;
    if (fields && dash == '-') mappings_.push_back(mapping);
  }
  Advise(MADV_NORMAL);
}

MapReadInOrder::~MapReadInOrder() {
  Advise(MADV_RANDOM);
}

void MapReadInOrder::Advise(int advice) const {
  for (const Mapping& mapping : mappings_) {
    madvise(reinterpret_cast<void*>(mapping.begin), mapping.end - mapping.begin, advice);
  }
}

}  // namespace quire
