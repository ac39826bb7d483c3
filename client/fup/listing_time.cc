#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "client/fup/listing.h"

namespace quire {

std::string DateText(absl::Time time, const absl::TimeZone& zone) {
  const absl::CivilSecond at = zone.At(time).cs;
  return absl::StrFormat("%d %s %d, %d:%02d", at.day(), absl::FormatTime("%b", time, zone),
                         at.year(), at.hour(), at.minute());
}

}  // namespace quire
