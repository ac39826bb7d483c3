// The listings of INFO and FILES as text and JSON. They only format: no file system here.
#ifndef QUIRE_CLIENT_FUP_LISTING_H_
#define QUIRE_CLIENT_FUP_LISTING_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "nlohmann/json_fwd.hpp"
#include "quire/file_info.h"

namespace quire {

struct ListingTime {
  absl::Time now;
  absl::TimeZone zone;
};

// "17 Dec 2019, 8:10"
std::string DateText(absl::Time time, const absl::TimeZone& zone);

// INFO: the heading, then a line "$VOLUME.SUBVOL" before the files of each subvolume, and a line a
// file. The time stands alone when a file was modified on the day of the listing.
std::string InfoBriefHeading();
std::string InfoBriefLine(const FileInfo& info, const ListingTime& time);
void PrintInfoBrief(const std::vector<FileInfo>& files, const ListingTime& time, std::ostream& out);

// INFO …, DETAIL of a file, or of one secondary partition (description.primary is then that one).
// A partition that did not answer puts a WARNING in the place of AGGREGATE EOF.
void PrintInfoDetail(const FileDescription& description, const ListingTime& time,
                     std::ostream& out);

// FILES, FILENAMES, SUBVOLS: a heading, then names in columns of 10, 8 a line.
void PrintNames(const std::string& heading, const std::vector<std::string>& names,
                std::ostream& out);
// FILES …, PENDING: what was left of files that were never finished, or are gone (R-D13).
void PrintPending(const std::vector<FileInfo>& files, const ListingTime& time, std::ostream& out);

// JSON with plain numbers; times are Unix microseconds, 0 for never.
nlohmann::json FileInfoJson(const FileInfo& info);
nlohmann::json ErrorJson(const absl::Status& status);
nlohmann::json DescriptionJson(const FileDescription& description);
// Indented; bytes that are not UTF-8 (a server may send any) are replaced, not thrown over.
std::string JsonText(const nlohmann::json& json);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_LISTING_H_
