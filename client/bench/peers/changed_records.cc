#include "client/bench/peers/changed_records.h"

namespace quire {
namespace bench {

ChangedRecords::ChangedRecords(const RecordSet* records)
    : records_(records), versions_(records->count(), 0) {}

uint64_t ChangedRecords::RankOf(uint64_t item) const {
  if (inserted(item)) {
    return records_->made().RankAt(RecordOrder::kShuffled, item - records_->count());
  }
  return records_->made().RankAt(RecordOrder::kInterleaved, item);
}

// Another record's text: as like the first as any two.
std::string_view ChangedRecords::TextOf(uint64_t item) const {
  return records_->View((RankOf(item) + versions_[item]) % records_->count())
      .substr(MadeRecords::kKeyBytes);
}

std::string ChangedRecords::KeyAt(uint64_t item) const {
  std::string key(KeyOf(records_->View(RankOf(item))));
  if (!inserted(item)) return key;
  // The next number: no loaded record has it (MadeRecords::FillKey).
  for (size_t digit = key.size(); digit-- > 0;) {
    if (key[digit] != '9') {
      ++key[digit];
      break;
    }
    key[digit] = '0';
  }
  return key;
}

std::string ChangedRecords::RecordAt(uint64_t item) const {
  std::string record = KeyAt(item);
  record.append(TextOf(item));
  return record;
}

bool ChangedRecords::Matches(uint64_t item, std::string_view record) const {
  return record.size() == MadeRecords::kRecordBytes && KeyOf(record) == KeyAt(item) &&
         record.substr(MadeRecords::kKeyBytes) == TextOf(item);
}

void ChangedRecords::Insert() {
  versions_.push_back(0);
}

}  // namespace bench
}  // namespace quire
