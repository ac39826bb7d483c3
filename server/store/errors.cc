#include "server/store/errors.h"

#include <string>

#include "absl/strings/cord.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr char kDamagePayload[] = "quire/store-damage";

absl::Status FileBad(FileId file, BlockNumber block, std::string_view reason) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("file id ", file, ", block ", block, ": ", reason,
                          ". The file is bad; restore it from a copy. Other files can be used"));
}

}  // namespace

absl::Status StoredBlockMissing(FileId file, BlockNumber block) {
  return FileBad(file, block, "the block is not in the store");
}

absl::Status StoredBlockOfOtherSize(FileId file, BlockNumber block, size_t stored_bytes,
                                    size_t expected_bytes) {
  return FileBad(
      file, block,
      StrCat("the stored image has ", stored_bytes, " bytes where ", expected_bytes, " belong"));
}

absl::Status StoredBlockDamaged(FileId file, BlockNumber block, std::string_view reason) {
  return FileBad(file, block, reason);
}

absl::Status StoreCapacityUsedUp(std::string_view directory, uint64_t capacity_bytes) {
  return MakeError(
      ErrorNumber::kNoDiscSpace,
      StrCat("the volume in ", directory, " has used up its capacity of ", capacity_bytes,
             " bytes; purge files or start its server with a larger --capacity"),
      Retry::kSafe);
}

absl::Status StoreDiscFull(std::string_view directory) {
  return MakeError(ErrorNumber::kNoDiscSpace,
                   StrCat("the disc that holds ", directory,
                          " is full; make room on it, or purge files of this volume"),
                   Retry::kSafe);
}

absl::Status StoreFailed(std::string_view directory, std::string_view action,
                         std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("the store in ", directory, " failed to ", action, ": ", reason,
                          ". Check the disc, then start the volume server again"));
}

absl::Status StoreDamaged(std::string_view directory, std::string_view action,
                          std::string_view reason) {
  absl::Status status =
      MakeError(ErrorNumber::kVolumeDown,
                StrCat("the store in ", directory, " is damaged: it failed to ", action, ": ",
                       reason, ". Check the disc and restore the volume's directory from a copy"));
  status.SetPayload(kDamagePayload, absl::Cord());
  return status;
}

bool IsStoreDamage(const absl::Status& status) {
  return status.GetPayload(kDamagePayload).has_value();
}

absl::Status StoreAlreadyOpen(std::string_view directory) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("the store in ", directory,
                          " is already open in this process; give each volume a directory of "
                          "its own"));
}

absl::Status StorePageSizeUnusable(std::string_view directory, uint64_t page_bytes) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("the store in ", directory, " would have pages of ", page_bytes,
                          " bytes; Quire needs 4096. Use a kernel with 4 KiB pages and a "
                          "directory made by one"));
}

absl::Status StoreHasNoFiles() {
  return MakeError(ErrorNumber::kInvalidOperation,
                   "the volume's store is in memory: there is nothing to copy");
}

absl::Status StoreCapacityTooSmall(uint64_t capacity_bytes, uint64_t least_bytes) {
  return MakeError(
      ErrorNumber::kBadParameter,
      StrCat("a capacity of ", capacity_bytes, " bytes is too small; give at least ", least_bytes));
}

}  // namespace quire
