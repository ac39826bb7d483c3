// Counter sets: one array of integers per open, file, volume or process, named by counters.def.
//
// Threads: a set has no lock; it is changed and read in the disc process role.
#ifndef QUIRE_SERVER_COUNTERS_COUNTERS_H_
#define QUIRE_SERVER_COUNTERS_COUNTERS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "quire/measure.h"
#include "server/counters/block_calls.h"

namespace quire {

enum class Counter : uint8_t {
#define QUIRE_COUNTER(id, name, kind, unit, entities, sentence) id,
#include "server/counters/counters.def"
#undef QUIRE_COUNTER
  kCount
};

struct CounterRow {
  Counter id;
  std::string_view name;
  CounterKind kind;
  std::string_view unit;
  std::string_view entities;  // letters of counters.def
  std::string_view sentence;
};

std::span<const CounterRow> CounterRows();

class CounterSet {
 public:
  void Add(Counter counter, int64_t amount = 1) { at(counter) += amount; }
  void Set(Counter counter, int64_t value) { at(counter) = value; }
  void Raise(Counter counter, int64_t value);  // Max: keeps the higher
  int64_t Get(Counter counter) const { return values_[static_cast<size_t>(counter)]; }
  void AddCalls(const BlockCalls& calls);

  // The counters of an entity, in the order of counters.def.
  std::vector<CounterValue> Values(Entity entity) const;

 private:
  int64_t& at(Counter counter) { return values_[static_cast<size_t>(counter)]; }
  std::array<int64_t, static_cast<size_t>(Counter::kCount)> values_{};
};

}  // namespace quire

#endif  // QUIRE_SERVER_COUNTERS_COUNTERS_H_
