// Labels by which single calls, scans and loads are routed: asked for once from the primary's
// volume, kept until a volume says that they are stale (60). Labels of files with LOOKASIDE FREEZE
// also outlive a shortage of room, until a REFRESH of their volume. Any thread.
#ifndef QUIRE_CLIENT_FILESYSTEM_LABEL_CACHE_H_
#define QUIRE_CLIENT_FILESYSTEM_LABEL_CACHE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "quire/file_info.h"
#include "quire/file_name.h"
#include "quire/mutex.h"

namespace quire {

// The primary's label. Its volatile figures (EOF, counts) are those of the moment it was read.
using Label = std::shared_ptr<const FileInfo>;

class LabelCache {
 public:
  // Null when not known, or when it is another file's than `create_id` (0: any).
  Label Find(const FileName& name, uint64_t create_id) const;
  void Put(Label label);
  // A REFRESH of `volume` (empty: of all): frozen labels of files whose primary is there are asked
  // for anew.
  void ForgetFrozen(const std::string& volume);
  // Forgets the label of `name` if it is still `stale`.
  void Forget(const FileName& name, uint64_t stale_create_id);

 private:
  mutable Mutex mutex_;
  std::map<FileName, Label> labels_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_LABEL_CACHE_H_
