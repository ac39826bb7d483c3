// Block images as a damaged disc may give them: the input is cut into blocks of one small tree,
// given the identity and checksum of sound blocks, and read, scanned, checked and changed through
// the tree. Nothing may crash or go on for ever; every call answers OK or an Enscribe number.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "quire/error.h"
#include "server/base/block_header.h"
#include "server/base/check.h"
#include "server/btree/cursor.h"
#include "server/btree/tree.h"
#include "server/store/memory_store.h"

namespace {

constexpr quire::FileId kFile = 1;
constexpr uint32_t kImageBytes = 496;  // BLOCK 512
constexpr uint32_t kMaxBlocks = 16;
constexpr uint32_t kKeyLength = 4;

// Level, links, count and contents come from the input; what the store checks is made right.
std::vector<std::string> ImagesOf(const uint8_t* data, size_t size) {
  const size_t blocks = std::clamp<size_t>(size / kImageBytes + 1, 2, kMaxBlocks);
  std::vector<std::string> images;
  for (uint32_t block = 0; block < blocks; ++block) {
    std::string image(kImageBytes, '\0');
    quire::FormatImage(absl::MakeSpan(image.data(), image.size()), kFile, block, 0);
    const size_t begin = std::min(size, size_t{block} * kImageBytes);
    const size_t end = std::min(size, begin + kImageBytes);
    const size_t identity_end = quire::block_offset::kLevel;
    if (end > begin + identity_end) {
      std::memcpy(image.data() + identity_end, data + begin + identity_end,
                  end - begin - identity_end);
    }
    images.push_back(std::move(image));
  }
  return images;
}

void Expect(const absl::Status& status) {
  QUIRE_CHECK(status.ok() || quire::NumberOf(status) != quire::ErrorNumber::kOk);
}

void UseTree(quire::Tree& tree) {
  Expect(tree.Check());
  quire::BlockCalls calls;
  std::string record;
  for (const char* key : {"0000", "5555", "zzzz"}) {
    quire::Operation read;
    read.mode = quire::ReadMode::kApproximate;
    read.key = key;
    Expect(tree.Read(read, calls, &record));
    read.reverse = true;
    Expect(tree.Read(read, calls, &record));
  }
  for (bool reverse : {false, true}) {
    quire::Cursor cursor(&tree, {}, reverse, false, quire::BlockUse::kScanned);
    bool end = false;
    for (int pages = 0; pages < 100 && !end; ++pages) {
      quire::RecordChunk chunk;
      const absl::Status status = cursor.Fill(200, 0, calls, &chunk, &end);
      Expect(status);
      if (!status.ok()) break;
    }
  }
  Expect(tree.Insert("5555 a record that was not there", calls));
  Expect(tree.Update("5555 another", calls));
  Expect(tree.Erase("0000", calls));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::vector<std::string> images = ImagesOf(data + 1, size - 1);
  auto disc = std::make_shared<quire::MemoryDisc>();
  const std::unique_ptr<quire::BlockStore> store = quire::OpenMemoryStore(disc, 1 << 20);
  quire::ControlPoint content;
  for (uint32_t block = 0; block < images.size(); ++block) {
    content.blocks.push_back(quire::BlockWrite{kFile, block, images[block].data(), kImageBytes});
  }
  QUIRE_CHECK(store->Commit(content).ok());
  QUIRE_CHECK(store->RenewSnapshot().ok());
  quire::BlockCache cache(store.get(), quire::CacheOptions{1 << 20, 0});
  const quire::CachedFile file{kFile, kImageBytes, true};
  quire::TreeState state;
  state.root = 1;
  state.index_levels = data[0] % 4;
  state.eof_blocks = static_cast<uint32_t>(images.size());
  quire::Tree tree(&cache, &file, quire::KeyField{0, kKeyLength}, &state,
                   [](uint64_t) { return absl::OkStatus(); });
  UseTree(tree);
  cache.TakeBatch([](quire::FileId, quire::BlockNumber, absl::Span<const char>) {});
  return 0;
}
