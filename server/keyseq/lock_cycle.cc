#include "server/keyseq/lock_cycle.h"

#include <algorithm>
#include <limits>

#include "absl/container/flat_hash_set.h"

namespace quire {
namespace {

struct Obstacle {
  uint64_t owner;
  bool held;
};
using Obstacles = std::vector<Obstacle>;
using Places = std::map<uint64_t, LockWait*>;

// The nearest in `places` before `place` that is another open's.
void AddNearest(const Places& places, uint64_t place, uint64_t owner, Obstacles* out) {
  for (auto next = places.lower_bound(place); next != places.begin();) {
    --next;
    if (next->second->owner == owner) continue;
    out->push_back({next->second->owner, false});
    return;
  }
}

void AddRecordObstacles(const LockWait& wait, Obstacles* out) {
  const FileLocks& file = *wait.file;
  const bool at_gate = wait.record == nullptr;
  if (at_gate && !file.IsPastGate(wait.owner)) {
    AddNearest(file.gate.blocking, wait.place, wait.owner, out);
  }
  // At the gate it will have to queue at the record too, behind all that are there.
  const RecordLock* record = at_gate ? file.Find(wait.key) : wait.record;
  if (record == nullptr) return;
  if (record->holder != 0 && record->holder != wait.owner) out->push_back({record->holder, true});
  if (record->queue == nullptr) return;
  const uint64_t place = at_gate ? std::numeric_limits<uint64_t>::max() : wait.place;
  AddNearest(record->queue->blocking, place, wait.owner, out);
}

// Whether `waiter` waits in the file for a record that is not `owner`'s, so that a file request of
// `owner` has to let it have that record first.
bool GoesBefore(const LockState& state, const FileLocks& file, uint64_t waiter, uint64_t owner) {
  const std::vector<LockWait*>& waits = state.FindOwner(waiter)->waits;
  return std::any_of(waits.begin(), waits.end(), [&](const LockWait* wait) {
    return wait->file == &file && wait->record != nullptr && !wait->read &&
           wait->record->holder != owner;
  });
}

void AddFileObstacles(const LockState& state, const LockWait& wait, Obstacles* out) {
  const FileLocks& file = *wait.file;
  // An open past the gate waits for the others that are; any other also for the requests before it,
  // the nearest file request of which stands for what is before that one.
  if (!file.IsPastGate(wait.owner)) {
    for (auto next = file.gate.all.lower_bound(wait.place); next != file.gate.all.begin();) {
      --next;
      const LockWait& before = *next->second;
      if (before.read || before.owner == wait.owner) continue;
      out->push_back({before.owner, false});
      if (before.kind == LockKind::kFile && !file.IsPastGate(before.owner)) return;
    }
  }
  for (const auto& [holder, records] : file.holders) {
    if (holder != wait.owner) out->push_back({holder, true});
  }
  for (const auto& [waiter, count] : file.queued) {
    if (waiter == wait.owner || file.holders.contains(waiter)) continue;
    if (GoesBefore(state, file, waiter, wait.owner)) out->push_back({waiter, false});
  }
}

Obstacles ObstaclesOf(const LockState& state, const LockWait& wait) {
  Obstacles obstacles;
  const uint64_t file_owner = wait.file->owner;
  if (file_owner != 0 && file_owner != wait.owner) obstacles.push_back({file_owner, true});
  if (wait.kind == LockKind::kFile) {
    AddFileObstacles(state, wait, &obstacles);
  } else {
    AddRecordObstacles(wait, &obstacles);
  }
  return obstacles;
}

struct Reached {
  const LockWait* wait;  // null: the start
  Obstacle obstacle;     // that was reached by it
  size_t from;           // the entry of the wait's owner
};

std::vector<CycleStep> WayTo(const std::vector<Reached>& reached, Reached last) {
  std::vector<CycleStep> way;
  for (; last.wait != nullptr; last = reached[last.from]) {
    const LockWait& wait = *last.wait;
    way.push_back(
        {wait.owner, wait.file->id, wait.kind, wait.key, last.obstacle.owner, last.obstacle.held});
  }
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace

std::vector<CycleStep> FindCycle(const LockState& state, uint64_t owner) {
  const LockOwner* start = state.FindOwner(owner);
  // Nobody waits for an open that holds nothing and came last.
  if (start == nullptr || (start->held == 0 && start->waits.size() <= 1)) return {};
  std::vector<Reached> reached = {{nullptr, {owner, false}, 0}};
  absl::flat_hash_set<uint64_t> seen;
  for (size_t i = 0; i < reached.size(); ++i) {
    const LockOwner* here = state.FindOwner(reached[i].obstacle.owner);
    if (here == nullptr) continue;
    for (const LockWait* wait : here->waits) {
      for (const Obstacle& obstacle : ObstaclesOf(state, *wait)) {
        const Reached next{wait, obstacle, i};
        if (obstacle.owner == owner) return WayTo(reached, next);
        if (seen.insert(obstacle.owner).second) reached.push_back(next);
      }
    }
  }
  return {};
}

}  // namespace quire
