#include "client/bench/made_records.h"

#include <algorithm>
#include <cstring>

#include "client/bench/splitmix.h"

namespace quire {
namespace bench {
namespace {

constexpr uint32_t kShortestText = 500;
constexpr uint32_t kLongestText = 1300;
static_assert(MadeRecords::kKeyBytes + kLongestText < MadeRecords::kRecordBytes);  // and blanks
constexpr size_t kPoolBytes = size_t{1} << 18;
constexpr uint64_t kKeySpread = 97;  // keys are multiples: 10^9 of them fit 11 digits
constexpr uint32_t kMixRounds = 4;   // of the permutation

// A number that depends on both, as random as its inputs are different.
uint64_t Mixed(uint64_t seed, uint64_t value) {
  return SplitMix64(seed ^ (value * 0x9E3779B97F4A7C15u)).Next();
}

// Numbers of one to seven digits between commas.
std::string PoolText(uint64_t seed) {
  SplitMix64 random(seed);
  std::string pool;
  pool.reserve(kPoolBytes + 8);
  while (pool.size() < kPoolBytes) {
    uint64_t limit = 10;
    for (uint64_t digits = random.Below(7); digits > 0; --digits) limit *= 10;
    pool.append(std::to_string(random.Below(limit)));
    pool.push_back(',');
  }
  pool.resize(kPoolBytes);
  return pool;
}

}  // namespace

MadeRecords::MadeRecords(uint64_t count, uint64_t seed)
    : count_(count), seed_(seed), pool_(PoolText(seed)) {
  while ((uint64_t{1} << (2 * half_bits_)) < count_) ++half_bits_;
}

uint32_t MadeRecords::TextBytes(uint64_t rank) const {
  return kShortestText +
         static_cast<uint32_t>(Mixed(seed_ + 1, rank) % (kLongestText - kShortestText + 1));
}

std::string_view MadeRecords::Text(uint64_t rank) const {
  const uint32_t bytes = TextBytes(rank);
  return std::string_view(pool_).substr(Mixed(seed_ + 2, rank) % (pool_.size() - bytes), bytes);
}

void MadeRecords::FillKey(uint64_t rank, absl::Span<char> out) const {
  uint64_t rest = rank * kKeySpread;
  for (size_t at = kKeyBytes; at > 0; --at) {
    out[at - 1] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  }
}

std::string MadeRecords::Key(uint64_t rank) const {
  std::string key(kKeyBytes, '\0');
  FillKey(rank, absl::MakeSpan(key.data(), key.size()));
  return key;
}

void MadeRecords::Fill(uint64_t rank, absl::Span<char> out) const {
  FillKey(rank, out.first(kKeyBytes));
  const std::string_view text = Text(rank);
  char* const behind_key = out.data() + kKeyBytes;
  std::memcpy(behind_key, text.data(), text.size());
  std::memset(behind_key + text.size(), ' ', kRecordBytes - kKeyBytes - text.size());
}

std::string MadeRecords::Record(uint64_t rank) const {
  std::string record(kRecordBytes, '\0');
  Fill(rank, absl::MakeSpan(record.data(), record.size()));
  return record;
}

bool MadeRecords::Matches(uint64_t rank, std::string_view record) const {
  return record.size() == kRecordBytes && MatchesStart(rank, record);
}

bool MadeRecords::MatchesStart(uint64_t rank, std::string_view start) const {
  if (start.size() < kKeyBytes || start.size() > kRecordBytes) return false;
  char key[kKeyBytes];
  FillKey(rank, absl::MakeSpan(key));
  if (std::memcmp(start.data(), key, kKeyBytes) != 0) return false;
  const std::string_view behind_key = start.substr(kKeyBytes);
  const std::string_view text = Text(rank).substr(0, behind_key.size());
  if (behind_key.substr(0, text.size()) != text) return false;
  // Blanks to the end: the first, and each like the one before it. memcmp is many times as fast as
  // a search that looks at one at a time.
  const std::string_view blanks = behind_key.substr(text.size());
  return blanks.empty() || (blanks[0] == ' ' &&
                            std::memcmp(blanks.data(), blanks.data() + 1, blanks.size() - 1) == 0);
}

uint64_t MadeRecords::RankAt(RecordOrder order, uint64_t index) const {
  switch (order) {
    case RecordOrder::kAscending:
      break;
    case RecordOrder::kInterleaved: {
      // Run r holds the ranks from r * run_records on; the first `long_runs` runs are one longer.
      const uint64_t runs = std::min<uint64_t>(kRuns, count_);
      const uint64_t run_records = count_ / runs;
      const uint64_t long_runs = count_ % runs;
      const uint64_t turn = index / runs;
      const uint64_t run = index % runs;
      return run * run_records + std::min(run, long_runs) + turn;
    }
    case RecordOrder::kShuffled:
      return Shuffled(index);
  }
  return index;
}

// A balanced Feistel network permutes all numbers of 2 * half_bits_ bits; walking on until the
// number is a rank again permutes the ranks.
uint64_t MadeRecords::Shuffled(uint64_t index) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t value = index;
  do {
    uint64_t left = value >> half_bits_;
    uint64_t right = value & mask;
    for (uint32_t round = 0; round < kMixRounds; ++round) {
      const uint64_t mixed = left ^ (Mixed(seed_ + 3 + round, right) & mask);
      left = right;
      right = mixed;
    }
    value = left << half_bits_ | right;
  } while (value >= count_);
  return value;
}

}  // namespace bench
}  // namespace quire
