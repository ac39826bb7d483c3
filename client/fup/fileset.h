// Helpers for filesets, which are names with wild cards.
#ifndef QUIRE_CLIENT_FUP_FILESET_H_
#define QUIRE_CLIENT_FUP_FILESET_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "quire/file_name.h"

namespace quire {

bool HasWildCard(std::string_view text);
bool HasWildCard(const FileName& fileset);

// A set of subvolumes, "[[\node.]$vol.]subvol" or "$vol" with wild cards, as the fileset of all
// their files. Empty text: the default subvolume. A volume alone means all its subvolumes. 13.
absl::StatusOr<FileName> ParseSubvolumeSet(std::string_view text, const NameDefaults& defaults);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_FILESET_H_
