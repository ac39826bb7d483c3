// BlockStore in memory, for tests: the same answers as LmdbStore, and a disc that can be kept
// while the store that used it "crashes".
#ifndef QUIRE_SERVER_STORE_MEMORY_STORE_H_
#define QUIRE_SERVER_STORE_MEMORY_STORE_H_

#include <memory>
#include <string>

#include "server/store/block_store.h"

namespace quire {

// The durable content; survives the stores opened on it. Thread safe.
class MemoryDisc {
 public:
  MemoryDisc();
  ~MemoryDisc();
  // Flips bits of a stored image, to test 59. False when there is no such block.
  bool Damage(FileId file, BlockNumber block, uint32_t offset);
  // Another disc with this one's content.
  std::shared_ptr<MemoryDisc> Copy() const;
  // The stored bytes; empty when there is no such block.
  std::string Bytes(FileId file, BlockNumber block) const;
  // Puts any bytes in a block's place, or, empty, takes the block away.
  void Replace(FileId file, BlockNumber block, std::string image);

  struct Content;
  Content* content() const { return content_.get(); }

 private:
  std::unique_ptr<Content> content_;
};

// capacity_bytes bounds the sum of images (43 beyond it).
std::unique_ptr<BlockStore> OpenMemoryStore(std::shared_ptr<MemoryDisc> disc,
                                            uint64_t capacity_bytes);

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_MEMORY_STORE_H_
