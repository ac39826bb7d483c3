// Small files as a whole.
#ifndef QUIRE_CLIENT_BENCH_TEXT_FILE_H_
#define QUIRE_CLIENT_BENCH_TEXT_FILE_H_

#include <string>

#include "absl/status/statusor.h"

namespace quire {
namespace bench {

inline constexpr size_t kMaxTextFileBytes = size_t{64} << 20;

// Errors of OpenFileBytes; 22 when larger than kMaxTextFileBytes.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_TEXT_FILE_H_
