#include "server/volume/covered_epochs.h"

#include <algorithm>

#include "server/base/bytes.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr uint8_t kVersion = 1;

}  // namespace

void CoveredEpochs::Add(uint64_t epoch, uint64_t change_sequence) {
  if (epoch == 0 || (!entries_.empty() && entries_.back().epoch >= epoch)) return;
  entries_.push_back(Entry{epoch, change_sequence});
  if (entries_.size() > kKept) entries_.pop_front();
}

std::optional<uint64_t> CoveredEpochs::FirstLost(const PartitionMark& mark, uint64_t epoch) const {
  if (mark.change_sequence == 0 || mark.epoch == epoch) return std::nullopt;
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&mark](const Entry& entry) {
    return entry.epoch == mark.epoch;
  });
  if (found == entries_.end()) return mark.change_sequence;
  if (found->change_sequence >= mark.change_sequence) return std::nullopt;
  return found->change_sequence + 1;
}

std::string CoveredEpochs::Encode() const {
  std::string bytes;
  ByteWriter writer(&bytes);
  writer.Put(kVersion);
  writer.Put(static_cast<uint32_t>(entries_.size()));
  for (const Entry& entry : entries_) {
    writer.Put(entry.epoch);
    writer.Put(entry.change_sequence);
  }
  return bytes;
}

absl::StatusOr<CoveredEpochs> CoveredEpochs::Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  const auto version = reader.Get<uint8_t>();
  if (version > kVersion) {
    return volume_error::NewerFormat("the list of covered epochs", version, kVersion);
  }
  CoveredEpochs covered;
  bool rising = true;
  for (auto left = reader.Get<uint32_t>(); left > 0 && reader.ok() && rising; --left) {
    const Entry entry{reader.Get<uint64_t>(), reader.Get<uint64_t>()};
    rising = entry.epoch > (covered.entries_.empty() ? 0 : covered.entries_.back().epoch);
    covered.entries_.push_back(entry);
  }
  if (!reader.ok() || !reader.at_end() || !rising || version != kVersion ||
      covered.entries_.size() > kKept) {
    return volume_error::BadStore("the list of covered epochs does not decode");
  }
  return covered;
}

}  // namespace quire
