#include "absl/strings/str_format.h"
#include "client/fup/listing.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr size_t kColumnWidth = 10;
constexpr size_t kNamesPerLine = 8;

}  // namespace

void PrintNames(const std::string& heading, const std::vector<std::string>& names,
                std::ostream& out) {
  out << heading << "\n";
  for (size_t i = 0; i < names.size(); ++i) {
    const bool line_ends = (i + 1) % kNamesPerLine == 0 || i + 1 == names.size();
    if (line_ends) {
      out << names[i] << "\n";
    } else {
      out << absl::StrFormat("%-*s", static_cast<int>(kColumnWidth), names[i]);
    }
  }
}

void PrintPending(const std::vector<FileInfo>& files, const ListingTime& time, std::ostream& out) {
  for (const FileInfo& info : files) {
    out << absl::StrFormat("%-36s PENDING, PART %d OF %s, CREATED %s\n", info.name.ToString(),
                           info.partition, info.primary_volume,
                           DateText(absl::FromUnixMicros(info.created_us), time.zone));
  }
  if (files.empty()) out << "NOTHING PENDING\n";
}

}  // namespace quire
