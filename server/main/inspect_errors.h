// Errors of quire-inspect: one function per error.
#ifndef QUIRE_SERVER_MAIN_INSPECT_ERRORS_H_
#define QUIRE_SERVER_MAIN_INSPECT_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace quire::inspect_error {

absl::Status ServedNow(std::string_view directory);                           // 12
absl::Status NoVolume(std::string_view directory, std::string_view reason);   // 66
absl::Status StoreRefused(std::string_view action, std::string_view reason);  // 66
// What lies where a damaged page of data.mdb should lead.
absl::Status StoreDamaged(std::string_view action);                      // 59
absl::Status StoreCutShort(uint64_t file_bytes, uint64_t needed_bytes);  // 59
absl::Status UnknownRecord(uint32_t kind);                               // 59
absl::Status NoSuchFile(std::string_view name);                          // 11
absl::Status NoSuchBlock(std::string_view file, uint32_t block);         // 11
absl::Status BadCommand(std::string_view word);                          // 22
absl::Status BadBlockNumber(std::string_view word);                      // 22

}  // namespace quire::inspect_error

#endif  // QUIRE_SERVER_MAIN_INSPECT_ERRORS_H_
