#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {

RecordSet::RecordSet(uint64_t count) : made_(count) {
  bytes_.resize(count * MadeRecords::kRecordBytes);
  for (uint64_t rank = 0; rank < count; ++rank) {
    made_.Fill(
        rank, absl::MakeSpan(&bytes_[rank * MadeRecords::kRecordBytes], MadeRecords::kRecordBytes));
  }
}

std::vector<std::string_view> RecordSet::InOrder(RecordOrder order, uint64_t count) const {
  std::vector<std::string_view> records;
  records.reserve(count);
  for (uint64_t i = 0; i < count; ++i) records.push_back(View(made_.RankAt(order, i)));
  return records;
}

}  // namespace bench
}  // namespace quire
