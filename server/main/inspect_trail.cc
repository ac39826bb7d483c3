#include "server/main/inspect_trail.h"

#include <algorithm>
#include <iomanip>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/error.h"
#include "quire/text.h"
#include "server/main/inspect_errors.h"
#include "server/main/inspect_print.h"
#include "server/main/inspect_record.h"
#include "server/trail/trail.h"
#include "server/trail/trail_format.h"
#include "server/trail/trail_replay.h"

namespace quire {
namespace {

// Batches and records to `out`; the number of faults.
class TrailPrinter {
 public:
  TrailPrinter(Lsn placed, std::ostream& out) : placed_(placed), out_(out) {}

  uint64_t Print(TrailDevice& trail, uint64_t segment) {
    const uint64_t before = faults_;
    const absl::StatusOr<uint64_t> size = trail.Size(segment);
    absl::Status status = size.status();
    std::string bytes;
    if (status.ok()) {
      bytes.resize(std::min(*size, kMaxSegmentBytes));
      status = trail.Read(segment, 0, absl::MakeSpan(bytes.data(), bytes.size()));
    }
    if (status.ok()) {
      PrintSegment(segment, bytes);
    } else {
      ++faults_;
      out_ << "segment " << segment << ": " << Describe(status) << '\n';
    }
    return faults_ - before;
  }

 private:
  void PrintSegment(uint64_t segment, absl::Span<const char> bytes) {
    out_ << "segment " << segment << ": " << bytes.size() << " bytes\n";
    for (uint64_t offset = 0; offset + kTrailBlockBytes <= bytes.size();) {
      const absl::Span<const char> left = bytes.subspan(offset);
      BatchHeader header;
      if (!PeekBatchHeader(left, &header)) {
        offset += kTrailBlockBytes;
      } else if (!IsWholeBatch(left, header)) {
        // A torn tail, or the remains of what the segment held before: FindUnplaced knows.
        out_ << "  at " << offset << ": header of a batch that is not whole, LSN "
             << header.first_lsn << ", epoch " << header.epoch << '\n';
        offset += kTrailBlockBytes;
      } else {
        PrintBatch(header, left.first(header.disc_bytes()), segment);
        offset += header.disc_bytes();
      }
    }
  }

  void PrintBatch(const BatchHeader& header, absl::Span<const char> bytes, uint64_t segment) {
    out_ << "  batch at " << uint64_t{header.position} * kTrailBlockBytes << ": LSN "
         << header.first_lsn << " to " << header.last_lsn() << ", epoch " << header.epoch << ", "
         << header.disc_bytes() << " bytes";
    if (header.time_us != 0) out_ << ", " << TimeText(header.time_us);
    if (header.segment != segment) {
      out_ << ", left from segment " << header.segment << '\n';
      return;
    }
    out_ << (header.last_lsn() <= placed_ ? ", in the store" : ", not in the store") << '\n';
    std::vector<TrailRecord> records;
    if (absl::Status s = ParseRecords(bytes, header, &records); !s.ok()) {
      ++faults_;
      out_ << "    " << Describe(s) << '\n';
    }
    for (size_t i = 0; i < records.size(); ++i) {
      const absl::StatusOr<std::string> text = RecordText(records[i]);
      if (!text.ok()) ++faults_;
      out_ << "    " << header.first_lsn + i << "  "
           << (text.ok() ? *text : Describe(text.status())) << '\n';
    }
  }

  const Lsn placed_;
  std::ostream& out_;
  uint64_t faults_ = 0;
};

}  // namespace

absl::StatusOr<UnplacedTrail> FindUnplaced(TrailDevice& trail, uint64_t volume_id, Lsn lsn) {
  UnplacedTrail unplaced;
  const absl::StatusOr<TrailContent> content =
      ReplayTrail(trail, volume_id, lsn, [&](Lsn, absl::Span<const TrailRecord> records) {
        ++unplaced.batches;
        unplaced.records += records.size();
        return absl::OkStatus();
      });
  if (!content.ok()) return content.status();
  unplaced.last_lsn = content->last_lsn;
  return unplaced;
}

absl::StatusOr<uint64_t> PrintTrail(TrailDevice& trail, Lsn placed, std::ostream& out) {
  const absl::StatusOr<std::vector<uint64_t>> segments = trail.List();
  if (!segments.ok()) return segments.status();
  TrailPrinter printer(placed, out);
  uint64_t faults = 0;
  for (const uint64_t segment : *segments) faults += printer.Print(trail, segment);
  return faults;
}

}  // namespace quire
