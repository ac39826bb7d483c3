#include "server/btree/errors.h"

#include "absl/strings/escaping.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire::btree_error {
namespace {

constexpr size_t kShownKeyBytes = 64;  // of a key in a message

std::string Shown(std::string_view key) {
  return StrCat("\"", absl::CHexEscape(ToAbsl(key.substr(0, kShownKeyBytes))),
                key.size() > kShownKeyBytes ? "\"…" : "\"");
}

}  // namespace

absl::Status RecordExists(std::string_view key) {
  return MakeError(
      ErrorNumber::kAlreadyExists,
      StrCat("a record with key ", Shown(key), " exists already; update it, or write another key"));
}

absl::Status RecordNotFound(std::string_view key) {
  return MakeError(ErrorNumber::kNotFound, StrCat("there is no record with key ", Shown(key)));
}

absl::Status EndOfSubset() {
  return MakeError(ErrorNumber::kEndOfFile, "no record of the file matches the position asked for");
}

absl::Status TooManyIndexLevels() {
  return MakeError(ErrorNumber::kFileFull,
                   "the index of the file cannot get another level; copy the file to a new one");
}

absl::Status NoFrames(uint32_t blocks) {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   StrCat("the change needs ", blocks,
                          " more blocks in the cache than can be freed now; repeat it after the "
                          "next control point, or give the volume more --cache"),
                   Retry::kSafe);
}

absl::Status BadBlock(FileId file, BlockNumber block, std::string_view reason) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("file id ", file, ", block ", block, ": ", reason,
                          "; the file is damaged: read what can be read and restore it"));
}

absl::Status BadState(FileId file, std::string_view reason) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("file id ", file, ": ", reason,
                          "; the file is damaged: read what can be read and restore it"));
}

}  // namespace quire::btree_error
