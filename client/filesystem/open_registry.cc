#include "client/filesystem/open_registry.h"

#include <algorithm>
#include <utility>

namespace quire {

void OpenRegistry::Add(uint64_t open_id, std::vector<absl::Status> partitions) {
  // Opens without a failure, nearly all of them, need no entry.
  const auto failed = [](const absl::Status& status) { return !status.ok(); };
  if (std::none_of(partitions.begin(), partitions.end(), failed)) return;
  MutexLock lock(&mutex_);
  opens_[open_id] = std::move(partitions);
}

void OpenRegistry::Remove(uint64_t open_id) {
  MutexLock lock(&mutex_);
  opens_.erase(open_id);
}

absl::Status OpenRegistry::Check(uint64_t open_id, uint32_t partition) const {
  MutexLock lock(&mutex_);
  const auto found = opens_.find(open_id);
  if (found == opens_.end() || partition >= found->second.size()) return absl::OkStatus();
  return found->second[partition];
}

}  // namespace quire
