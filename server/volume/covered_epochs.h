// Up to which change each ended epoch of the volume is on disc (R-D9): what tells an open that
// comes back whether changes of BUFFERED files that were acknowledged to it are lost. Kept in the
// meta database under meta_key::kCoveredEpochs; recovery adds an entry for the epoch that ended.
//
// Value, little-endian (bytes.h)
//   1 byte   version, 1
//   4 bytes  count of entries, at most 256, oldest first, then each:
//            8 bytes epoch
//            8 bytes change sequence of the last control point completed in it, or before it
#ifndef QUIRE_SERVER_VOLUME_COVERED_EPOCHS_H_
#define QUIRE_SERVER_VOLUME_COVERED_EPOCHS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/position.h"

namespace quire {

class CoveredEpochs {
 public:
  // Restarts remembered. What an open did before counts as lost.
  static constexpr size_t kKept = 256;

  // `epoch` has ended. Adding one again changes nothing.
  void Add(uint64_t epoch, uint64_t change_sequence);
  // The number of the first change lost of those that an open with this mark was told of; nullopt:
  // none is. `epoch`: the present one.
  std::optional<uint64_t> FirstLost(const PartitionMark& mark, uint64_t epoch) const;

  std::string Encode() const;
  static absl::StatusOr<CoveredEpochs> Decode(std::string_view bytes);  // 59

 private:
  struct Entry {
    uint64_t epoch;
    uint64_t change_sequence;
  };
  std::deque<Entry> entries_;  // epochs rise
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_COVERED_EPOCHS_H_
