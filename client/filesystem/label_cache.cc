#include "client/filesystem/label_cache.h"

#include <utility>

namespace quire {
namespace {

// A label of 128 partitions takes some 10 KB. When so many files are in use at once that this is
// not enough, all are asked for again now and then, which is cheap.
constexpr size_t kMaxLabels = 4096;

bool IsFrozen(const FileInfo& label) {
  return label.attributes.lookaside == Lookaside::kFreeze;
}

}  // namespace

Label LabelCache::Find(const FileName& name, uint64_t create_id) const {
  MutexLock lock(&mutex_);
  const auto found = labels_.find(name);
  if (found == labels_.end()) return nullptr;
  if (create_id != 0 && found->second->create_id != create_id) return nullptr;
  return found->second;
}

void LabelCache::Put(Label label) {
  MutexLock lock(&mutex_);
  if (labels_.size() >= kMaxLabels) {
    std::erase_if(labels_, [](const auto& entry) { return !IsFrozen(*entry.second); });
    if (labels_.size() >= kMaxLabels) labels_.clear();
  }
  const FileName name = label->name;
  labels_[name] = std::move(label);
}

void LabelCache::Forget(const FileName& name, uint64_t stale_create_id) {
  MutexLock lock(&mutex_);
  const auto found = labels_.find(name);
  if (found != labels_.end() && found->second->create_id == stale_create_id) labels_.erase(found);
}

void LabelCache::ForgetFrozen(const std::string& volume) {
  MutexLock lock(&mutex_);
  std::erase_if(labels_, [&volume](const auto& entry) {
    return IsFrozen(*entry.second) && (volume.empty() || entry.first.volume == volume);
  });
}

}  // namespace quire
