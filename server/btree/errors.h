// Errors of the B-tree: the only place where their numbers and sentences are decided.
#ifndef QUIRE_SERVER_BTREE_ERRORS_H_
#define QUIRE_SERVER_BTREE_ERRORS_H_

#include <string_view>

#include "absl/status/status.h"
#include "server/base/ids.h"

namespace quire::btree_error {

absl::Status RecordExists(std::string_view key);    // 10
absl::Status RecordNotFound(std::string_view key);  // 11
absl::Status EndOfSubset();                         // 1
absl::Status TooManyIndexLevels();                  // 45
// 31: a change needs `blocks` frames of the cache at once.
absl::Status NoFrames(uint32_t blocks);
// 59: the bytes of a block cannot be what this tree wrote there.
absl::Status BadBlock(FileId file, BlockNumber block, std::string_view reason);
// 59: the structural state in the label contradicts the blocks or itself.
absl::Status BadState(FileId file, std::string_view reason);

}  // namespace quire::btree_error

#endif  // QUIRE_SERVER_BTREE_ERRORS_H_
