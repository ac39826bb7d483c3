#include "server/store/memory_store.h"

#include <cstring>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "server/base/block_header.h"
#include "server/base/check.h"
#include "server/base/clock.h"
#include "server/store/errors.h"

namespace quire {
namespace {

constexpr std::string_view kDirectory = "memory";

using BlockAddress = std::pair<FileId, BlockNumber>;
// Images are never changed once stored, so that a snapshot can share them.
using Image = std::shared_ptr<const std::string>;

}  // namespace

struct MemoryDisc::Content {
  Mutex mutex;
  std::map<BlockAddress, Image> blocks ABSL_GUARDED_BY(mutex);
  std::map<FileId, std::string> labels ABSL_GUARDED_BY(mutex);
  std::map<std::string, std::string> meta ABSL_GUARDED_BY(mutex);
  uint64_t block_bytes ABSL_GUARDED_BY(mutex) = 0;
};

MemoryDisc::MemoryDisc() : content_(std::make_unique<Content>()) {}
MemoryDisc::~MemoryDisc() = default;

bool MemoryDisc::Damage(FileId file, BlockNumber block, uint32_t offset) {
  MutexLock lock(&content_->mutex);
  const auto found = content_->blocks.find({file, block});
  if (found == content_->blocks.end() || offset >= found->second->size()) return false;
  std::string damaged = *found->second;
  damaged[offset] = static_cast<char>(~damaged[offset]);
  found->second = std::make_shared<const std::string>(std::move(damaged));
  return true;
}

std::shared_ptr<MemoryDisc> MemoryDisc::Copy() const {
  auto copy = std::make_shared<MemoryDisc>();
  MutexLock lock(&content_->mutex);
  MutexLock copy_lock(&copy->content_->mutex);
  copy->content_->blocks = content_->blocks;
  copy->content_->labels = content_->labels;
  copy->content_->meta = content_->meta;
  copy->content_->block_bytes = content_->block_bytes;
  return copy;
}

std::string MemoryDisc::Bytes(FileId file, BlockNumber block) const {
  MutexLock lock(&content_->mutex);
  const auto found = content_->blocks.find({file, block});
  return found == content_->blocks.end() ? "" : *found->second;
}

void MemoryDisc::Replace(FileId file, BlockNumber block, std::string image) {
  MutexLock lock(&content_->mutex);
  if (image.empty()) {
    content_->blocks.erase({file, block});
  } else {
    content_->blocks[{file, block}] = std::make_shared<const std::string>(std::move(image));
  }
}

namespace {

absl::Status CopyVerified(const Image& stored, FileId file, BlockNumber block,
                          absl::Span<char> image) {
  if (stored == nullptr) return StoredBlockMissing(file, block);
  if (stored->size() != image.size()) {
    return StoredBlockOfOtherSize(file, block, stored->size(), image.size());
  }
  std::memcpy(image.data(), stored->data(), image.size());
  const std::string reason = VerifyImage(image, file, block);
  return reason.empty() ? absl::OkStatus() : StoredBlockDamaged(file, block, reason);
}

class MemoryReader : public BlockReader {
 public:
  explicit MemoryReader(MemoryDisc::Content& content) {
    MutexLock lock(&content.mutex);
    blocks_ = content.blocks;
    labels_ = content.labels;
    meta_ = content.meta;
  }

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override {
    const auto found = blocks_.find({file, block});
    return CopyVerified(found == blocks_.end() ? nullptr : found->second, file, block, image);
  }
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override { return labels_; }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override {
    const auto found = meta_.find(key);
    if (found == meta_.end()) return std::optional<std::string>();
    return std::optional<std::string>(found->second);
  }

 private:
  std::map<BlockAddress, Image> blocks_;
  std::map<FileId, std::string> labels_;
  std::map<std::string, std::string> meta_;
};

// Everything is in memory already; blocks that are there count as brought, so that tests see who
// reads ahead of what.
class MemoryAheadReader : public AheadReader {
 public:
  explicit MemoryAheadReader(MemoryDisc::Content& content) : content_(content) {}

