#include "client/bench/text_file.h"

#include <array>
#include <cerrno>
#include <memory>

#include "client/bench/byte_source.h"
#include "client/bench/errors.h"

namespace quire {
namespace bench {

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  absl::StatusOr<std::unique_ptr<ByteSource>> bytes = OpenFileBytes(path);
  if (!bytes.ok()) return bytes.status();
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    absl::StatusOr<size_t> got = (*bytes)->Read(buffer.data(), buffer.size());
    if (!got.ok()) return got.status();
    if (*got == 0) return text;
    if (text.size() + *got > kMaxTextFileBytes) return CannotRead(path, EFBIG);
    text.append(buffer.data(), *got);
  }
}

}  // namespace bench
}  // namespace quire
