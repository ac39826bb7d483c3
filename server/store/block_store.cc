#include "server/store/block_store.h"

#include "server/store/errors.h"

namespace quire {

absl::StatusOr<BlockStore::MetaValues> BlockStore::CopyTo(const std::string&) {
  return StoreHasNoFiles();
}

std::unique_ptr<AheadReader> BlockStore::OpenAheadReader() {
  return nullptr;
}

}  // namespace quire
