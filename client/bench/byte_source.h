// Where input bytes come from: a file or memory. Not thread safe.
#ifndef QUIRE_CLIENT_BENCH_BYTE_SOURCE_H_
#define QUIRE_CLIENT_BENCH_BYTE_SOURCE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace quire {
namespace bench {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Puts up to `room` bytes (room > 0) into `buffer` and returns how many; 0 at the end.
  virtual absl::StatusOr<size_t> Read(char* buffer, size_t room) = 0;
  // Bytes given out so far and, when known, bytes in all (0: not known). For progress.
  virtual size_t position() const = 0;
  virtual size_t size() const = 0;
};

// 11 when missing, 48 without permission, 22 when it is a directory.
absl::StatusOr<std::unique_ptr<ByteSource>> OpenFileBytes(const std::string& path);
// `bytes` must live as long as the source.
std::unique_ptr<ByteSource> MemoryBytes(std::string_view bytes);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_BYTE_SOURCE_H_
