#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "client/fup/listing.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr uint32_t kSuperGroup = 255;
constexpr int kEofEnd = 34;  // columns up to and including EOF; a larger EOF shifts its line

std::string OwnerText(const FileInfo& info) {
  if (info.owner_group == kSuperGroup && info.owner_user == kSuperGroup) return "-1";
  return StrCat(info.owner_group, ",", info.owner_user);
}

// "2MAR2024", empty on the day of the listing.
std::string DayText(absl::Time time, const ListingTime& listing) {
  const absl::CivilDay day(listing.zone.At(time).cs);
  if (day == absl::CivilDay(listing.zone.At(listing.now).cs)) return "";
  return absl::AsciiStrToUpper(
      absl::StrFormat("%d%s%d", day.day(), absl::FormatTime("%b", time, listing.zone), day.year()));
}

}  // namespace

std::string InfoBriefHeading() {
  return "                  CODE         EOF      LAST MODIF      OWNER  RWEP  TYPE   REC    BL";
}

std::string InfoBriefLine(const FileInfo& info, const ListingTime& time) {
  const FileAttributes& a = info.attributes;
  const std::string state = StrCat(info.open_count > 0 ? "O" : "", info.bad ? "B" : "");
  const std::string letters = StrCat(a.audit ? "A" : "", a.format == 2 ? "+" : "");
  const std::string left = absl::StrFormat("  %-10s%-4s%5s%s", info.name.file, state,
                                           a.code == 0 ? "" : StrCat(a.code), letters);
  const std::string eof = StrCat(info.eof_bytes);
  const int width =
      std::max(static_cast<int>(eof.size()) + 1, kEofEnd - static_cast<int>(left.size()));

  std::string day;
  std::string clock;
  if (info.modified_us != 0) {
    const absl::Time modified = absl::FromUnixMicros(info.modified_us);
    const absl::CivilSecond at = time.zone.At(modified).cs;
    day = DayText(modified, time);
    clock = absl::StrFormat("%d:%02d", at.hour(), at.minute());
  }
  const std::string type = StrCat(info.partition > 0     ? "X"
                                  : a.partitions.empty() ? " "
                                                         : "P",
                                  std::string(1, a.type), " ");
  return absl::StrFormat("%s%*s%11s%6s%9s   %-4s   %s%7d%6d", left, width, eof, day, clock,
                         OwnerText(info), info.security, type, a.record_bytes, a.block_bytes);
}

void PrintInfoBrief(const std::vector<FileInfo>& files, const ListingTime& time,
                    std::ostream& out) {
  out << InfoBriefHeading() << "\n";
  std::string subvolume;
  for (const FileInfo& info : files) {
    std::string own = info.name.node.empty() ? "" : info.name.node + ".";
    StrAppend(&own, info.name.volume, ".", info.name.subvolume);
    if (own != subvolume) out << own << "\n";
    subvolume = own;
    out << InfoBriefLine(info, time) << "\n";
  }
}

}  // namespace quire
