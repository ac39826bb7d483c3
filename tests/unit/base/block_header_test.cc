#include "server/base/block_header.h"

#include <string>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/attributes.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "server/base/bytes.h"

namespace quire {
namespace {

using testing::HasSubstr;

constexpr FileId kFile = 0x1122334455667788;
constexpr BlockNumber kBlock = 0x99AABBCC;

std::string Sealed(uint32_t bytes = 480) {
  std::string image(bytes, 'x');
  const absl::Span<char> span = absl::MakeSpan(image.data(), image.size());
  FormatImage(span, kFile, kBlock, 7);
  image.replace(kBlockHeaderBytes, 5, "QUIRE");
  SealImage(span);
  return image;
}

// The bytes on disc. They change only with kBlockVersion.
TEST(BlockHeaderTest, GoldenBytes) {
  EXPECT_EQ(absl::BytesToHexString(Sealed().substr(0, 44)),
            "e996006252438b99"    // checksum
            "8877665544332211"    // file id
            "ccbbaa99"            // block number
            "4251"                // magic
            "01"                  // version
            "07"                  // level
            "00000000"            // previous
            "00000000"            // next
            "0000"                // record count
            "0000"                // reserved
            "5155495245000000");  // contents
}

TEST(BlockHeaderTest, FieldsDoNotOverlapAndFillTheHeader) {
  static_assert(block_offset::kFileId == block_offset::kChecksum + sizeof(uint64_t));
  static_assert(block_offset::kBlockNumber == block_offset::kFileId + sizeof(FileId));
  static_assert(block_offset::kMagic == block_offset::kBlockNumber + sizeof(BlockNumber));
  static_assert(block_offset::kVersion == block_offset::kMagic + sizeof(kBlockMagic));
  static_assert(block_offset::kLevel == block_offset::kVersion + sizeof(kBlockVersion));
  static_assert(block_offset::kPrevious == block_offset::kLevel + sizeof(uint8_t));
  static_assert(block_offset::kNext == block_offset::kPrevious + sizeof(BlockNumber));
  static_assert(block_offset::kRecordCount == block_offset::kNext + sizeof(BlockNumber));
  static_assert(block_offset::kReserved == block_offset::kRecordCount + sizeof(uint16_t));
  static_assert(kBlockHeaderBytes == block_offset::kReserved + sizeof(uint16_t));
}

TEST(BlockHeaderTest, FormatLeavesNothingOfWhatWasThere) {
  std::string image(480, 'x');
  FormatImage(absl::MakeSpan(image.data(), image.size()), 1, 2, 3);
  EXPECT_EQ(image.find('x'), std::string::npos);
}

TEST(BlockHeaderTest, SealedImageVerifies) {
  for (uint32_t bytes : {496U, 1008U, 2032U, 4080U, 32752U}) {
    EXPECT_EQ(VerifyImage(Sealed(bytes), kFile, kBlock), "") << bytes;
  }
}

TEST(BlockHeaderTest, EveryChangedByteIsFound) {
  const std::string sealed = Sealed();
  for (size_t i = 0; i < sealed.size(); ++i) {
    std::string damaged = sealed;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_NE(VerifyImage(damaged, kFile, kBlock), "") << "byte " << i;
  }
}

TEST(BlockHeaderTest, ReasonsAreNamed) {
  const std::string sealed = Sealed();
  EXPECT_THAT(VerifyImage(sealed.substr(0, 35), kFile, kBlock), HasSubstr("35 bytes is shorter"));
  EXPECT_EQ(VerifyImage(std::string(480, '\0'), kFile, kBlock), "wrong magic");
  std::string newer = sealed;
  newer[block_offset::kVersion] = 2;
  SealImage(absl::MakeSpan(newer.data(), newer.size()));
  EXPECT_EQ(VerifyImage(newer, kFile, kBlock), "unknown block version 2");
  std::string torn = sealed;
  torn.back() = 'z';
  EXPECT_EQ(VerifyImage(torn, kFile, kBlock), "wrong checksum");
  EXPECT_THAT(VerifyImage(sealed, kFile, 1), HasSubstr("misplaced"));
  EXPECT_THAT(VerifyImage(sealed, 1, kBlock), HasSubstr("misplaced"));
}

// attributes.cc cannot include this header; its bound on KEYLEN (R-B2) must come from the same
// header size and the same 6 bytes (block number and slot) of an index entry.
TEST(BlockHeaderTest, LargestKeyLengthFollowsFromTheHeaderSize) {
  constexpr uint32_t kIndexEntryBytes = sizeof(BlockNumber) + sizeof(uint16_t);
  constexpr uint32_t kLeastEntries = 3;
  FileAttributes attributes;
  attributes.block_bytes = 512;
  attributes.record_bytes = MaxRecordBytes(512);
  const uint32_t longest = (ImageBytes(512) - kBlockHeaderBytes) / kLeastEntries - kIndexEntryBytes;
  ASSERT_LT(longest, kMaxKeyBytes);  // so that it is the block that decides
  attributes.key_length = longest;
  EXPECT_TRUE(Normalize(attributes).ok());
  attributes.key_length = longest + 1;
  EXPECT_EQ(NumberOf(Normalize(attributes).status()), ErrorNumber::kIllegalCount);
}

}  // namespace
}  // namespace quire
