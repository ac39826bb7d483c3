// AheadReader of an LMDB environment: looks up where the blocks lie in the map, then has the kernel
// read those pages, all of them at once.
#ifndef QUIRE_SERVER_STORE_LMDB_AHEAD_READER_H_
#define QUIRE_SERVER_STORE_LMDB_AHEAD_READER_H_

#include <cstdint>
#include <vector>

#include "server/store/ahead_reader.h"
#include "server/store/lmdb_environment.h"

namespace quire {

class LmdbAheadReader final : public AheadReader {
 public:
  // `environment` outlives the reader. Nothing is held until Bring.
  explicit LmdbAheadReader(const LmdbEnvironment* environment) : environment_(*environment) {}

  absl::StatusOr<uint32_t> Bring(FileId file, absl::Span<const BlockNumber> blocks) override;

 private:
  // Whole pages of the map, side by side.
  struct Pages {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    uint32_t blocks = 0;
  };

  absl::Status FindPages(FileId file, absl::Span<const BlockNumber> blocks);
  void AddPages(const MDB_val& value);
  // Of the pages' blocks: how many are not in memory.
  uint32_t AbsentBlocks(const Pages& pages);

  const LmdbEnvironment& environment_;
  LmdbTransaction transaction_;  // reset except while it is looked into
  std::vector<Pages> pages_;
  uint32_t slow_lookups_ = 0;
  std::vector<unsigned char> resident_;  // kept for its memory
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_LMDB_AHEAD_READER_H_
