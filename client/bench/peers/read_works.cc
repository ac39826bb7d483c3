#include "client/bench/peers/read_works.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "client/bench/peers/errors.h"
#include "client/bench/peers/stopwatch.h"
#include "client/bench/splitmix.h"

namespace quire {
namespace bench {
namespace {

// Keys a store is given at once. Those over a connection ask for them in groups of 64, all of them
// under way: the requests, some 100 KB, fit into the sockets' buffers, so that nobody who sends
// waits for somebody who sends.
constexpr uint64_t kGroup = 1024;
constexpr uint64_t kProbeSeed = 7;

std::vector<uint64_t> RandomRanks(uint64_t count, uint64_t operations) {
  SplitMix64 random(kProbeSeed);
  std::vector<uint64_t> ranks(operations);
  for (uint64_t& rank : ranks) rank = random.Below(count);
  return ranks;
}

// Visits the records of a scan and remembers the first that is wrong.
absl::Status ScanAndCheck(PeerStore* store, const RecordSet& records, std::string_view work) {
  uint64_t got = 0;
  uint64_t wrong = std::numeric_limits<uint64_t>::max();
  // One more than there are: a store that holds too much shows it.
  const absl::Status scanned = store->Scan("", records.count() + 1, [&](RecordView record) {
    if (got >= records.count() || !records.made().Matches(got, record))
      wrong = std::min(wrong, got);
    ++got;
  });
  if (!scanned.ok()) return scanned;
  if (got != records.count()) return WrongCount(work, got, records.count());
  if (wrong < got) return WrongRecord(work, wrong);
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckContents(PeerStore* store, const RecordSet& records, uint64_t wanted) {
  if (wanted == records.count()) return ScanAndCheck(store, records, "check");
  uint64_t got = 0;
  const absl::Status scanned = store->Scan("", wanted + 1, [&](RecordView) { ++got; });
  if (!scanned.ok()) return scanned;
  return got == wanted ? absl::OkStatus() : WrongCount("check", got, wanted);
}

absl::Status MeasureRead(PeerStore* store, const RecordSet& records, uint64_t operations,
                         Figures* figures) {
  const std::string_view name = NameOf(Work::kRead);
  const std::vector<uint64_t> ranks = RandomRanks(records.count(), operations);
  std::string record;
  char key[MadeRecords::kKeyBytes];
  const Stopwatch watch;
  for (const uint64_t rank : ranks) {
    records.made().FillKey(rank, absl::MakeSpan(key, sizeof(key)));
    if (absl::Status s = store->Read({key, sizeof(key)}, &record); !s.ok()) return s;
    if (!records.made().Matches(rank, record)) return WrongRecord(name, rank);
  }
  (*figures)[std::string(name)] = static_cast<double>(operations) / watch.seconds();
  return absl::OkStatus();
}

absl::Status MeasureReadGroup(PeerStore* store, const RecordSet& records, uint64_t operations,
                              Figures* figures) {
  const std::string_view name = NameOf(Work::kReadGroup);
  const std::vector<uint64_t> ranks = RandomRanks(records.count(), operations);
  std::vector<std::string> keys;
  const Stopwatch watch;
  for (uint64_t start = 0; start < ranks.size(); start += kGroup) {
    const uint64_t end = std::min<uint64_t>(ranks.size(), start + kGroup);
    keys.clear();
    for (uint64_t i = start; i < end; ++i) keys.push_back(records.made().Key(ranks[i]));
    uint64_t next = start;
    bool wrong = false;
    const absl::Status read = store->ReadGroup(keys, [&](RecordView record) {
      wrong = wrong || next >= end || !records.made().Matches(ranks[next], record);
      ++next;
    });
    if (!read.ok()) return read;
    if (wrong) return WrongRecord(name, ranks[start]);
    if (next != end) return WrongCount(name, next - start, end - start);
  }
  (*figures)[std::string(name)] = static_cast<double>(operations) / watch.seconds();
  return absl::OkStatus();
}

absl::Status MeasureScan(PeerStore* store, const RecordSet& records, Figures* figures) {
  const std::string_view name = NameOf(Work::kScan);
  const Stopwatch watch;
  if (absl::Status s = ScanAndCheck(store, records, name); !s.ok()) return s;
  (*figures)[std::string(name)] = static_cast<double>(records.count()) / watch.seconds();
  return absl::OkStatus();
}

}  // namespace bench
}  // namespace quire
