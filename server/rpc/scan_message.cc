#include "server/rpc/scan_message.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/slice.h"
#include "quire/v1/record.pb.h"

namespace quire {
namespace {

using google::protobuf::io::CodedOutputStream;
using Wire = google::protobuf::internal::WireFormatLite;

// Tags and lengths are at most 10 bytes each; the fields around the records have few of them.
constexpr size_t kFewBytes = 64;

uint8_t* Head(int field, size_t bytes, uint8_t* out) {
  out = CodedOutputStream::WriteTagToArray(Wire::MakeTag(field, Wire::WIRETYPE_LENGTH_DELIMITED),
                                           out);
  return CodedOutputStream::WriteVarint32ToArray(static_cast<uint32_t>(bytes), out);
}

size_t HeadBytes(int field, size_t bytes) {
  uint8_t head[2 * 10];
  return static_cast<size_t>(Head(field, bytes, head) - head);
}

// Of a field that is left out when empty.
size_t FieldBytes(int field, size_t bytes) {
  return bytes == 0 ? 0 : HeadBytes(field, bytes) + bytes;
}

grpc::Slice SliceOf(std::string bytes) {
  auto owned = std::make_unique<std::string>(std::move(bytes));
  grpc::Slice slice(
      owned->data(), owned->size(), [](void* string) { delete static_cast<std::string*>(string); },
      owned.get());
  owned.release();
  return slice;
}

// All in front of the records: the head of the chunk, the lengths, the head of the records.
grpc::Slice Front(const RecordChunk& chunk) {
  size_t lengths_bytes = 0;
  for (const uint32_t length : chunk.lengths) {
    lengths_bytes += CodedOutputStream::VarintSize32(length);
  }
  const size_t chunk_bytes =
      FieldBytes(v1::RecordChunk::kLengthsFieldNumber, lengths_bytes) +
      FieldBytes(v1::RecordChunk::kDataFieldNumber, chunk.data.size()) +
      FieldBytes(v1::RecordChunk::kLastKeyFieldNumber, chunk.last_key.size());
  std::string bytes(lengths_bytes + kFewBytes, '\0');
  auto* const begin = reinterpret_cast<uint8_t*>(bytes.data());
  uint8_t* out = Head(v1::ScanResponse::kChunkFieldNumber, chunk_bytes, begin);
  out = Head(v1::RecordChunk::kLengthsFieldNumber, lengths_bytes, out);
  for (const uint32_t length : chunk.lengths) {
    out = CodedOutputStream::WriteVarint32ToArray(length, out);
  }
  if (!chunk.data.empty()) {
    out = Head(v1::RecordChunk::kDataFieldNumber, chunk.data.size(), out);
  }
  bytes.resize(static_cast<size_t>(out - begin));
  return SliceOf(std::move(bytes));
}

// All behind them: the last key, and whether this is the end.
grpc::Slice Back(std::string_view last_key, bool end) {
  std::string bytes(last_key.size() + kFewBytes, '\0');
  auto* const begin = reinterpret_cast<uint8_t*>(bytes.data());
  uint8_t* out = begin;
  if (!last_key.empty()) {
    out = Head(v1::RecordChunk::kLastKeyFieldNumber, last_key.size(), out);
    out = std::copy(last_key.begin(), last_key.end(), out);
  }
  if (end) out = Wire::WriteBoolToArray(v1::ScanResponse::kEndFieldNumber, true, out);
  return grpc::Slice(bytes.data(), static_cast<size_t>(out - begin));
}

}  // namespace

grpc::ByteBuffer ScanMessage(ScanPage&& page) {
  RecordChunk& chunk = page.chunk;
  const bool empty = chunk.size() == 0;
  const grpc::Slice parts[3] = {empty ? grpc::Slice() : Front(chunk),
                                empty ? grpc::Slice() : SliceOf(std::move(chunk.data)),
                                Back(empty ? std::string_view() : chunk.last_key, page.end)};
  return grpc::ByteBuffer(parts, 3);
}

}  // namespace quire
