// The made-up records of a comparison, ready in memory, so that making them is not part of what is
// measured.
#ifndef QUIRE_CLIENT_BENCH_PEERS_RECORD_SET_H_
#define QUIRE_CLIENT_BENCH_PEERS_RECORD_SET_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/bench/made_records.h"

namespace quire {
namespace bench {

// Immutable after construction; any thread.
class RecordSet {
 public:
  // Takes kRecordBytes of memory for each.
  explicit RecordSet(uint64_t count);

  uint64_t count() const { return made_.count(); }
  const MadeRecords& made() const { return made_; }
  std::string_view View(uint64_t rank) const {
    return std::string_view(bytes_).substr(rank * MadeRecords::kRecordBytes,
                                           MadeRecords::kRecordBytes);
  }
  // The first `count` records of an order.
  std::vector<std::string_view> InOrder(RecordOrder order, uint64_t count) const;

 private:
  const MadeRecords made_;
  std::string bytes_;  // by rank
};

// What stores of key and value take as the key.
inline std::string_view KeyOf(std::string_view record) {
  return record.substr(0, MadeRecords::kKeyBytes);
}

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_RECORD_SET_H_
