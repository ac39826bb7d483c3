// The bodies of BlockStore behind one face, so that one suite runs over all of them, and images to
// put into them.
#ifndef QUIRE_TESTS_UNIT_STORE_STORE_BODIES_H_
#define QUIRE_TESTS_UNIT_STORE_STORE_BODIES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/block_store.h"

namespace quire {

inline constexpr uint64_t kTestCapacityBytes = uint64_t{1} << 30;  // R-D14

class StoreBody {
 public:
  virtual ~StoreBody() = default;
  // A store on what earlier ones of this body have left. One at a time.
  virtual std::unique_ptr<BlockStore> Open(uint64_t capacity_bytes) = 0;
  // Inverts a byte of a stored image. No store may be open.
  virtual void Damage(FileId file, BlockNumber block, uint32_t offset) = 0;
};

// "lmdb", "memory", or "faults": LMDB behind a FaultStore whose plan is empty.
std::unique_ptr<StoreBody> MakeStoreBody(std::string_view name);

// Inverts a byte of an image in the LMDB environment in `directory`.
void DamageLmdbBlock(const std::string& directory, FileId file, BlockNumber block, uint32_t offset);

// An unsealed data image; its contents follow from file, block and `version`.
std::string MakeImage(FileId file, BlockNumber block, uint32_t bytes, uint8_t version = 0);

// Images with the control point that writes them; the images live as long as this does.
class TestControlPoint {
 public:
  void Add(FileId file, BlockNumber block, uint32_t bytes, uint8_t version = 0);
  const ControlPoint& Build();
  ControlPoint& point() { return point_; }

 private:
  struct Address {
    FileId file;
    BlockNumber block;
  };
  std::vector<Address> addresses_;
  std::vector<std::string> images_;
  ControlPoint point_;
};

// Expects that the store has this block with the contents of `version`.
void ExpectBlock(BlockReader& store, FileId file, BlockNumber block, uint32_t bytes,
                 uint8_t version = 0);
// Number of the error that reading the block gives; 0 when it can be read.
int32_t ReadError(BlockReader& store, FileId file, BlockNumber block, uint32_t bytes);

}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_STORE_STORE_BODIES_H_
