// One batch of the audit trail being built: what one group of requests must make durable.
#ifndef QUIRE_SERVER_TRAIL_TRAIL_BATCH_H_
#define QUIRE_SERVER_TRAIL_TRAIL_BATCH_H_

#include <cstdint>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "server/base/huge_memory.h"
#include "server/base/ids.h"

namespace quire {

// Values are on disc and never reused.
enum class TrailRecordKind : uint8_t {
  kBlockImage = 1,  // write-through: the image of a changed block (not sealed: the batch is)
  kFileState = 2,   // write-through: structural state of a file after the batch (R-D1)
  kCommand = 3,     // CREATE, ALTER, PURGE …: an idempotent operation with its time
  kRedo = 4,        // AUDIT: one operation that succeeded, by absolute key (R-D11)
  kAnswers = 5,     // results of an open's mutations by sync id (R-D10)
};

struct TrailRecord {
  TrailRecordKind kind = TrailRecordKind::kBlockImage;
  FileId file = 0;
  BlockNumber block = 0;     // kBlockImage
  std::string_view payload;  // what it holds stands with its codec (server/volume)
};

// Not thread safe: filled by the disc process, then handed whole to the committer. The buffer is
// aligned and padded for direct I/O and reused by Clear.
class TrailBatch {
 public:
  TrailBatch();
  ~TrailBatch();
  TrailBatch(TrailBatch&&) noexcept;
  TrailBatch& operator=(TrailBatch&&) noexcept;

  void Add(const TrailRecord& record);  // copies the payload
  // Memory for a batch of `disc_bytes`. Like Add, throws std::bad_alloc when the kernel refuses it.
  void Reserve(uint64_t disc_bytes);
  void Clear();  // keeps the buffer

  uint32_t record_count() const;
  // Bytes the batch will take on disc, padding included; 0 when empty. At most kMaxSegmentBytes.
  uint64_t disc_bytes() const;
  bool empty() const { return record_count() == 0; }

  // For Trail: completes the header and checksum and gives the padded bytes.
  struct Stamp {
    uint64_t volume_id;
    uint64_t epoch;
    uint64_t segment;
    uint64_t offset;  // in the segment, bytes
    Lsn first_lsn;
    int64_t time_us = 0;  // wall clock, since 1970
  };
  absl::Span<const char> Finish(const Stamp& stamp);

 private:
  struct Body;
  Body* body_;  // owned; nullptr only after a move
};

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_TRAIL_BATCH_H_
