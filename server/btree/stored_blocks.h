// The blocks of one file as a BlockReader has them, for a walk.
#ifndef QUIRE_SERVER_BTREE_STORED_BLOCKS_H_
#define QUIRE_SERVER_BTREE_STORED_BLOCKS_H_

#include "server/btree/tree_walk.h"
#include "server/store/block_reader.h"

namespace quire {

class StoredBlocks final : public BlockSource {
 public:
  // `reader` outlives this.
  StoredBlocks(BlockReader* reader, FileId file) : reader_(*reader), file_(file) {}

  absl::Status Read(BlockNumber block, uint32_t, absl::Span<char> image) override {
    return reader_.ReadBlock(file_, block, image);
  }

 private:
  BlockReader& reader_;
  const FileId file_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_STORED_BLOCKS_H_
