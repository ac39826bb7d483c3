#include "client/bench/peers/copy_format.h"

#include <cstdint>

namespace quire {
namespace bench {
namespace {

constexpr std::string_view kSignature("PGCOPY\n\377\r\n\0", 11);
constexpr size_t kHeadBytes = 19;  // signature, flags, length of the extension
constexpr uint16_t kNoMoreRows = 0xffff;
constexpr size_t kCountBytes = 2;
constexpr size_t kLengthBytes = 4;

void AppendBigEndian(uint32_t value, size_t bytes, std::string* out) {
  for (size_t i = bytes; i > 0; --i) out->push_back(static_cast<char>(value >> (8 * (i - 1))));
}
uint32_t BigEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace

std::string CopyHead() {
  std::string head(kSignature);
  head.resize(kHeadBytes, '\0');
  return head;
}

void AppendCopyRow(std::string_view key, std::string_view record, std::string* bytes) {
  AppendBigEndian(2, kCountBytes, bytes);
  for (const std::string_view field : {key, record}) {
    AppendBigEndian(static_cast<uint32_t>(field.size()), kLengthBytes, bytes);
    bytes->append(field);
  }
}

std::string CopyTail() {
  std::string tail;
  AppendBigEndian(kNoMoreRows, kCountBytes, &tail);
  return tail;
}

void CopyReader::Take(std::string_view piece, absl::FunctionRef<void(std::string_view)> visit) {
  if (!begun_ && !damaged_) {
    damaged_ = piece.substr(0, kSignature.size()) != kSignature || piece.size() < kHeadBytes;
    if (damaged_) return;
    begun_ = true;
    piece.remove_prefix(kHeadBytes);
  }
  while (!piece.empty() && !damaged_) {
    damaged_ = ended_ || piece.size() < kCountBytes;
    if (damaged_) return;
    const uint32_t fields = BigEndian(piece.substr(0, kCountBytes));
    piece.remove_prefix(kCountBytes);
    ended_ = fields == kNoMoreRows;
    if (ended_) continue;
    damaged_ = fields != 1 || piece.size() < kLengthBytes;
    if (damaged_) return;
    const uint32_t length = BigEndian(piece.substr(0, kLengthBytes));
    piece.remove_prefix(kLengthBytes);
    damaged_ = length > piece.size();
    if (damaged_) return;
    visit(piece.substr(0, length));
    piece.remove_prefix(length);
  }
}

}  // namespace bench
}  // namespace quire
