#include "server/base/block_header.h"

#include <cstring>

#include "quire/text.h"
#include "server/base/bytes.h"
#include "xxhash.h"

namespace quire {
namespace {

uint64_t Checksum(const char* image, size_t size) {
  return XXH3_64bits(image + block_offset::kFileId, size - block_offset::kFileId);
}

}  // namespace

void FormatImage(absl::Span<char> image, FileId file, BlockNumber block, uint8_t level) {
  std::memset(image.data(), 0, image.size());
  StoreLittle<uint64_t>(image.data() + block_offset::kFileId, file);
  StoreLittle<uint32_t>(image.data() + block_offset::kBlockNumber, block);
  StoreLittle<uint16_t>(image.data() + block_offset::kMagic, kBlockMagic);
  StoreLittle<uint8_t>(image.data() + block_offset::kVersion, kBlockVersion);
  StoreLittle<uint8_t>(image.data() + block_offset::kLevel, level);
}

void SealImage(absl::Span<char> image) {
  StoreLittle<uint64_t>(image.data() + block_offset::kChecksum,
                        Checksum(image.data(), image.size()));
}

std::string VerifyImage(absl::Span<const char> image, FileId file, BlockNumber block) {
  if (image.size() < kBlockHeaderBytes) {
    return StrCat("image of ", image.size(), " bytes is shorter than a block header");
  }
  const char* at = image.data();
  if (LoadLittle<uint16_t>(at + block_offset::kMagic) != kBlockMagic) return "wrong magic";
  const auto version = LoadLittle<uint8_t>(at + block_offset::kVersion);
  if (version != kBlockVersion) return StrCat("unknown block version ", version);
  if (LoadLittle<uint64_t>(at + block_offset::kChecksum) != Checksum(at, image.size())) {
    return "wrong checksum";
  }
  const auto file_id = LoadLittle<uint64_t>(at + block_offset::kFileId);
  const auto number = LoadLittle<uint32_t>(at + block_offset::kBlockNumber);
  if (file_id != file || number != block) {
    return StrCat("it is block ", number, " of file id ", file_id, ", misplaced");
  }
  return "";
}

}  // namespace quire
