// The records of a mixed work: those loaded, in the versions that updates gave them, and those
// inserted since.
#ifndef QUIRE_CLIENT_BENCH_PEERS_CHANGED_RECORDS_H_
#define QUIRE_CLIENT_BENCH_PEERS_CHANGED_RECORDS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {

// Items count from 0 in the order in which they came: first the loaded in the order of their load
// (100 runs), then the inserted. Not thread safe.
class ChangedRecords {
 public:
  // `records` must outlive this.
  explicit ChangedRecords(const RecordSet* records);

  uint64_t size() const { return versions_.size(); }
  std::string KeyAt(uint64_t item) const;
  // The record as it was last written.
  std::string RecordAt(uint64_t item) const;
  bool Matches(uint64_t item, std::string_view record) const;
  // Gives the item other text behind its key.
  void Change(uint64_t item) { ++versions_[item]; }
  // Adds one, at most as many as were loaded; its key lies between those of two loaded records.
  void Insert();

 private:
  bool inserted(uint64_t item) const { return item >= records_->count(); }
  uint64_t RankOf(uint64_t item) const;
  std::string_view TextOf(uint64_t item) const;

  const RecordSet* const records_;
  std::vector<uint32_t> versions_;  // by item
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_CHANGED_RECORDS_H_
