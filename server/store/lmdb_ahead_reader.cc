#include "server/store/lmdb_ahead_reader.h"

#include <sys/mman.h>

#include <algorithm>

#include "quire/text.h"
#include "server/base/clock.h"
#include "server/store/store_room.h"

namespace quire {
namespace {

// A lookup that took longer has waited for a page of LMDB's tree. Small images lie in those pages
// themselves. A lookup in memory takes below 2 us, the quickest disc some 50.
constexpr int64_t kSlowLookupMicros = 20;

void* AddressOf(uintptr_t page) {
  return reinterpret_cast<void*>(page);
}

}  // namespace

absl::StatusOr<uint32_t> LmdbAheadReader::Bring(FileId file, absl::Span<const BlockNumber> blocks) {
  if (absl::Status s = FindPages(file, blocks); !s.ok()) return s;
  uint32_t absent = slow_lookups_;
  std::erase_if(pages_, [&](const Pages& pages) {
    const uint32_t here = AbsentBlocks(pages);
    absent += here;
    return here == 0;
  });
  // The kernel starts to read and returns; nobody here waits for the disc. A page that it cannot
  // give is met by whoever loads from it.
  for (const Pages& pages : pages_) {
    madvise(AddressOf(pages.begin), pages.end - pages.begin, MADV_WILLNEED);
  }
  return absent;
}

absl::Status LmdbAheadReader::FindPages(FileId file, absl::Span<const BlockNumber> blocks) {
  pages_.clear();
  slow_lookups_ = 0;
  int code = transaction_.get() == nullptr ? transaction_.Begin(environment_.get(), MDB_RDONLY)
                                           : mdb_txn_renew(transaction_.get());
  if (code != 0) return environment_.Failure("begin to read ahead", code);
  for (const BlockNumber block : blocks) {
    BlockKey key(file, block);
    MDB_val key_value = key.value();
    MDB_val stored;
    const int64_t begin_us = Clock::Real()->MonotonicMicros();
    code = mdb_get(transaction_.get(), environment_.blocks(), &key_value, &stored);
    if (code == MDB_NOTFOUND) continue;
    if (code != 0) break;
    if (Clock::Real()->MonotonicMicros() - begin_us > kSlowLookupMicros) ++slow_lookups_;
    AddPages(stored);
  }
  mdb_txn_reset(transaction_.get());
  if (code == 0 || code == MDB_NOTFOUND) return absl::OkStatus();
  return environment_.Failure(StrCat("look up blocks of file id ", file), code);
}

void LmdbAheadReader::AddPages(const MDB_val& value) {
  const auto begin = reinterpret_cast<uintptr_t>(value.mv_data);
  const Pages pages{
      begin / kStorePageBytes * kStorePageBytes,
      (begin + value.mv_size + kStorePageBytes - 1) / kStorePageBytes * kStorePageBytes, 1};
  if (!pages_.empty()) {
    // Upwards or downwards side by side, or small images in one page.
    Pages& last = pages_.back();
    if (pages.begin <= last.end && pages.end >= last.begin) {
      last.begin = std::min(last.begin, pages.begin);
      last.end = std::max(last.end, pages.end);
      ++last.blocks;
      return;
    }
  }
  pages_.push_back(pages);
}

uint32_t LmdbAheadReader::AbsentBlocks(const Pages& pages) {
  const size_t count = (pages.end - pages.begin) / kStorePageBytes;
  resident_.resize(count);
  if (mincore(AddressOf(pages.begin), pages.end - pages.begin, resident_.data()) != 0) {
    return pages.blocks;
  }
  const auto absent = std::count_if(resident_.begin(), resident_.end(),
                                    [](unsigned char page) { return (page & 1) == 0; });
  return static_cast<uint32_t>((static_cast<uint64_t>(absent) * pages.blocks + count - 1) / count);
}

}  // namespace quire
