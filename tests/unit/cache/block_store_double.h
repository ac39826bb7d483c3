// A BlockStore in a map for the cache's tests: keeps images as they are given, counts reads, fails
// on request. Not thread safe.
#ifndef QUIRE_TESTS_UNIT_CACHE_BLOCK_STORE_DOUBLE_H_
#define QUIRE_TESTS_UNIT_CACHE_BLOCK_STORE_DOUBLE_H_

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "quire/error.h"
#include "server/store/block_store.h"

namespace quire {

class BlockStoreDouble : public BlockStore {
 public:
  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override {
    ++reads;
    if (read_cost) read_cost();
    const auto found = images.find({file, block});
    if (found == images.end() || found->second.size() != image.size()) {
      return MakeError(ErrorNumber::kFileBad, "no such block");
    }
    std::memcpy(image.data(), found->second.data(), image.size());
    return absl::OkStatus();
  }
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    return std::map<FileId, std::string>();
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string&) override {
    return std::optional<std::string>();
  }
  absl::Status RenewSnapshot() override { return absl::OkStatus(); }
  absl::StatusOr<std::unique_ptr<BlockReader>> OpenReader() override {
    return MakeError(ErrorNumber::kInvalidOperation, "no cache opens a reader");
  }
  absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) override {
    for (const BlockWrite& write : control_point.blocks) {
      images[{write.file, write.block}] = std::string(write.image, write.bytes);
    }
    return CommitResult();
  }
  absl::Status EnsureRoom(uint64_t, uint64_t) override { return absl::OkStatus(); }
  StoreStatistics Statistics() const override { return {}; }

  std::map<std::pair<FileId, BlockNumber>, std::string> images;
  int reads = 0;
  std::function<void()> read_cost;  // called at each
};

}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_CACHE_BLOCK_STORE_DOUBLE_H_
