#include "server/volume/security.h"

#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr std::string_view kLetters = "AGONCU-";
constexpr size_t kRights = 4;
constexpr uint32_t kSuper = 255;

}  // namespace

absl::Status CheckSecurityString(std::string_view security) {
  const bool good =
      security.size() == kRights && security.find_first_not_of(kLetters) == std::string_view::npos;
  return good ? absl::OkStatus() : volume_error::BadSecurity(security);
}

absl::Status CheckRight(const VolumeOptions& options, const FileLabel& label, Right right) {
  const uint32_t group = options.default_owner_group;
  const uint32_t user = options.default_owner_user;
  if (group == kSuper && user == kSuper) return absl::OkStatus();
  const auto place = static_cast<size_t>(right);
  // Labels of volumes made before strings were checked: what is not there is not granted.
  const char letter = place < label.security.size() ? label.security[place] : '-';
  const bool same_group = group == label.owner_group;
  bool granted = false;
  switch (letter) {
    case 'A':
    case 'N':
      granted = true;
      break;
    case 'G':
    case 'C':
      granted = same_group;
      break;
    case 'O':
    case 'U':
      granted = same_group && user == label.owner_user;
      break;
    default:
      break;
  }
  if (granted) return absl::OkStatus();
  return volume_error::NotAllowed(label.name, "RWEP"[place], label.security, group, user);
}

}  // namespace quire
