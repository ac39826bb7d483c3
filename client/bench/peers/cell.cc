#include "client/bench/peers/cell.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

#include "absl/strings/str_format.h"
#include "client/bench/errors.h"
#include "client/bench/peers/errors.h"
#include "client/bench/peers/mixed_works.h"
#include "client/bench/peers/read_works.h"
#include "client/bench/peers/record_set.h"
#include "client/bench/peers/write_works.h"
#include "client/bench/process_figures.h"

namespace quire {
namespace bench {
namespace {

bool FollowsLoad(Work work) {
  return work >= Work::kRead;
}

bool IsLoad(Work work) {
  return work >= Work::kLoadAscending && work <= Work::kLoadDurable;
}

PeerDurability DurabilityOf(Work work) {
  switch (work) {
    case Work::kDurable:
      return PeerDurability::kEach;
    case Work::kGroup:
    case Work::kLoadDurable:
      return PeerDurability::kGrouped;
    default:
      return PeerDurability::kNone;
  }
}

class Cell {
 public:
  Cell(const Peer& peer, const CellPlan& plan)
      : peer_(peer), plan_(plan), records_(plan.records), base_bytes_(PrivateBytes(getpid())) {}

  absl::StatusOr<Figures> Run() {
    open_.directory = plan_.directory;
    open_.records = plan_.records;
    open_.durability = DurabilityOf(plan_.works.front());
    MemorySampler memory({getpid()});
    absl::StatusOr<std::unique_ptr<PeerStore>> opened = peer_.open(open_);
    if (!opened.ok()) return opened.status();
    store_ = *std::move(opened);
    if (FollowsLoad(plan_.works.front())) {
      // The load is not what is asked for, but what is read.
      if (absl::Status s = Load(Work::kLoadRuns, &memory); !s.ok()) return s;
      figures_.clear();
    }
    for (const Work work : plan_.works) {
      if (absl::Status s = Measure(work, &memory); !s.ok()) return s;
    }
    if (absl::Status s = store_->Close(); !s.ok()) return s;
    return figures_;
  }

 private:
  absl::Status Measure(Work work, MemorySampler* memory) {
    const uint64_t operations =
        OperationsOf(work, peer_.over_network, plan_.records, plan_.operations);
    if (IsLoad(work)) return Load(work, memory);
    switch (work) {
      case Work::kDurable:
      case Work::kGroup:
        return Durable(work, operations);
      case Work::kRead:
        return MeasureRead(store_.get(), records_, operations, &figures_);
      case Work::kReadGroup:
        return MeasureReadGroup(store_.get(), records_, operations, &figures_);
      case Work::kScan:
        return MeasureScan(store_.get(), records_, &figures_);
      default:
        if (!changed_.has_value()) changed_.emplace(&records_);
        return MeasureMixed(store_.get(), &*changed_, work, operations, &figures_);
    }
  }

  absl::Status Durable(Work work, uint64_t operations) {
    const absl::Status measured =
        work == Work::kDurable ? MeasureDurable(store_.get(), records_, operations, &figures_)
                               : MeasureGroup(store_.get(), records_, operations, &figures_);
    return measured.ok() ? CheckContents(store_.get(), records_, operations) : measured;
  }

  absl::Status Load(Work work, MemorySampler* memory) {
    const std::string name(NameOf(work));
    if (absl::Status s = MeasureLoad(store_.get(), records_, work, &figures_); !s.ok()) return s;
    const uint64_t peak = memory->Finish();
    const uint64_t own = peak - std::min(peak, base_bytes_);
    figures_[name + kMemorySuffix] =
        static_cast<double>(peer_.server_memory ? peer_.server_memory() : own);
    store_->Rest();
    figures_[name + kBytesSuffix] = static_cast<double>(peer_.data_bytes(open_));
    return CheckContents(store_.get(), records_, records_.count());
  }

  const Peer& peer_;
  const CellPlan& plan_;
  const RecordSet records_;
  const uint64_t base_bytes_;  // the records are not the store's
  PeerOpen open_;
  std::unique_ptr<PeerStore> store_;
  std::optional<ChangedRecords> changed_;
  Figures figures_;
};

}  // namespace

std::vector<std::vector<Work>> PhasesOf(absl::Span<const Work> works) {
  std::vector<std::vector<Work>> phases;
  std::vector<Work> loaded;
  for (const Work work : works) {
    if (FollowsLoad(work) || work == Work::kLoadRuns) {
      loaded.push_back(work);
    } else {
      phases.push_back({work});
    }
  }
  // Each mix finds what the ones before it left; E and D add records, so they come last, as YCSB
  // asks for.
  std::stable_partition(loaded.begin(), loaded.end(),
                        [](Work work) { return work != Work::kMixedD && work != Work::kMixedE; });
  if (!loaded.empty()) phases.push_back(std::move(loaded));
  return phases;
}

std::vector<Work> WorksOf(const Peer& peer, absl::Span<const Work> asked) {
  std::vector<Work> works;
  for (const Work work : asked) {
    if (peer.works.empty() ||
        std::find(peer.works.begin(), peer.works.end(), work) != peer.works.end()) {
      works.push_back(work);
    }
  }
  return works;
}

uint64_t OperationsOf(Work work, bool over_network, uint64_t records, uint64_t operations) {
  switch (work) {
    case Work::kDurable:
      return std::clamp<uint64_t>(operations / 20, 1, records);
    case Work::kGroup:
      return std::min(operations, records);
    case Work::kRead:
      return over_network ? operations : operations * 5;
    case Work::kReadGroup:
      return operations * 5;
    case Work::kMixedE:
      return std::max<uint64_t>(operations / 5, 1);  // each some 50 records
    default:
      return IsMixed(work) ? operations : 0;
  }
}

absl::StatusOr<Figures> RunCell(const Peer& peer, const CellPlan& plan) {
  return Cell(peer, plan).Run();
}

std::string FiguresText(const Figures& figures) {
  std::string text;
  for (const auto& [name, value] : figures) text += absl::StrFormat("%s %.9g\n", name, value);
  return text;
}

absl::StatusOr<Figures> ParseFigures(std::string_view text) {
  Figures figures;
  std::istringstream lines{std::string(text)};
  std::string name;
  double value = 0;
  while (lines >> name) {
    if (!(lines >> value)) return DamagedMeasurements("the child's figures", "no number");
    figures[name] = value;
  }
  return figures;
}

}  // namespace bench
}  // namespace quire
