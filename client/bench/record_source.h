// The records a load writes, in the order it writes them.
#ifndef QUIRE_CLIENT_BENCH_RECORD_SOURCE_H_
#define QUIRE_CLIENT_BENCH_RECORD_SOURCE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace quire {
namespace bench {

inline constexpr uint32_t kArticleRecordBytes = 1676;
inline constexpr uint32_t kArticleKeyBytes = 11;

// Which input, and the shape of its records: key first, then text, blank padded to record_bytes.
struct InputOptions {
  std::string path;
  bool csv = false;         // false: MEASURE report text
  uint32_t key_column = 1;  // CSV: column that holds the key, from 1
  uint32_t key_length = kArticleKeyBytes;
  uint32_t record_bytes = kArticleRecordBytes;
};

// Not thread safe.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // Replaces `record`; false at the end of the input. Errors name the line or row.
  virtual absl::StatusOr<bool> Next(std::string* record) = 0;
  // What record n (from 1) of this source is called in messages: "row", "report block".
  virtual std::string_view noun() const = 0;
};

// Opens the input from its beginning. 22 for a key as long as the record or longer.
absl::StatusOr<std::unique_ptr<RecordSource>> OpenRecords(const InputOptions& options);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_RECORD_SOURCE_H_