  absl::StatusOr<uint32_t> Bring(FileId file, absl::Span<const BlockNumber> blocks) override {
    MutexLock lock(&content_.mutex);
    uint32_t found = 0;
    for (const BlockNumber block : blocks) {
      found += static_cast<uint32_t>(content_.blocks.count({file, block}));
    }
    return found;
  }

 private:
  MemoryDisc::Content& content_;
};

class MemoryStore : public BlockStore {
 public:
  MemoryStore(std::shared_ptr<MemoryDisc> disc, uint64_t capacity_bytes)
      : disc_(std::move(disc)), content_(*disc_->content()), capacity_bytes_(capacity_bytes) {
    MutexLock lock(&content_.mutex);
    TakeSnapshot();
  }

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override;
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    MutexLock lock(&content_.mutex);
    return snapshot_labels_;
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override;
  absl::Status RenewSnapshot() override {
    MutexLock lock(&content_.mutex);
    TakeSnapshot();
    return absl::OkStatus();
  }
  absl::StatusOr<std::unique_ptr<BlockReader>> OpenReader() override {
    return std::make_unique<MemoryReader>(content_);
  }
  std::unique_ptr<AheadReader> OpenAheadReader() override {
    return std::make_unique<MemoryAheadReader>(content_);
  }
  absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) override;
  absl::Status EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) override;
  StoreStatistics Statistics() const override {
    MutexLock lock(&content_.mutex);
    return statistics_;
  }

 private:
  void TakeSnapshot() ABSL_EXCLUSIVE_LOCKS_REQUIRED(content_.mutex);
  // The image as of the snapshot; null when there was none.
  Image Find(const BlockAddress& address) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(content_.mutex);
  uint64_t BytesAfter(const ControlPoint& control_point) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(content_.mutex);
  // Stores or, with a null image, removes a block; the snapshot keeps what was there.
  void Replace(const BlockAddress& address, Image image)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(content_.mutex);
  bool Purge(FileId file, uint32_t most_blocks) ABSL_EXCLUSIVE_LOCKS_REQUIRED(content_.mutex);

  const std::shared_ptr<MemoryDisc> disc_;
  MemoryDisc::Content& content_;
  const uint64_t capacity_bytes_;
  // What this store changed since the snapshot, as it was then; null: there was no block.
  std::map<BlockAddress, Image> replaced_ ABSL_GUARDED_BY(content_.mutex);
  std::map<FileId, std::string> snapshot_labels_ ABSL_GUARDED_BY(content_.mutex);
  std::map<std::string, std::string> snapshot_meta_ ABSL_GUARDED_BY(content_.mutex);
  StoreStatistics statistics_ ABSL_GUARDED_BY(content_.mutex);
};

void MemoryStore::TakeSnapshot() {
  replaced_.clear();
  snapshot_labels_ = content_.labels;
  snapshot_meta_ = content_.meta;
  statistics_.used_bytes = static_cast<int64_t>(content_.block_bytes);
  statistics_.capacity_bytes = static_cast<int64_t>(capacity_bytes_);
}

Image MemoryStore::Find(const BlockAddress& address) const {
  const auto replaced = replaced_.find(address);
  if (replaced != replaced_.end()) return replaced->second;
  const auto found = content_.blocks.find(address);
  return found == content_.blocks.end() ? nullptr : found->second;
}

absl::Status MemoryStore::ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) {
  const int64_t begin_us = Clock::Real()->MonotonicMicros();
  MutexLock lock(&content_.mutex);
  absl::Status status = CopyVerified(Find({file, block}), file, block, image);
  if (!status.ok()) return status;
  ++statistics_.reads;
  statistics_.read_bytes += static_cast<int64_t>(image.size());
  statistics_.read_micros += Clock::Real()->MonotonicMicros() - begin_us;
  return status;
}

