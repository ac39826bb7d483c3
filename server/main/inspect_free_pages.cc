#include "server/main/inspect_free_pages.h"

#include <cstring>

#include "server/main/inspect_guard.h"

namespace quire {
namespace {

constexpr MDB_dbi kFreePages = 0;  // LMDB's own database: transaction -> count, page numbers

// How many pages from `first` to `last` one entry of the list names.
size_t CountIn(const MDB_val& entry, size_t first, size_t last) {
  const size_t words = entry.mv_size / sizeof(size_t);
  const auto* const bytes = static_cast<const char*>(entry.mv_data);
  size_t listed = 0;
  if (words > 0) std::memcpy(&listed, bytes, sizeof listed);
  size_t count = 0;
  for (size_t i = 1; i < words && i <= listed; ++i) {
    size_t page = 0;
    std::memcpy(&page, bytes + i * sizeof page, sizeof page);
    if (page >= first && page <= last) ++count;
  }
  return count;
}

}  // namespace

bool AllPagesFree(MDB_txn* snapshot, size_t first, size_t last) {
  MDB_cursor* cursor = nullptr;
  if (mdb_cursor_open(snapshot, kFreePages, &cursor) != 0) return false;
  size_t missing = last - first + 1;
  size_t before = 0;  // transaction of the entry before: a list that goes round in a circle ends
  const bool readable = Guarded([&] {
    MDB_val key = {};
    MDB_val entry = {};
    for (MDB_cursor_op move = MDB_FIRST;
         missing > 0 && mdb_cursor_get(cursor, &key, &entry, move) == 0; move = MDB_NEXT) {
      size_t transaction = 0;
      if (key.mv_size != sizeof transaction) break;
      std::memcpy(&transaction, key.mv_data, sizeof transaction);
      if (transaction <= before) break;
      before = transaction;
      missing -= CountIn(entry, first, last);  // no page is listed twice
    }
  });
  Guarded([&] { mdb_cursor_close(cursor); });
  return readable && missing == 0;
}

}  // namespace quire
