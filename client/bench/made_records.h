// Records made up for benchmarks: as many as wanted, each computed from its rank alone, so that
// millions need no memory. The key is 11 digits and rises with the rank; behind it stand 500 to
// 1,300 bytes of comma-separated text, then blanks, 1,676 bytes in all as the article's records.
#ifndef QUIRE_CLIENT_BENCH_MADE_RECORDS_H_
#define QUIRE_CLIENT_BENCH_MADE_RECORDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "client/bench/record_source.h"

namespace quire {
namespace bench {

// In which order the ranks 0 … count - 1 are written.
enum class RecordOrder : uint8_t {
  kAscending,
  kInterleaved,  // MadeRecords::kRuns rising runs fed in turn, as the article's input
  kShuffled,     // a fixed permutation
};

// Immutable after construction; any thread.
class MadeRecords {
 public:
  static constexpr uint32_t kRuns = 100;
  static constexpr uint32_t kKeyBytes = kArticleKeyBytes;
  static constexpr uint32_t kRecordBytes = kArticleRecordBytes;

  // 1 … 10^9 records. The same seed gives the same records and orders on every machine.
  explicit MadeRecords(uint64_t count, uint64_t seed = 1);

  uint64_t count() const { return count_; }
  // Writes record `rank` into `out`, kRecordBytes long.
  void Fill(uint64_t rank, absl::Span<char> out) const;
  std::string Record(uint64_t rank) const;
  // Writes the key alone, kKeyBytes long. Keys have gaps: no record has the key just behind one.
  void FillKey(uint64_t rank, absl::Span<char> out) const;
  std::string Key(uint64_t rank) const;
  // The rank at place `index` of an order; each rank comes once.
  uint64_t RankAt(RecordOrder order, uint64_t index) const;
  // Whether `record` is what Fill gives for `rank`. Fast enough to check every read of a
  // benchmark: compares the key, and the rest with the stored text.
  bool Matches(uint64_t rank, std::string_view record) const;
  // Whether `start` is how that record begins: kKeyBytes to kRecordBytes of it.
  bool MatchesStart(uint64_t rank, std::string_view start) const;

 private:
  uint32_t TextBytes(uint64_t rank) const;
  std::string_view Text(uint64_t rank) const;
  uint64_t Shuffled(uint64_t index) const;

  const uint64_t count_;
  const uint64_t seed_;
  uint32_t half_bits_ = 0;  // of the permutation
  std::string pool_;        // text that the records are cut from
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_MADE_RECORDS_H_
