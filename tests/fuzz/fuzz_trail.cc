// Audit trail bytes as a damaged segment may hold them: parsing answers a batch or an error.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/trail/trail_format.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  quire::BatchHeader header;
  std::vector<quire::TrailRecord> records;
  const absl::Span<const char> bytes(reinterpret_cast<const char*>(data), size);
  const absl::Status status = quire::ParseBatch(bytes, &header, &records);
  if (!status.ok()) return 0;
  // Views must lie within the input: touch them all.
  uint64_t sum = 0;
  for (const quire::TrailRecord& record : records) {
    for (char byte : record.payload) sum += static_cast<unsigned char>(byte);
  }
  return sum == UINT64_MAX ? 1 : 0;
}
