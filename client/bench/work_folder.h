// A folder that a run works in.
#ifndef QUIRE_CLIENT_BENCH_WORK_FOLDER_H_
#define QUIRE_CLIENT_BENCH_WORK_FOLDER_H_

#include <string>

#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// A new folder under `parent`, removed with everything in it unless kept.
class WorkFolder {
 public:
  // `parent` empty: where temporary files belong; else made if missing. 11, 43, 48, 22.
  static absl::StatusOr<WorkFolder> Make(const std::string& parent, bool keep);
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();
  const std::string& path() const { return path_; }

 private:
  WorkFolder(std::string path, bool keep) : path_(std::move(path)), keep_(keep) {}
  std::string path_;
  bool keep_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_WORK_FOLDER_H_
