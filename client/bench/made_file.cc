#include "client/bench/made_file.h"

#include <memory>
#include <string>
#include <string_view>

#include "client/bench/errors.h"

namespace quire {
namespace bench {
namespace {

// Pages of 2,048 bytes: a record wants about one, half a block.
constexpr ExtentSizes kExtents = {5000, 5000};
constexpr uint32_t kMaxExtents = 900;

}  // namespace

FileAttributes MadeFileAttributes() {
  FileAttributes attributes;
  attributes.key_length = MadeRecords::kKeyBytes;
  attributes.record_bytes = MadeRecords::kRecordBytes;
  attributes.extents = kExtents;
  attributes.max_extents = kMaxExtents;
  attributes.buffered = true;
  return attributes;
}

absl::Status LoadMadeFile(FileSystem& file_system, const FileName& name, const MadeRecords& records,
                          RecordOrder order, uint32_t record_bytes) {
  absl::StatusOr<std::unique_ptr<File>> file = file_system.Open(name, {});
  if (!file.ok()) return file.status();
  uint64_t next = 0;
  std::string record(MadeRecords::kRecordBytes, ' ');
  const absl::StatusOr<LoadSummary> loaded = (*file)->Load(
      [&](std::string_view* out) {
        if (next == records.count()) return false;
        records.Fill(records.RankAt(order, next++), absl::MakeSpan(record));
        *out = std::string_view(record).substr(0, record_bytes);
        return true;
      },
      {});
  if (!loaded.ok()) return loaded.status();
  if (!loaded->refused.empty()) {
    return RecordRefused("record", loaded->refused[0].first + 1, loaded->refused[0].second);
  }
  return (*file)->Close();
}

}  // namespace bench
}  // namespace quire
