// A file that appears under its name only when all of it is written.
#ifndef QUIRE_CLIENT_BENCH_OUTPUT_FILE_H_
#define QUIRE_CLIENT_BENCH_OUTPUT_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// Movable. Destroyed before Commit, it leaves nothing behind. Not synced: benchmark output can be
// made again. Special files (/dev/stdout, pipes) are written in place.
class OutputFile {
 public:
  static absl::StatusOr<OutputFile> Create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  absl::Status Write(std::string_view bytes);
  absl::Status Commit();

 private:
  OutputFile(std::string path, std::string written_path, int descriptor)
      : path_(std::move(path)), written_path_(std::move(written_path)), descriptor_(descriptor) {}

  std::string path_;
  std::string written_path_;  // equal to path_ for special files
  int descriptor_;            // -1 after Commit or move
};

// The whole of `bytes` at `path`.
absl::Status WriteFile(const std::string& path, std::string_view bytes);
// The same, its folder made if missing; an empty path: nothing.
absl::Status SaveText(const std::string& path, std::string_view text);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_OUTPUT_FILE_H_
