// The files a trail lies in. Bodies: a directory (file_device.h) and a simulated device that
// forgets what was not synced (simulated_device.h).
//
// A segment is a file of fixed size, named by its number; numbers only rise. Reusing one renames
// it, so that its blocks stay allocated and written.
#ifndef QUIRE_SERVER_TRAIL_TRAIL_DEVICE_H_
#define QUIRE_SERVER_TRAIL_TRAIL_DEVICE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace quire {

// --trail-sync (R-D17). Direct writes go past the page cache, whose fresh pages cost more than the
// copy: in groups they are far ahead, one at a time it is a tie.
enum class TrailSync {
  kFdatasync,  // write and fdatasync
  kDirect,     // O_DIRECT | O_DSYNC
  kAuto,       // direct where the file system can, else fdatasync
};

// Offsets, lengths and buffers are multiples of kTrailBlockBytes (direct I/O).
inline constexpr uint32_t kTrailBlockBytes = 4096;

// Thread safe between different segments; one writer at a time per segment. Errors are 66 unless
// said otherwise; after one the caller must not trust what it wrote.
class TrailDevice {
 public:
  virtual ~TrailDevice() = default;
  // Numbers of the segments present, ascending. Half-made ones (crash inside Create) are removed.
  virtual absl::StatusOr<std::vector<uint64_t>> List() = 0;
  // Makes a segment of `bytes` zeros, written and synced, directory entry included. 43: no room.
  virtual absl::Status Create(uint64_t segment, uint64_t bytes) = 0;
  // Gives an old segment a new number; durable when it returns.
  virtual absl::Status Rename(uint64_t from, uint64_t to) = 0;
  virtual absl::Status Remove(uint64_t segment) = 0;
  virtual absl::StatusOr<uint64_t> Size(uint64_t segment) = 0;
  virtual absl::Status Read(uint64_t segment, uint64_t offset, absl::Span<char> to) = 0;
  // Durable when it returns (write and sync, or a synchronous direct write).
  virtual absl::Status WriteDurably(uint64_t segment, uint64_t offset,
                                    absl::Span<const char> from) = 0;
  // Makes durable what an earlier process wrote and did not live to sync: recovery has read it.
  virtual absl::Status Sync(uint64_t segment) = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_TRAIL_DEVICE_H_
