#include "client/bench/peers/work.h"

#include <array>

namespace quire {
namespace bench {
namespace {

struct Words {
  Work work;
  std::string_view name;
  std::string_view title;
};

constexpr std::array<Words, 15> kWords = {{
    {Work::kDurable, "durable", "Durable writes, one at a time"},
    {Work::kGroup, "group", "Durable writes, groups of 64"},
    {Work::kLoadAscending, "load-ascending", "Buffered load, ascending, settled"},
    {Work::kLoadRuns, "load-runs", "Buffered load, 100 interleaved runs, settled"},
    {Work::kLoadShuffled, "load-shuffled", "Buffered load, shuffled, settled"},
    {Work::kLoadDurable, "load-durable", "Durable load, 100 interleaved runs, settled"},
    {Work::kRead, "read", "Point reads, one at a time"},
    {Work::kReadGroup, "read-group", "Point reads, groups of 64, pipelined"},
    {Work::kScan, "scan", "Ordered scan"},
    {Work::kMixedA, "mixed-a", "YCSB A: half reads, half updates"},
    {Work::kMixedB, "mixed-b", "YCSB B: 95 % reads, 5 % updates"},
    {Work::kMixedC, "mixed-c", "YCSB C: reads"},
    {Work::kMixedD, "mixed-d", "YCSB D: 95 % reads of what is new, 5 % inserts"},
    {Work::kMixedE, "mixed-e", "YCSB E: 95 % scans of 1 to 100, 5 % inserts"},
    {Work::kMixedF, "mixed-f", "YCSB F: half reads, half read-change-write"},
}};

constexpr std::array<Work, kWords.size()> MakeAll() {
  std::array<Work, kWords.size()> all{};
  for (size_t i = 0; i < kWords.size(); ++i) all[i] = kWords[i].work;
  return all;
}
constexpr std::array<Work, kWords.size()> kAll = MakeAll();

}  // namespace

absl::Span<const Work> AllWorks() {
  return absl::MakeConstSpan(kAll.data(), kAll.size());
}

std::string_view NameOf(Work work) {
  return kWords[static_cast<size_t>(work)].name;
}

std::optional<Work> WorkOf(std::string_view name) {
  for (const Words& words : kWords) {
    if (words.name == name) return words.work;
  }
  return std::nullopt;
}

std::string_view TitleOf(Work work) {
  return kWords[static_cast<size_t>(work)].title;
}

}  // namespace bench
}  // namespace quire