absl::StatusOr<std::optional<std::string>> MemoryStore::ReadMeta(const std::string& key) {
  MutexLock lock(&content_.mutex);
  const auto found = snapshot_meta_.find(key);
  if (found == snapshot_meta_.end()) return std::optional<std::string>();
  return std::optional<std::string>(found->second);
}

uint64_t MemoryStore::BytesAfter(const ControlPoint& control_point) const {
  uint64_t bytes = content_.block_bytes;
  for (const BlockWrite& write : control_point.blocks) {
    const auto found = content_.blocks.find({write.file, write.block});
    bytes += write.bytes;
    if (found != content_.blocks.end()) bytes -= found->second->size();
  }
  return bytes;
}

void MemoryStore::Replace(const BlockAddress& address, Image image) {
  auto found = content_.blocks.find(address);
  const Image before = found == content_.blocks.end() ? nullptr : found->second;
  replaced_.emplace(address, before);  // keeps the oldest: that of the snapshot
  if (before != nullptr) content_.block_bytes -= before->size();
  if (image == nullptr) {
    content_.blocks.erase(address);
    return;
  }
  content_.block_bytes += image->size();
  content_.blocks[address] = std::move(image);
}

bool MemoryStore::Purge(FileId file, uint32_t most_blocks) {
  for (uint32_t purged = 0;; ++purged) {
    const auto found = content_.blocks.lower_bound({file, 0});
    if (found == content_.blocks.end() || found->first.first != file) return true;
    if (purged == most_blocks) return false;
    Replace(BlockAddress(found->first), nullptr);
  }
}

absl::StatusOr<CommitResult> MemoryStore::Commit(const ControlPoint& control_point) {
  const int64_t begin_us = Clock::Real()->MonotonicMicros();
  MutexLock lock(&content_.mutex);
  const uint64_t bytes_after = BytesAfter(control_point);
  // A control point that does not grow the volume is accepted even when it is over its capacity
  // (opened with a smaller one): purging must stay possible.
  if (bytes_after > capacity_bytes_ && bytes_after > content_.block_bytes) {
    return StoreCapacityUsedUp(kDirectory, capacity_bytes_);
  }
  // All images first: without memory for one, none is written.
  std::vector<Image> images;
  images.reserve(control_point.blocks.size());
  for (const BlockWrite& write : control_point.blocks) {
    std::string image(write.image, write.bytes);
    SealImage(absl::MakeSpan(image.data(), image.size()));
    QUIRE_INVARIANT(VerifyImage(image, write.file, write.block).empty());
    images.push_back(std::make_shared<const std::string>(std::move(image)));
  }
  for (size_t i = 0; i < images.size(); ++i) {
    const BlockWrite& write = control_point.blocks[i];
    Replace({write.file, write.block}, std::move(images[i]));
    ++statistics_.writes;
    statistics_.written_bytes += write.bytes;
  }
  for (const auto& [file, label] : control_point.labels) content_.labels[file] = label;
  for (const FileId file : control_point.erased_labels) content_.labels.erase(file);
  for (const auto& [name, value] : control_point.meta) content_.meta[name] = value;
  CommitResult result;
  for (const auto& [file, most_blocks] : control_point.purge_slices) {
    if (Purge(file, most_blocks)) result.purged_whole.push_back(file);
  }
  ++statistics_.syncs;
  statistics_.used_bytes = static_cast<int64_t>(content_.block_bytes);
  statistics_.commit_micros += Clock::Real()->MonotonicMicros() - begin_us;
  return result;
}

absl::Status MemoryStore::EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) {
  static_cast<void>(dirty_blocks);  // memory has no pages to round to
  MutexLock lock(&content_.mutex);
  if (content_.block_bytes + dirty_bytes <= capacity_bytes_) return absl::OkStatus();
  return StoreCapacityUsedUp(kDirectory, capacity_bytes_);
}

}  // namespace

std::unique_ptr<BlockStore> OpenMemoryStore(std::shared_ptr<MemoryDisc> disc,
                                            uint64_t capacity_bytes) {
  return std::make_unique<MemoryStore>(std::move(disc), capacity_bytes);
}

}  // namespace quire
