#include <algorithm>

#include "absl/strings/str_format.h"
#include "client/fup/attribute_text.h"
#include "client/fup/listing.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr uint32_t kSuperGroup = 255;
constexpr uint64_t kLabelCapacityBytes = 4096;  // a label has one block of that size
// Partitions, the primary included, that the three kinds of partition array hold (FUP: PART n up
// to 15, 63, 127).
constexpr uint32_t kStandardArray = 16;
constexpr uint32_t kExtendedArray = 64;

class DetailPrinter {
 public:
  DetailPrinter(const FileDescription& description, const ListingTime& time, std::ostream& out)
      : description_(description),
        info_(description.primary),
        partition_(std::min(info_.partition, PartitionCount(info_.attributes) - 1)),
        time_(time),
        out_(out) {}

  void Print() {
    out_ << absl::StrFormat("%-46s %s\n", info_.name.ToString(), DateText(time_.now, time_.zone));
    Line("ENSCRIBE");
    PrintAttributes();
    PrintOwner();
    PrintDates();
    PrintSizes();
  }

 private:
  bool IsSecondary() const { return info_.partition > 0; }

  void Line(const std::string& text) { out_ << "    " << text << "\n"; }

  std::string Date(int64_t us) const { return DateText(absl::FromUnixMicros(us), time_.zone); }

  std::string Used(uint64_t bytes, uint64_t capacity) const {
    const double share =
        capacity == 0 ? 0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(capacity);
    return absl::StrFormat("%d (%.1f%% USED)", bytes, share);
  }

  void PrintAttributes() {
    CreateSettings shown = SettingsOf(info_.attributes);
    if (IsSecondary()) {
      shown.partitions.clear();
      shown.attributes.extents = PartitionExtents(info_.attributes, partition_);
    }
    for (const AttributeLine& line : AttributeLines(shown, PartitionStyle::kInfo)) Line(line.text);
  }

  void PrintOwner() {
    const bool super = info_.owner_group == kSuperGroup && info_.owner_user == kSuperGroup;
    Line(super ? "OWNER -1" : StrCat("OWNER ", info_.owner_group, ",", info_.owner_user));
    Line(StrCat("SECURITY (RWEP): ", info_.security));
    if (IsSecondary()) Line("SECONDARY PARTITION");
  }

  void PrintDates() {
    Line(StrCat("DATA MODIF: ", info_.modified_us == 0 ? "NEVER MODIFIED" : Date(info_.modified_us),
                info_.open_count > 0 ? ", OPEN" : "", info_.bad ? ", BROKEN" : ""));
    Line(StrCat("CREATION DATE: ", Date(info_.created_us)));
    Line(info_.last_open_us == 0 ? "NEVER OPENED"
                                 : StrCat("LAST OPEN: ", Date(info_.last_open_us)));
  }

  void PrintSizes() {
    const FileAttributes& a = info_.attributes;
    Line(StrCat("FILE LABEL: ", Used(info_.label_bytes, kLabelCapacityBytes)));
    Line(StrCat("EOF: ", Used(info_.eof_bytes, CapacityBytes(a, partition_))));
    if (!a.partitions.empty() && !IsSecondary()) PrintAggregate();
    Line(StrCat("EXTENTS ALLOCATED: ", info_.extents_allocated));
    Line(StrCat("INDEX LEVELS: ", info_.index_levels));
    if (a.partitions.empty()) return;
    const uint32_t count = PartitionCount(a);
    Line(StrCat("PARTITION ARRAY ", count <= kStandardArray   ? "STANDARD"
                                    : count <= kExtendedArray ? "EXTENDED"
                                                              : "FORMAT2ENABLED"));
  }

  void PrintAggregate() {
    const FileAttributes& a = info_.attributes;
    uint64_t bytes = info_.eof_bytes;
    uint64_t capacity = CapacityBytes(a, 0);
    bool complete = true;
    const size_t answers = std::min(description_.secondaries.size(), a.partitions.size());
    for (size_t i = 0; i < answers; ++i) {
      const absl::StatusOr<FileInfo>& secondary = description_.secondaries[i];
      if (secondary.ok()) {
        bytes += secondary->eof_bytes;
        capacity += CapacityBytes(a, static_cast<uint32_t>(i) + 1);
        continue;
      }
      complete = false;
      const std::string name = info_.name.OnVolume(a.partitions[i].volume).ToString();
      Line(StrCat("WARNING - ", name, ": FILE SYSTEM ERROR: ERR ",
                  static_cast<int32_t>(NumberOf(secondary.status()))));
      Line(StrCat("    ", ToStd(secondary.status().message())));
    }
    if (complete) Line(StrCat("AGGREGATE EOF: ", Used(bytes, capacity)));
  }

  const FileDescription& description_;
  const FileInfo& info_;
  const uint32_t partition_;  // within the attributes, whatever the label says
  const ListingTime& time_;
  std::ostream& out_;
};

}  // namespace

void PrintInfoDetail(const FileDescription& description, const ListingTime& time,
                     std::ostream& out) {
  DetailPrinter(description, time, out).Print();
}

}  // namespace quire
