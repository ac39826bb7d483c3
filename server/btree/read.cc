// Tree::Read: one record, by key or by position.
#include "quire/operation.h"
#include "server/base/activity.h"
#include "server/btree/errors.h"
#include "server/btree/seek.h"
#include "server/btree/tree.h"

namespace quire {
namespace {

// Where the search for a generic or approximate read starts. `limit` holds the bytes of a bound
// that is not the key itself.
SeekBound BoundOf(const Operation& read, std::string* limit) {
  if (read.mode == ReadMode::kGeneric && read.reverse) {
    *limit = PrefixLimit(read.key);
    return SeekBound{*limit, /*inclusive=*/false, /*open=*/limit->empty()};
  }
  return SeekBound{read.key, /*inclusive=*/!read.skip_exact, /*open=*/false};
}

}  // namespace

absl::Status Tree::Read(const Operation& read, BlockCalls& calls, std::string* data) {
  if (read.mode == ReadMode::kByKey) return ReadByKey(read.key, calls, data);
  std::string limit;
  LeafPosition position(parts_, read.reverse, BlockUse::kData);
  if (absl::Status status = position.Seek(BoundOf(read, &limit), calls); !status.ok()) {
    return status;
  }
  if (position.at_end()) return btree_error::EndOfSubset();
  std::string_view found;
  std::string_view key;
  if (absl::Status status = position.Get(&found, &key); !status.ok()) return status;
  if (read.mode == ReadMode::kGeneric && key.substr(0, read.key.size()) != read.key) {
    return btree_error::EndOfSubset();
  }
  const ActivityScope activity(Activity::kCopy);
  data->append(found);
  return absl::OkStatus();
}

// Apart from Seek because a missing key must not look into the block beside.
absl::Status Tree::ReadByKey(std::string_view key, BlockCalls& calls, std::string* data) {
  if (parts_.state->root == 0) return btree_error::RecordNotFound(key);
  const absl::StatusOr<BlockNumber> leaf = Descend(parts_, DescentTarget{key}, calls, nullptr);
  if (!leaf.ok()) return leaf.status();
  absl::StatusOr<Pin> pin = parts_.cache->Read(*parts_.file, *leaf, BlockUse::kData, calls);
  if (!pin.ok()) return pin.status();
  BlockView view(pin->image());
  const char* reason = WrongBlock(view, kDataLevel);
  if (reason != nullptr) return btree_error::BadBlock(parts_.file->id, *leaf, reason);
  const RecordSlot found = FindRecord(view, parts_.key, key);
  const std::string_view record = found.exact ? view.Item(found.slot) : std::string_view();
  if (view.damaged()) {
    return btree_error::BadBlock(parts_.file->id, *leaf, "its slots are out of bounds");
  }
  if (!found.exact) return btree_error::RecordNotFound(key);
  const ActivityScope activity(Activity::kCopy);
  data->append(record);
  return absl::OkStatus();
}

}  // namespace quire
