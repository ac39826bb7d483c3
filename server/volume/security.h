// RWEP security of files (Enscribe: SECURE). Callers have no identity until authentication is
// built: all act as the volume's default user, locally.
#ifndef QUIRE_SERVER_VOLUME_SECURITY_H_
#define QUIRE_SERVER_VOLUME_SECURITY_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "server/keyseq/file_label.h"
#include "server/volume/volume.h"

namespace quire {

// Places of the letters in a security string.
enum class Right : uint8_t { kRead = 0, kWrite = 1, kExecute = 2, kPurge = 3 };

// 22 unless `security` is four of the letters A G O N C U -.
absl::Status CheckSecurityString(std::string_view security);

// 48 unless the caller has the right. A and N: anybody; G and C: the owner's group; O and U: the
// owner; -: the super ID (255,255) alone, which passes every check.
absl::Status CheckRight(const VolumeOptions& options, const FileLabel& label, Right right);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_SECURITY_H_
