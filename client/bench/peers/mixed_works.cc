#include "client/bench/peers/mixed_works.h"

#include <string>

#include "client/bench/peers/errors.h"
#include "client/bench/peers/stopwatch.h"
#include "client/bench/peers/zipfian.h"

namespace quire {
namespace bench {
namespace {

constexpr uint64_t kSeed = 11;
constexpr uint64_t kLongestScan = 100;  // YCSB's maxscanlength

// Of 100 operations; the rest are reads.
struct Mix {
  uint64_t updates = 0;
  uint64_t inserts = 0;
  uint64_t scans = 0;
  uint64_t read_changes = 0;
  bool latest = false;  // asks for what is new
};

Mix MixOf(Work work) {
  switch (work) {
    case Work::kMixedA:
      return {.updates = 50};
    case Work::kMixedB:
      return {.updates = 5};
    case Work::kMixedD:
      return {.inserts = 5, .latest = true};
    case Work::kMixedE:
      return {.inserts = 5, .scans = 95};
    case Work::kMixedF:
      return {.read_changes = 50};
    default:
      return {};
  }
}

class Mixer {
 public:
  Mixer(PeerStore* store, ChangedRecords* records, Work work)
      : store_(store),
        records_(records),
        work_(work),
        mix_(MixOf(work)),
        random_(kSeed),
        popular_(records->size()) {}

  absl::Status Operate() {
    uint64_t die = random_.Below(100);
    if (die < mix_.inserts) return Insert();
    die -= mix_.inserts;
    const uint64_t item = Choose();
    if (die < mix_.scans) return Scan(item);
    die -= mix_.scans;
    if (die < mix_.updates) return Update(item);
    die -= mix_.updates;
    if (absl::Status s = Read(item); !s.ok()) return s;
    return die < mix_.read_changes ? Update(item) : absl::OkStatus();
  }

 private:
  uint64_t Choose() {
    return mix_.latest ? records_->size() - 1 - popular_.Next(&random_)
                       : popular_.NextScrambled(&random_);
  }

  absl::Status Insert() {
    records_->Insert();
    popular_.Grow(records_->size());
    return store_->Write(records_->RecordAt(records_->size() - 1));
  }
  absl::Status Update(uint64_t item) {
    records_->Change(item);
    return store_->Update(records_->RecordAt(item));
  }
  absl::Status Read(uint64_t item) {
    if (absl::Status s = store_->Read(records_->KeyAt(item), &record_); !s.ok()) return s;
    return records_->Matches(item, record_) ? absl::OkStatus() : WrongRecord(NameOf(work_), item);
  }
  absl::Status Scan(uint64_t item) {
    const uint64_t limit = 1 + random_.Below(kLongestScan);
    uint64_t got = 0;
    bool wrong = false;
    last_key_.clear();
    const absl::Status scanned = store_->Scan(records_->KeyAt(item), limit, [&](RecordView record) {
      wrong = wrong || record.size() != MadeRecords::kRecordBytes || KeyOf(record) <= last_key_ ||
              (got == 0 && !records_->Matches(item, record));
      last_key_.assign(KeyOf(record));
      ++got;
    });
    if (!scanned.ok()) return scanned;
    // Fewer come only where the file ends.
    if (wrong || got == 0 || got > limit) return WrongRecord(NameOf(work_), item);
    return absl::OkStatus();
  }

  PeerStore* const store_;
  ChangedRecords* const records_;
  const Work work_;
  const Mix mix_;
  SplitMix64 random_;
  Zipfian popular_;
  std::string record_;
  std::string last_key_;
};

}  // namespace

bool IsMixed(Work work) {
  return work >= Work::kMixedA;
}

absl::Status MeasureMixed(PeerStore* store, ChangedRecords* records, Work work, uint64_t operations,
                          Figures* figures) {
  Mixer mixer(store, records, work);
  const Stopwatch watch;
  for (uint64_t i = 0; i < operations; ++i) {
    if (absl::Status s = mixer.Operate(); !s.ok()) return s;
  }
  (*figures)[std::string(NameOf(work))] = static_cast<double>(operations) / watch.seconds();
  return absl::OkStatus();
}

}  // namespace bench
}  // namespace quire
