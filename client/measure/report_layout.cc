#include "client/measure/report_layout.h"

#include "absl/strings/ascii.h"

namespace quire {
namespace measure {

const ReportLayout& LayoutOf(Entity entity) {
  switch (entity) {
    case Entity::kDisc:
      return DiscLayout();
    case Entity::kDiscopen:
      return DiscopenLayout();
    case Entity::kDiskfile:
      return DiskfileLayout();
    case Entity::kProcess:
      break;
  }
  return ProcessLayout();
}

std::string Printable(std::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = '?';
  }
  return printable;
}

}  // namespace measure
}  // namespace quire
