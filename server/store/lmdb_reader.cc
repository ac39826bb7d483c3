#include "server/store/lmdb_reader.h"

#include <cstring>

#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/base/bytes.h"
#include "server/store/errors.h"

namespace quire {

absl::Status LmdbReader::Begin() {
  const int code = transaction_.Begin(environment_.get(), MDB_RDONLY);
  return code == 0 ? absl::OkStatus() : environment_.Failure("begin a read transaction", code);
}

absl::Status LmdbReader::Renew() {
  mdb_txn_reset(transaction_.get());
  const int code = mdb_txn_renew(transaction_.get());
  return code == 0 ? absl::OkStatus() : environment_.Failure("renew its read transaction", code);
}

absl::Status LmdbReader::ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) {
  BlockKey key(file, block);
  MDB_val key_value = key.value();
  MDB_val stored;
  const int code = mdb_get(transaction_.get(), environment_.blocks(), &key_value, &stored);
  if (code == MDB_NOTFOUND) return StoredBlockMissing(file, block);
  if (code != 0) {
    return environment_.Failure(StrCat("read block ", block, " of file id ", file), code);
  }
  if (stored.mv_size != image.size()) {
    return StoredBlockOfOtherSize(file, block, stored.mv_size, image.size());
  }
  std::memcpy(image.data(), stored.mv_data, image.size());
  const std::string reason = VerifyImage(image, file, block);
  return reason.empty() ? absl::OkStatus() : StoredBlockDamaged(file, block, reason);
}

absl::StatusOr<std::map<FileId, std::string>> LmdbReader::ReadLabels() {
  LmdbCursor cursor;
  if (int code = cursor.Open(transaction_.get(), environment_.labels()); code != 0) {
    return environment_.Failure("read labels", code);
  }
  std::map<FileId, std::string> labels;
  MDB_val key;
  MDB_val value;
  int code = mdb_cursor_get(cursor.get(), &key, &value, MDB_FIRST);
  for (; code == 0; code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT)) {
    if (key.mv_size != sizeof(FileId)) {
      return StoreFailed(environment_.directory(), "read labels",
                         StrCat("a label has a key of ", key.mv_size, " bytes"));
    }
    labels.emplace(LoadBig<uint64_t>(static_cast<const char*>(key.mv_data)), ToView(value));
  }
  if (code != MDB_NOTFOUND) return environment_.Failure("read labels", code);
  return labels;
}

absl::StatusOr<std::optional<std::string>> LmdbReader::ReadMeta(const std::string& key) {
  MDB_val key_value = ToValue(key);
  MDB_val value;
  const int code = mdb_get(transaction_.get(), environment_.meta(), &key_value, &value);
  if (code == MDB_NOTFOUND) return std::optional<std::string>();
  if (code != 0) return environment_.Failure(StrCat("read the meta value ", key), code);
  return std::optional<std::string>(ToView(value));
}

}  // namespace quire
