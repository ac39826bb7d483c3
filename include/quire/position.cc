#include "quire/position.h"

#include <algorithm>
#include <utility>

#include "quire/attributes.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/operation.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr uint8_t kPositionVersion = 1;
constexpr uint8_t kStateVersion = 2;

absl::Status IllegalLength(std::string_view what) {
  return MakeError(ErrorNumber::kIllegalCount, what);
}
absl::Status Malformed(std::string_view what) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("these bytes are not ", what, " that this version of Quire made"));
}

absl::StatusOr<PositioningMode> ModeFrom(ReadMode mode) {
  switch (mode) {
    case ReadMode::kByKey:
      return PositioningMode::kExact;
    case ReadMode::kGeneric:
      return PositioningMode::kGeneric;
    case ReadMode::kApproximate:
      return PositioningMode::kApproximate;
  }
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("positioning mode ", static_cast<uint32_t>(mode), " does not exist"));
}

// Numbers in the bytes of a position: 7 bits a byte, lowest first, the top bit says "more".
void PutNumber(uint64_t number, std::string* out) {
  for (; number >= 0x80; number >>= 7) out->push_back(static_cast<char>(number | 0x80));
  out->push_back(static_cast<char>(number));
}

class Taker {
 public:
  explicit Taker(std::string_view bytes) : bytes_(bytes) {}

  uint64_t Number() {
    uint64_t number = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) break;
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      number |= uint64_t{byte & 0x7Fu} << shift;
      if ((byte & 0x80) == 0) return number;
    }
    failed_ = true;
    return 0;
  }
  std::string_view Bytes(uint64_t length) {
    if (failed_ || length > bytes_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }
  bool Finished() const { return !failed_ && bytes_.empty(); }
  bool failed() const { return failed_; }
  size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

constexpr uint64_t kReverse = 1;
constexpr uint64_t kSkipExact = 2;
constexpr uint64_t kLastOfSet = 4;
constexpr uint64_t kNext = 8;
constexpr uint64_t kAllFlags = 15;

}  // namespace

absl::StatusOr<Position> PositionFrom(const Operation& operation,
                                      const FileAttributes& attributes) {
  if (operation.key_specifier != 0) {
    return MakeError(ErrorNumber::kInvalidKey, StrCat("key specifier ", operation.key_specifier,
                                                      " is not a key of this file; 0 is its "
                                                      "primary key"));
  }
  const size_t key_length = operation.key.size();
  if (key_length > attributes.key_length) {
    return IllegalLength(StrCat("a key of ", key_length, " bytes is longer than the file's ",
                                attributes.key_length));
  }
  if (operation.compare_length > key_length) {
    return IllegalLength(StrCat("compare-length ", operation.compare_length,
                                " is longer than the key given, ", key_length, " bytes"));
  }
  const absl::StatusOr<PositioningMode> mode = ModeFrom(operation.mode);
  if (!mode.ok()) return mode.status();
  Position position;
  position.key.assign(operation.key);
  position.compare_length =
      operation.compare_length == 0 ? static_cast<uint32_t>(key_length) : operation.compare_length;
  position.mode = *mode;
  position.reverse = operation.reverse;
  position.skip_exact = operation.skip_exact;
  position.last_of_set = operation.last_of_set;
  return position;
}

Subset SubsetFrom(const Position& position, const FileAttributes& attributes) {
  Subset subset;
  subset.reverse = position.reverse;
  const bool exact = position.mode == PositioningMode::kExact;
  if (exact) {
    subset.empty =
        position.next || position.skip_exact || position.compare_length != attributes.key_length;
    if (subset.empty) return subset;
  }
  const std::string prefix = position.key.substr(0, position.compare_length);
  if (exact || position.mode == PositioningMode::kGeneric) subset.range = KeyRange::Prefix(prefix);
  // Where the reading starts within the set.
  KeyRange from;
  if (position.reverse) {
    if (position.next || position.skip_exact) {
      from.limit = position.key;
      // Nothing lies below the empty key, and an empty limit would mean "to the end".
      if (position.key.empty()) subset.empty = position.next;
    } else {
      from.limit = PrefixLimit(position.last_of_set ? prefix : position.key);
    }
  } else {
    const bool behind_set = position.skip_exact && !position.next && !position.key.empty();
    from.start = behind_set ? PrefixLimit(position.key) : position.key;
    subset.start_exclusive = position.next;
    if (behind_set && from.start.empty()) subset.empty = true;
  }
  const bool has_lower = subset.range.start.empty() || from.start >= subset.range.start;
  if (!has_lower) subset.start_exclusive = false;
  subset.range = subset.range.Intersect(from);
  if (subset.range.IsEmpty()) subset.empty = true;
  return subset;
}

