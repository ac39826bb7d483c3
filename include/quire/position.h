// The position of an open: what KEYPOSITION sets and READ moves (Enscribe Programmer's Guide,
// "current position"). A position is a key, never a place in a block: it survives whatever is
// inserted, deleted or split by anybody (R-S5). Who holds an open holds its position; it travels
// with results so that a broken session can be resumed (R-S1).
#ifndef QUIRE_POSITION_H_
#define QUIRE_POSITION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/key_range.h"

namespace quire {

struct FileAttributes;
struct Operation;

// How a subset of the file is chosen. Values are KEYPOSITION's and travel on the wire.
enum class PositioningMode : uint8_t {
  kApproximate = 0,  // from the first key >= the value on
  kGeneric = 1,      // the keys that equal the value for compare-length bytes
  kExact = 2,        // the one key that equals the value
};

// After an open: the first record of the file, approximate.
struct Position {
  uint32_t key_specifier = 0;  // 0: the primary key, the only one so far
  std::string key;             // current key value; its size is the key length
  uint32_t compare_length = 0;
  PositioningMode mode = PositioningMode::kApproximate;
  bool reverse = false;
  bool skip_exact = false;   // records that equal `key` for the key length are passed over
  bool last_of_set = false;  // with reverse: starts at the last record that equals `key` for
                             // compare-length bytes instead of at `key`; not with skip_exact
  bool next = false;         // `key` is of the record read last: READ goes on behind it

  bool operator==(const Position&) const = default;
};

// KEYPOSITION: the position that a kSetPosition operation sets. 46 an unknown key specifier; 21 a
// key longer than the file's, a compare-length above the key's, or one without a key; 22 an unknown
// mode. A key shorter than the file's means its first bytes.
absl::StatusOr<Position> PositionFrom(const Operation& operation, const FileAttributes& attributes);

// The records that READs from `position` on would give, in this order: `reverse` walks the range
// downwards. An exact position with a compare-length below the file's key length has none (R-S6).
struct Subset {
  KeyRange range = {};
  bool start_exclusive = false;  // leaves out range.start itself
  bool reverse = false;
  bool empty = false;  // nothing, whatever the file holds
};
Subset SubsetFrom(const Position& position, const FileAttributes& attributes);

// The position after READ gave the record with `key`.
void MoveTo(std::string_view key, Position* position);

// Bytes of a position, versioned. Decode: 22 for bytes that Encode did not make.
std::string EncodePosition(const Position& position);
absl::StatusOr<Position> DecodePosition(std::string_view bytes);

// What one volume must be told, or must have kept, for an open to be resumed there.
struct PartitionMark {
  uint64_t epoch = 0;  // of the volume when the open last heard of it; 0: never
  uint32_t locks = 0;  // the open held there: after a restart of the volume it then gets 60 (R-S3)
  // The volume's change sequence after the open's last change of a BUFFERED file there; 0: none.
  // After a restart that lost it, the open's next operation gets 122 (R-D9).
  uint64_t change_sequence = 0;

  bool operator==(const PartitionMark&) const = default;
};

// The token of R-S1. A volume gives one mark, a router one per partition, in partition order.
struct OpenState {
  Position position;
  uint32_t lock_mode = 0;
  std::vector<PartitionMark> partitions;

  bool operator==(const OpenState&) const = default;
};
std::string EncodeOpenState(const OpenState& state);
absl::StatusOr<OpenState> DecodeOpenState(std::string_view bytes);  // 22

}  // namespace quire

#endif  // QUIRE_POSITION_H_
