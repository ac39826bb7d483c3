#include "server/volume/watched_store.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "quire/error.h"

namespace quire {
namespace {

class WatchedStore : public BlockStore {
 public:
  WatchedStore(std::unique_ptr<BlockStore> store, std::function<void(const absl::Status&)> failed)
      : store_(std::move(store)), failed_(std::move(failed)) {}

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override {
    return Watched(store_->ReadBlock(file, block, image));
  }
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    auto labels = store_->ReadLabels();
    Watch(labels.status());
    return labels;
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override {
    auto value = store_->ReadMeta(key);
    Watch(value.status());
    return value;
  }
  absl::Status RenewSnapshot() override { return Watched(store_->RenewSnapshot()); }
  absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) override {
    return store_->Commit(control_point);
  }
  absl::Status EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) override {
    return Watched(store_->EnsureRoom(dirty_blocks, dirty_bytes));
  }
  StoreStatistics Statistics() const override { return store_->Statistics(); }

 private:
  absl::Status Watched(absl::Status status) {
    Watch(status);
    return status;
  }
  void Watch(const absl::Status& status) {
    if (status.ok()) return;
    const ErrorNumber number = NumberOf(status);
    if (number != ErrorNumber::kFileBad && number != ErrorNumber::kNoDiscSpace) failed_(status);
  }

  const std::unique_ptr<BlockStore> store_;
  const std::function<void(const absl::Status&)> failed_;
};

}  // namespace

std::unique_ptr<BlockStore> WatchStore(std::unique_ptr<BlockStore> store,
                                       std::function<void(const absl::Status&)> failed) {
  return std::make_unique<WatchedStore>(std::move(store), std::move(failed));
}

}  // namespace quire