void MoveTo(std::string_view key, Position* position) {
  position->key.assign(key);
  position->next = true;
}

std::string EncodePosition(const Position& position) {
  std::string bytes(1, static_cast<char>(kPositionVersion));
  PutNumber(position.key_specifier, &bytes);
  PutNumber(static_cast<uint64_t>(position.mode), &bytes);
  PutNumber((position.reverse ? kReverse : 0) | (position.skip_exact ? kSkipExact : 0) |
                (position.last_of_set ? kLastOfSet : 0) | (position.next ? kNext : 0),
            &bytes);
  PutNumber(position.compare_length, &bytes);
  PutNumber(position.key.size(), &bytes);
  bytes.append(position.key);
  return bytes;
}

absl::StatusOr<Position> DecodePosition(std::string_view bytes) {
  Taker taker(bytes);
  Position position;
  if (taker.Number() != kPositionVersion) return Malformed("a position");
  position.key_specifier = static_cast<uint32_t>(taker.Number());
  const uint64_t mode = taker.Number();
  const uint64_t flags = taker.Number();
  const uint64_t compare_length = taker.Number();
  position.key.assign(taker.Bytes(taker.Number()));
  const bool good = taker.Finished() && position.key_specifier == 0 &&
                    mode <= static_cast<uint64_t>(PositioningMode::kExact) &&
                    (flags & ~kAllFlags) == 0 && compare_length <= position.key.size();
  if (!good) return Malformed("a position");
  position.mode = static_cast<PositioningMode>(mode);
  position.reverse = (flags & kReverse) != 0;
  position.skip_exact = (flags & kSkipExact) != 0;
  position.last_of_set = (flags & kLastOfSet) != 0;
  position.next = (flags & kNext) != 0;
  position.compare_length = static_cast<uint32_t>(compare_length);
  // Numbers can be written longer than Encode does.
  if (EncodePosition(position) != bytes) return Malformed("a position");
  return position;
}

std::string EncodeOpenState(const OpenState& state) {
  std::string bytes(1, static_cast<char>(kStateVersion));
  PutNumber(state.lock_mode, &bytes);
  PutNumber(state.partitions.size(), &bytes);
  for (const PartitionMark& mark : state.partitions) {
    PutNumber(mark.epoch, &bytes);
    PutNumber(mark.locks, &bytes);
    PutNumber(mark.change_sequence, &bytes);
  }
  bytes.append(EncodePosition(state.position));
  return bytes;
}

absl::StatusOr<OpenState> DecodeOpenState(std::string_view bytes) {
  Taker taker(bytes);
  OpenState state;
  if (taker.Number() != kStateVersion) return Malformed("the state of an open");
  state.lock_mode = static_cast<uint32_t>(taker.Number());
  const uint64_t partitions = taker.Number();
  // A count from the wire must not make us allocate.
  if (taker.failed() || partitions > kMaxPartitionsFormat2) {
    return Malformed("the state of an open");
  }
  state.partitions.resize(partitions);
  for (PartitionMark& mark : state.partitions) {
    mark.epoch = taker.Number();
    mark.locks = static_cast<uint32_t>(taker.Number());
    mark.change_sequence = taker.Number();
  }
  if (taker.failed()) return Malformed("the state of an open");
  absl::StatusOr<Position> position = DecodePosition(taker.Bytes(taker.left()));
  if (!position.ok()) return position.status();
  state.position = *std::move(position);
  // Numbers can be too large for their fields, or written longer than Encode does.
  if (EncodeOpenState(state) != bytes) return Malformed("the state of an open");
  return state;
}

}  // namespace quire
