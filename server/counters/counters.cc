#include "server/counters/counters.h"

#include <algorithm>
#include <string>

namespace quire {
namespace {

constexpr CounterRow kRows[] = {
#define QUIRE_COUNTER(id, name, kind, unit, entities, sentence) \
  {Counter::id, name, CounterKind::k##kind, unit, entities, sentence},
#include "server/counters/counters.def"
#undef QUIRE_COUNTER
};

char LetterOf(Entity entity) {
  switch (entity) {
    case Entity::kDiscopen:
      return 'O';
    case Entity::kDiskfile:
      return 'F';
    case Entity::kDisc:
      return 'D';
    case Entity::kProcess:
      return 'P';
  }
  return ' ';
}

}  // namespace

std::span<const CounterRow> CounterRows() {
  return kRows;
}

void BlockCalls::Add(const BlockCalls& other) {
  driver_input_calls += other.driver_input_calls;
  driver_output_calls += other.driver_output_calls;
  cache_hits += other.cache_hits;
  cache_read_misses += other.cache_read_misses;
  cache_write_hits += other.cache_write_hits;
  cache_write_cleans += other.cache_write_cleans;
  cache_write_misses += other.cache_write_misses;
  block_splits += other.block_splits;
  extent_allocations += other.extent_allocations;
}

void CounterSet::Raise(Counter counter, int64_t value) {
  at(counter) = std::max(at(counter), value);
}

void CounterSet::AddCalls(const BlockCalls& calls) {
  Add(Counter::kDriverInputCalls, calls.driver_input_calls);
  Add(Counter::kDriverOutputCalls, calls.driver_output_calls);
  Add(Counter::kCacheHits, calls.cache_hits);
  Add(Counter::kCacheReadHits, calls.cache_hits);
  Add(Counter::kCacheReadMisses, calls.cache_read_misses);
  Add(Counter::kCacheWriteHits, calls.cache_write_hits);
  Add(Counter::kCacheWriteCleans, calls.cache_write_cleans);
  Add(Counter::kCacheWriteMisses, calls.cache_write_misses);
  Add(Counter::kBlockSplits, calls.block_splits);
  Add(Counter::kExtentAllocations, calls.extent_allocations);
}

std::vector<CounterValue> CounterSet::Values(Entity entity) const {
  const char letter = LetterOf(entity);
  std::vector<CounterValue> values;
  for (const CounterRow& row : kRows) {
    if (row.entities.find(letter) == std::string_view::npos) continue;
    values.push_back(
        CounterValue{std::string(row.name), row.kind, std::string(row.unit), Get(row.id)});
  }
  return values;
}

}  // namespace quire
