// Error catalogue of the store: one function per error.
//
// The store knows files by number and its own directory; the volume adds file and volume names.
#ifndef QUIRE_SERVER_STORE_ERRORS_H_
#define QUIRE_SERVER_STORE_ERRORS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "server/base/ids.h"

namespace quire {

// 59: a block that should be there is not, or its bytes do not check.
absl::Status StoredBlockMissing(FileId file, BlockNumber block);
absl::Status StoredBlockOfOtherSize(FileId file, BlockNumber block, size_t stored_bytes,
                                    size_t expected_bytes);
absl::Status StoredBlockDamaged(FileId file, BlockNumber block, std::string_view reason);

// 43: nothing was changed, the call may be repeated once there is room.
absl::Status StoreCapacityUsedUp(std::string_view directory, uint64_t capacity_bytes);
absl::Status StoreDiscFull(std::string_view directory);

// 66: the store cannot be used. `action` says what was being done, `reason` what came back.
absl::Status StoreFailed(std::string_view directory, std::string_view action,
                         std::string_view reason);
// The same, when what LMDB wrote is not what is there now: it answers true to IsStoreDamage.
absl::Status StoreDamaged(std::string_view directory, std::string_view action,
                          std::string_view reason);
bool IsStoreDamage(const absl::Status& status);
absl::Status StoreAlreadyOpen(std::string_view directory);
absl::Status StorePageSizeUnusable(std::string_view directory, uint64_t page_bytes);

// 2: a store in memory cannot be copied.
absl::Status StoreHasNoFiles();

// 22: LmdbOptions::capacity_bytes is too small to hold even an empty volume.
absl::Status StoreCapacityTooSmall(uint64_t capacity_bytes, uint64_t least_bytes);

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_ERRORS_H_
