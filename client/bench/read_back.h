// Compares a loaded file with its input, record by record and byte by byte.
#ifndef QUIRE_CLIENT_BENCH_READ_BACK_H_
#define QUIRE_CLIENT_BENCH_READ_BACK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bench/record_source.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

// The records of an input in key order. Trailing blanks are kept as a length only, which makes the
// article's 226 MB some 100 MB. Immutable, thread safe.
class ExpectedRecords {
 public:
  // Reads the source to its end. The key stands at key_offset for key_length bytes.
  static absl::StatusOr<ExpectedRecords> Read(RecordSource* source, uint32_t key_offset,
                                              uint32_t key_length);

  uint64_t size() const { return places_.size(); }
  // Whether record i, in key order, is exactly `record`.
  bool Matches(uint64_t i, std::string_view record) const;
  std::string KeyOf(uint64_t i) const;
  // True when record n of the input (from 0) has prefix n mod 100 and serial n div 100: the order
  // for which the counter model speaks.
  bool in_article_order() const { return in_article_order_; }

 private:
  struct Place {
    uint64_t offset;        // in text_
    uint32_t text_bytes;    // without trailing blanks
    uint32_t record_bytes;  // with them
  };

  std::string text_;
  std::vector<Place> places_;  // in key order
  uint32_t key_offset_ = 0;
  uint32_t key_length_ = 0;
  bool in_article_order_ = true;
};

struct ReadBackResult {
  bool verified = false;
  uint64_t records = 0;    // that matched, in order
  std::string difference;  // the first one, in words; empty when verified
};

// Scans the whole file in key order. The status is an error of reading; differences are results.
absl::StatusOr<ReadBackResult> CompareWithFile(const ExpectedRecords& expected, File* file,
                                               absl::FunctionRef<bool(uint64_t done)> progress);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_READ_BACK_H_
