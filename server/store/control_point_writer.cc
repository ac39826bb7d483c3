#include "server/store/control_point_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

#include "absl/types/span.h"
#include "server/base/block_header.h"
#include "server/base/bytes.h"
#include "server/base/check.h"

namespace quire {
namespace {

bool ComesBefore(const BlockWrite* left, const BlockWrite* right) {
  return std::tie(left->file, left->block) < std::tie(right->file, right->block);
}

std::vector<const BlockWrite*> InKeyOrder(const std::vector<BlockWrite>& blocks) {
  std::vector<const BlockWrite*> order;
  order.reserve(blocks.size());
  for (const BlockWrite& write : blocks) order.push_back(&write);
  std::sort(order.begin(), order.end(), ComesBefore);
  return order;
}

std::array<char, sizeof(FileId)> LabelKey(FileId file) {
  std::array<char, sizeof(FileId)> key;
  StoreBig<uint64_t>(key.data(), file);
  return key;
}

bool BelongsTo(const MDB_val& key, FileId file) {
  return key.mv_size == BlockKey::kBytes &&
         LoadBig<uint64_t>(static_cast<const char*>(key.mv_data)) == file;
}

}  // namespace

int ControlPointWriter::Put(const ControlPoint& control_point) {
  action_ = "write blocks";
  if (int code = PutBlocks(control_point.blocks); code != 0) return code;
  action_ = "write labels";
  if (int code = PutLabels(control_point); code != 0) return code;
  action_ = "write meta values";
  if (int code = PutMeta(control_point.meta); code != 0) return code;
  action_ = "purge blocks";
  for (const auto& [file, most_blocks] : control_point.purge_slices) {
    if (int code = Purge(file, most_blocks); code != 0) return code;
  }
  return 0;
}

int ControlPointWriter::PutBlocks(const std::vector<BlockWrite>& blocks) {
  LmdbCursor cursor;
  if (int code = cursor.Open(transaction_, environment_.blocks()); code != 0) return code;
  MDB_val last_key{0, nullptr};
  const int found = mdb_cursor_get(cursor.get(), &last_key, nullptr, MDB_LAST);
  if (found != 0 && found != MDB_NOTFOUND) return found;
  const std::string last(ToView(last_key));

  const BlockWrite* before = nullptr;
  bool append = false;
  for (const BlockWrite* write : InKeyOrder(blocks)) {
    QUIRE_CHECK(before == nullptr || ComesBefore(before, write));  // a block comes once
    before = write;
    BlockKey key(write->file, write->block);
    MDB_val key_value = key.value();
    // Keys rise, so that from the first one beyond the last stored all are new and last: appending
    // them fills LMDB's leaves where inserting would halve them.
    append = append || ToView(key_value) > last;
    MDB_val image{write->bytes, nullptr};
    const unsigned flags = MDB_RESERVE | (append ? MDB_APPEND : 0);
    if (int code = mdb_cursor_put(cursor.get(), &key_value, &image, flags); code != 0) return code;
    std::memcpy(image.mv_data, write->image, write->bytes);
    const absl::Span<char> placed(static_cast<char*>(image.mv_data), write->bytes);
    SealImage(placed);
    QUIRE_INVARIANT(VerifyImage(placed, write->file, write->block).empty());
    block_bytes_ += write->bytes;
  }
  return 0;
}

int ControlPointWriter::PutLabels(const ControlPoint& control_point) {
  for (const auto& [file, label] : control_point.labels) {
    const auto key = LabelKey(file);
    MDB_val key_value = ToValue({key.data(), key.size()});
    MDB_val value = ToValue(label);
    int code = mdb_put(transaction_, environment_.labels(), &key_value, &value, 0);
    if (code != 0) return code;
  }
  for (const FileId file : control_point.erased_labels) {
    const auto key = LabelKey(file);
    MDB_val key_value = ToValue({key.data(), key.size()});
    const int code = mdb_del(transaction_, environment_.labels(), &key_value, nullptr);
    if (code != 0 && code != MDB_NOTFOUND) return code;  // gone already: recovery runs twice
  }
  return 0;
}

int ControlPointWriter::PutMeta(const std::map<std::string, std::string>& meta) {
  for (const auto& [name, bytes] : meta) {
    MDB_val key = ToValue(name);
    MDB_val value = ToValue(bytes);
    const int code = mdb_put(transaction_, environment_.meta(), &key, &value, 0);
    if (code != 0) return code;
  }
  return 0;
}

int ControlPointWriter::Purge(FileId file, uint32_t most_blocks) {
  LmdbCursor cursor;
  if (int code = cursor.Open(transaction_, environment_.blocks()); code != 0) return code;
  BlockKey first(file, 0);
  MDB_val key = first.value();
  int code = mdb_cursor_get(cursor.get(), &key, nullptr, MDB_SET_RANGE);
  for (uint32_t purged = 0; code == 0 && BelongsTo(key, file) && purged < most_blocks; ++purged) {
    if (int failed = mdb_cursor_del(cursor.get(), 0); failed != 0) return failed;
    code = mdb_cursor_get(cursor.get(), &key, nullptr, MDB_NEXT);
  }
  if (code != 0 && code != MDB_NOTFOUND) return code;
  if (code == MDB_NOTFOUND || !BelongsTo(key, file)) result_.purged_whole.push_back(file);
  return 0;
}

}  // namespace quire
