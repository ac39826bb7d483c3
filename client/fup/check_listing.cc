#include "client/fup/check_listing.h"

#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "quire/text.h"

namespace quire {
namespace {

double Average(uint64_t total, uint64_t count) {
  return count == 0 ? 0.0 : static_cast<double>(total) / static_cast<double>(count);
}

void PrintLevel(const LevelStatistics& level, uint32_t block_bytes, std::string_view volume,
                std::ostream& out) {
  const double slack = Average(level.free_bytes, level.blocks);
  const double percent = block_bytes == 0 ? 0.0 : 100 * slack / block_bytes;
  out << absl::StrFormat("     %-6s%10d%12d%11.1f%8.0f%9.1f",
                         level.level == 0 ? "DATA" : StrCat(level.level), level.blocks,
                         level.records, Average(level.records, level.blocks), slack, percent);
  if (!volume.empty()) out << "    " << volume;
  out << "\n";
}

}  // namespace

void PrintStatistics(const FileName& name, const std::vector<PartitionCheck>& checks,
                     const ListingTime& time, std::ostream& out) {
  out << absl::StrFormat("%-46s %s\n", name.ToString(), DateText(time.now, time.zone))
      << "                TOTAL       TOTAL      AVG #     AVG    AVG %\n"
         "   LEVEL       BLOCKS        RECS       RECS   SLACK    SLACK    PART\n";
  for (const PartitionCheck& check : checks) {
    if (check.levels.empty()) continue;
    for (size_t i = check.levels.size(); i > 0; --i) {
      const bool first = i == check.levels.size();
      PrintLevel(check.levels[i - 1], check.block_bytes, first ? check.file.volume : "", out);
    }
    out << absl::StrFormat("     %-6s%10d\n     %-6s%10d\n", "FREE", check.unused_blocks, "BITMAP",
                           check.bitmap_blocks);
  }
}

void PrintChecked(const PartitionCheck& check, std::ostream& out) {
  uint64_t blocks = check.bitmap_blocks;
  for (const LevelStatistics& level : check.levels) blocks += level.blocks;
  out << check.file.ToString()
      << " IS WHOLE: " << (check.levels.empty() ? 0 : check.levels[0].records) << " RECORDS, "
      << blocks << " BLOCKS\n";
}

nlohmann::json CheckJson(const PartitionCheck& check) {
  nlohmann::json json = {{"name", check.file.ToString()},
                         {"partition", check.partition},
                         {"whole", check.status.ok()},
                         {"block_bytes", check.block_bytes},
                         {"bitmap_blocks", check.bitmap_blocks},
                         {"free_blocks", check.unused_blocks},
                         {"lsn", check.lsn},
                         {"levels", nlohmann::json::array()}};
  if (!check.status.ok()) json["error"] = ErrorJson(check.status);
  for (const LevelStatistics& level : check.levels) {
    json["levels"].push_back({{"level", level.level},
                              {"blocks", level.blocks},
                              {"records", level.records},
                              {"slack_bytes", level.free_bytes}});
  }
  return json;
}

}  // namespace quire
