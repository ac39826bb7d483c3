#include "client/bench/peers/write_works.h"

#include <algorithm>
#include <string>
#include <vector>

#include "client/bench/peers/stopwatch.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr uint64_t kGroup = 64;

RecordOrder OrderOf(Work load) {
  switch (load) {
    case Work::kLoadAscending:
      return RecordOrder::kAscending;
    case Work::kLoadShuffled:
      return RecordOrder::kShuffled;
    default:
      return RecordOrder::kInterleaved;
  }
}

}  // namespace

absl::Status MeasureDurable(PeerStore* store, const RecordSet& records, uint64_t operations,
                            Figures* figures) {
  const std::vector<RecordView> views = records.InOrder(RecordOrder::kInterleaved, operations);
  const Stopwatch watch;
  for (const RecordView record : views) {
    if (absl::Status s = store->Write(record); !s.ok()) return s;
  }
  (*figures)[std::string(NameOf(Work::kDurable))] =
      static_cast<double>(operations) / watch.seconds();
  return absl::OkStatus();
}

absl::Status MeasureGroup(PeerStore* store, const RecordSet& records, uint64_t operations,
                          Figures* figures) {
  const std::vector<RecordView> views = records.InOrder(RecordOrder::kInterleaved, operations);
  std::vector<std::vector<RecordView>> groups;
  for (uint64_t start = 0; start < views.size(); start += kGroup) {
    const uint64_t end = std::min<uint64_t>(views.size(), start + kGroup);
    groups.emplace_back(views.begin() + static_cast<int64_t>(start),
                        views.begin() + static_cast<int64_t>(end));
  }
  const Stopwatch watch;
  for (const std::vector<RecordView>& group : groups) {
    if (absl::Status s = store->WriteGroup(group); !s.ok()) return s;
  }
  (*figures)[std::string(NameOf(Work::kGroup))] = static_cast<double>(operations) / watch.seconds();
  return absl::OkStatus();
}

absl::Status MeasureLoad(PeerStore* store, const RecordSet& records, Work work, Figures* figures) {
  const std::vector<RecordView> views = records.InOrder(OrderOf(work), records.count());
  const std::string name(NameOf(work));
  const Stopwatch watch;
  if (absl::Status s = store->WriteGroup(views); !s.ok()) return s;
  (*figures)[name + kReplySuffix] = static_cast<double>(views.size()) / watch.seconds();
  if (absl::Status s = store->Settle(); !s.ok()) return s;
  (*figures)[name] = static_cast<double>(views.size()) / watch.seconds();
  return absl::OkStatus();
}

}  // namespace bench
}  // namespace quire
