// Guardian file names: [\node.][$volume.][subvolume.]file-id
//
//   node    \ and 1-7 letters or digits, letter first
//   volume  $ and 1-7 letters or digits, letter first
//   subvolume, file-id  1-8 letters or digits, letter first
//
// Names are held in upper case. Missing leading parts come from defaults. Errors: 13.
#ifndef QUIRE_FILE_NAME_H_
#define QUIRE_FILE_NAME_H_

#include <compare>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace quire {

struct FileName {
  std::string node;       // "\NODE" or empty: the local node
  std::string volume;     // "$DATA01"
  std::string subvolume;  // "MEASURE"
  std::string file;       // "OUTFILE"

  auto operator<=>(const FileName&) const = default;

  // "$DATA01.MEASURE.OUTFILE"; with the node in front when there is one.
  std::string ToString() const;
  // The same file on another volume: how a secondary partition is named.
  FileName OnVolume(std::string_view other) const;
};

// Defaults for missing parts; empty members mean "no default" and then a missing part is 13.
struct NameDefaults {
  std::string node;
  std::string volume;
  std::string subvolume;
};

// Parses one name. A name that starts with "." gets the hint that the shell removed "$VOLUME"
// (R-A6): '$DATA01.X.Y' typed without quotes arrives as ".X.Y".
absl::StatusOr<FileName> ParseFileName(std::string_view text, const NameDefaults& defaults = {});

// Whether the name is as ParseFileName gives names: all parts there (a node need not be),
// well-formed and in upper case. Costs no memory.
bool IsFileName(const FileName& name);

// "$data01" -> "$DATA01"; 13 when malformed.
absl::StatusOr<std::string> ParseVolumeName(std::string_view text);
// "[\node.]$vol[.subvol]" or "subvol", as FUP's VOLUME takes it; parts not given come from
// `current`. Errors and hint as ParseFileName.
absl::StatusOr<NameDefaults> ParseDefaults(std::string_view text, const NameDefaults& current);

// Wild cards of a fileset part: '*' is 0 to 8 characters, '?' exactly one. Both in upper case.
bool MatchesPart(std::string_view pattern, std::string_view text);

// A fileset: parts may hold wild cards. Same defaults and errors as ParseFileName.
absl::StatusOr<FileName> ParseFileset(std::string_view text, const NameDefaults& defaults = {});
bool MatchesFileset(const FileName& fileset, const FileName& name);

}  // namespace quire

#endif  // QUIRE_FILE_NAME_H_
