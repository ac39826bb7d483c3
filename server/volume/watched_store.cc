#include "server/volume/watched_store.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "quire/error.h"

namespace quire {
namespace {

using Failed = std::function<void(const absl::Status&)>;

void Watch(const absl::Status& status, const Failed& failed) {
  if (status.ok()) return;
  const ErrorNumber number = NumberOf(status);
  if (number != ErrorNumber::kFileBad && number != ErrorNumber::kNoDiscSpace) failed(status);
}

class WatchedReader : public BlockReader {
 public:
  WatchedReader(std::unique_ptr<BlockReader> reader, Failed failed)
      : reader_(std::move(reader)), failed_(std::move(failed)) {}

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override {
    absl::Status status = reader_->ReadBlock(file, block, image);
    Watch(status, failed_);
    return status;
  }
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    auto labels = reader_->ReadLabels();
    Watch(labels.status(), failed_);
    return labels;
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override {
    auto value = reader_->ReadMeta(key);
    Watch(value.status(), failed_);
    return value;
  }

 private:
  const std::unique_ptr<BlockReader> reader_;
  const Failed failed_;
};

class WatchedStore : public BlockStore {
 public:
  WatchedStore(std::unique_ptr<BlockStore> store, Failed failed)
      : store_(std::move(store)), failed_(std::move(failed)) {}

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override {
    return Watched(store_->ReadBlock(file, block, image));
  }
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    auto labels = store_->ReadLabels();
    Watch(labels.status(), failed_);
    return labels;
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override {
    auto value = store_->ReadMeta(key);
    Watch(value.status(), failed_);
    return value;
  }
  absl::Status RenewSnapshot() override { return Watched(store_->RenewSnapshot()); }
  // That no reader can be had, because there are too many, is no failure of the store.
  absl::StatusOr<std::unique_ptr<BlockReader>> OpenReader() override {
    absl::StatusOr<std::unique_ptr<BlockReader>> reader = store_->OpenReader();
    if (!reader.ok()) return reader.status();
    return std::make_unique<WatchedReader>(*std::move(reader), failed_);
  }
  // What it does not find is found missing by whoever reads it.
  std::unique_ptr<AheadReader> OpenAheadReader() override { return store_->OpenAheadReader(); }
  absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) override {
    return store_->Commit(control_point);
  }
  absl::Status EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) override {
    return Watched(store_->EnsureRoom(dirty_blocks, dirty_bytes));
  }
  void ReleaseRoom() override { store_->ReleaseRoom(); }
  // A backup that fails is its caller's affair: the volume's own store has not failed.
  absl::StatusOr<MetaValues> CopyTo(const std::string& directory) override {
    return store_->CopyTo(directory);
  }
  StoreStatistics Statistics() const override { return store_->Statistics(); }

 private:
  absl::Status Watched(absl::Status status) {
    Watch(status, failed_);
    return status;
  }

  const std::unique_ptr<BlockStore> store_;
  const Failed failed_;
};

}  // namespace

std::unique_ptr<BlockStore> WatchStore(std::unique_ptr<BlockStore> store,
                                       std::function<void(const absl::Status&)> failed) {
  return std::make_unique<WatchedStore>(std::move(store), std::move(failed));
}

}  // namespace quire
