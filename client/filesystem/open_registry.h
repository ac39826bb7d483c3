// Which partitions of a standing open could not be opened, by open id: scans and loads of that
// open answer 72 for them (R-S3). Nothing else about opens is remembered here; the volumes know.
// Any thread.
#ifndef QUIRE_CLIENT_FILESYSTEM_OPEN_REGISTRY_H_
#define QUIRE_CLIENT_FILESYSTEM_OPEN_REGISTRY_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "quire/mutex.h"

namespace quire {

class OpenRegistry {
 public:
  // One status per partition: OK, or what an operation on it is answered with. `holder` is who
  // knows it: where a stream resumes an open, the one it replaces may go later and must not take it
  // away.
  void Add(uint64_t open_id, const void* holder, std::vector<absl::Status> partitions);
  void Remove(uint64_t open_id, const void* holder);

  // OK when the open is not known here, or its partition is open.
  absl::Status Check(uint64_t open_id, uint32_t partition) const;

 private:
  mutable Mutex mutex_;
  struct Entry {
    const void* holder;
    std::vector<absl::Status> partitions;
  };
  absl::flat_hash_map<uint64_t, Entry> opens_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_OPEN_REGISTRY_H_
