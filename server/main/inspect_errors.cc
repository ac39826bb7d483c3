#include "server/main/inspect_errors.h"

#include "quire/error.h"
#include "quire/text.h"

namespace quire::inspect_error {

absl::Status ServedNow(std::string_view directory) {
  return MakeError(
      ErrorNumber::kFileInUse,
      StrCat("a server has the volume in ", directory,
             "; stop it, inspect a copy of the directory, or read its last control point "
             "with --snapshot"));
}

absl::Status NoVolume(std::string_view directory, std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat(directory, " is not the directory of a volume: ", reason));
}

absl::Status StoreRefused(std::string_view action, std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown, StrCat("the store cannot ", action, ": ", reason));
}

absl::Status StoreDamaged(std::string_view action) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("the store cannot ", action, ": pages of store/data.mdb are damaged"));
}

absl::Status StoreCutShort(uint64_t file_bytes, uint64_t needed_bytes) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("store/data.mdb has ", file_bytes, " bytes, but its pages reach to ",
                          needed_bytes, ": it was cut short"));
}

absl::Status UnknownRecord(uint32_t kind) {
  return MakeError(ErrorNumber::kFileBad, StrCat("a record of kind ", kind, ", which is unknown"));
}

absl::Status NoSuchFile(std::string_view name) {
  return MakeError(
      ErrorNumber::kNotFound,
      StrCat("the store has no label of ", name,
             "; \"files\" lists them, and a number such as #3 names a file by its id"));
}

absl::Status NoSuchBlock(std::string_view file, uint32_t block) {
  return MakeError(ErrorNumber::kNotFound, StrCat("the store has no block ", block, " of ", file));
}

absl::Status BadCommand(std::string_view word) {
  return MakeError(ErrorNumber::kBadParameter, StrCat("\"", word, "\" is no command; see --help"));
}

absl::Status BadBlockNumber(std::string_view word) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("\"", word, "\" is no block number (0 to 4294967295)"));
}

}  // namespace quire::inspect_error
