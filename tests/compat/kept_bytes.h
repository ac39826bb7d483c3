// Bytes kept as hexadecimal text beside the tests, and what they were made of.
#ifndef QUIRE_TESTS_COMPAT_KEPT_BYTES_H_
#define QUIRE_TESTS_COMPAT_KEPT_BYTES_H_

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/base/bytes.h"
#include "server/btree/block_view.h"
#include "server/keyseq/file_label.h"

namespace quire {

inline constexpr FileId kKeptFileId = 7;
inline constexpr BlockNumber kKeptBlock = 3;
inline constexpr uint32_t kKeptImageBytes = 512 - 16;

// A file of tests/compat, such as "version_1/label".
inline std::string KeptPath(std::string_view name) {
  return StrCat(QUIRE_SOURCE_DIR, "/tests/compat/", name, ".hex");
}

inline void Keep(std::string_view name, std::string_view bytes) {
  constexpr size_t kLineBytes = 32;
  std::ofstream out(KeptPath(name));
  for (size_t i = 0; i < bytes.size(); ++i) {
    out << StrCat(absl::Hex(static_cast<unsigned char>(bytes[i]), absl::kZeroPad2));
    if ((i + 1) % kLineBytes == 0 || i + 1 == bytes.size()) out << '\n';
  }
}

inline std::string BytesOfHex(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

inline std::string Kept(std::string_view name) {
  std::ifstream in(KeptPath(name));
  EXPECT_TRUE(in.is_open()) << KeptPath(name);
  std::string bytes;
  for (std::string line; std::getline(in, line);) bytes += BytesOfHex(line);
  return bytes;
}

inline FileLabel KeptLabel() {
  FileLabel label;
  label.id = kKeptFileId;
  label.name = FileName{"", "$DATA01", "SHOP", "PARTS"};
  label.attributes.format = 1;
  label.attributes.code = 100;
  label.attributes.extents = {16, 32};
  label.attributes.record_bytes = 80;
  label.attributes.block_bytes = 512;
  label.attributes.key_length = 4;
  label.attributes.key_offset = 2;
  label.attributes.lock_length = 4;
  label.attributes.buffered = true;
  label.attributes.partitions = {{"$DATA02", {8, 8}, "5"}, {"$DATA03", {4, 4}, "7"}};
  label.primary_volume = "$DATA01";
  label.create_id = 0x0123456789ABCDEF;
  label.confirmed = true;
  label.owner_group = 10;
  label.owner_user = 1;
  label.security = "GOGO";
  label.created_us = 1700000000000000;
  label.modified_us = 1700000001000000;
  label.last_open_us = 1700000002000000;
  label.tree = {3, 0, 4, 2, 0, 2};
  label.extents_allocated = 1;
  return label;
}

inline std::string KeptBlock() {
  std::string image(kKeptImageBytes, '\0');
  const absl::Span<char> bytes(image.data(), image.size());
  FormatImage(bytes, kKeptFileId, kKeptBlock, kDataLevel);
  const std::string_view records[] = {"..0001bolt", "..0002nut"};
  uint32_t end = kBlockHeaderBytes;
  uint16_t count = 0;
  for (const std::string_view record : records) {
    image.replace(end, record.size(), record);
    end += static_cast<uint32_t>(record.size());
    ++count;
    StoreLittle<uint16_t>(image.data() + image.size() - kSlotBytes * count,
                          static_cast<uint16_t>(end));
  }
  StoreLittle<uint16_t>(image.data() + block_offset::kRecordCount, count);
  SealImage(bytes);
  return image;
}

}  // namespace quire

#endif  // QUIRE_TESTS_COMPAT_KEPT_BYTES_H_
