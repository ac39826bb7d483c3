// LISTLOCKS of one file.
#include <algorithm>
#include <tuple>
#include <utility>

#include "server/keyseq/lock_state.h"
#include "server/keyseq/lock_table.h"

namespace quire {
namespace {

struct Placed {
  LockLine line;
  uint64_t place;

  // File locks have the empty key, which is below all others.
  auto Order() const { return std::tuple(std::string_view(line.key), !line.granted, place); }
};

void AddQueue(const LockQueue& queue, std::vector<Placed>* lines) {
  for (const auto& [place, wait] : queue.all) {
    // Those that are past the gate come first at their record.
    const uint64_t order = wait->record == nullptr ? place + (uint64_t{1} << 63) : place;
    lines->push_back(
        {{wait->kind, false, wait->read, wait->owner, wait->key, wait->since_us}, order});
  }
}

}  // namespace

std::vector<LockLine> LockTable::List(FileId file) const {
  const FileLocks* locks = state_->FindFile(file);
  if (locks == nullptr) return {};
  std::vector<Placed> placed;
  if (locks->owner != 0) {
    placed.push_back({{LockKind::kFile, true, false, locks->owner, "", locks->since_us}, 0});
  }
  for (const auto& [key, record] : locks->records) {
    if (record.holder != 0) {
      placed.push_back({{record.kind, true, false, record.holder, key, record.since_us}, 0});
    }
    if (record.queue != nullptr) AddQueue(*record.queue, &placed);
  }
  AddQueue(locks->gate, &placed);
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return a.Order() < b.Order(); });
  std::vector<LockLine> lines;
  lines.reserve(placed.size());
  for (Placed& entry : placed) lines.push_back(std::move(entry.line));
  return lines;
}

}  // namespace quire
