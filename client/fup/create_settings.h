// The values of SET: what CREATE makes a file of. They last for the session.
#ifndef QUIRE_CLIENT_FUP_CREATE_SETTINGS_H_
#define QUIRE_CLIENT_FUP_CREATE_SETTINGS_H_

#include <cstdint>
#include <map>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/fup/create_parameter.h"
#include "quire/attributes.h"

namespace quire {

struct CreateSettings {
  FileAttributes attributes;  // its partitions stay empty: SET PART may come in any order
  bool buffered_set = false;  // BUFFERED was said; else it follows AUDIT
  std::map<uint32_t, PartitionSpec> partitions;  // by number, from 1

  bool operator==(const CreateSettings&) const = default;
};

// Applies one parameter; LIKE is not for here (see ApplyLike). A PART of a number that is set
// already replaces it. Nothing changes on error. Errors: 13 volume name.
absl::Status ApplyParameter(const CreateParameter& parameter, CreateSettings& settings);

// LIKE: everything as that file has it (security and owner are not attributes).
void ApplyLike(const FileAttributes& attributes, CreateSettings& settings);

// Back to the default: the named ones, or all when there are none.
void ResetSettings(absl::Span<const CreateKeyword> keywords, CreateSettings& settings);

// The partitions in order. Errors: 22 when a number below the highest is missing, 2 for AUDIT with
// NO BUFFERED.
absl::StatusOr<FileAttributes> AttributesOf(const CreateSettings& settings);
// The other way round.
CreateSettings SettingsOf(const FileAttributes& attributes);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_CREATE_SETTINGS_H_
