#include "client/filesystem/open_registry.h"

#include <algorithm>
#include <utility>

namespace quire {

void OpenRegistry::Add(uint64_t open_id, const void* holder, std::vector<absl::Status> partitions) {
  // Opens without a failure, nearly all of them, need no entry.
  const auto failed = [](const absl::Status& status) { return !status.ok(); };
  const bool needed = std::any_of(partitions.begin(), partitions.end(), failed);
  MutexLock lock(&mutex_);
  if (needed) {
    opens_.insert_or_assign(open_id, Entry{holder, std::move(partitions)});
  } else {
    opens_.erase(open_id);
  }
}

void OpenRegistry::Remove(uint64_t open_id, const void* holder) {
  MutexLock lock(&mutex_);
  const auto found = opens_.find(open_id);
  if (found != opens_.end() && found->second.holder == holder) opens_.erase(found);
}

absl::Status OpenRegistry::Check(uint64_t open_id, uint32_t partition) const {
  MutexLock lock(&mutex_);
  const auto found = opens_.find(open_id);
  if (found == opens_.end()) return absl::OkStatus();
  const std::vector<absl::Status>& partitions = found->second.partitions;
  return partition < partitions.size() ? partitions[partition] : absl::OkStatus();
}

}  // namespace quire
