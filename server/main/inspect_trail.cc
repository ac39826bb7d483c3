#include "server/main/inspect_trail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <iomanip>
#include <optional>
#include <string_view>
#include <system_error>
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

constexpr std::string_view kSuffix = ".trail";
constexpr size_t kDigits = 16;
constexpr int kHexadecimal = 16;

// As server/trail/file_device.h names them.
std::optional<uint64_t> SegmentOf(std::string_view name) {
  if (name.size() != kDigits + kSuffix.size() || name.substr(kDigits) != kSuffix) {
    return std::nullopt;
  }
  uint64_t number = 0;
  const char* const end = name.data() + kDigits;
  const auto parsed = std::from_chars(name.data(), end, number, kHexadecimal);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

class InspectedTrail final : public TrailDevice {
 public:
  explicit InspectedTrail(std::string directory) : directory_(std::move(directory)) {}

  absl::StatusOr<std::vector<uint64_t>> List() override {
    std::error_code error;
    std::vector<uint64_t> segments;
    std::filesystem::directory_iterator entry(directory_, error);
    const std::filesystem::directory_iterator end;
    for (; !error && entry != end; entry.increment(error)) {
      if (const auto segment = SegmentOf(entry->path().filename().string())) {
        segments.push_back(*segment);
      }
    }
    if (error) return inspect_error::TrailRefused(directory_, error.message());
    std::sort(segments.begin(), segments.end());
    return segments;
  }

  absl::StatusOr<uint64_t> Size(uint64_t segment) override {
    struct stat status = {};
    const std::string path = PathOf(segment);
    if (stat(path.c_str(), &status) != 0) return SystemError(path);
    return static_cast<uint64_t>(status.st_size);
  }

  absl::Status Read(uint64_t segment, uint64_t offset, absl::Span<char> to) override {
    const std::string path = PathOf(segment);
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return SystemError(path);
    absl::Status status;
    while (status.ok() && !to.empty()) {
      const ssize_t got = pread(file, to.data(), to.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) status = SystemError(path);
      if (got == 0) status = inspect_error::TrailRefused(path, "it ends too soon");
      if (got <= 0) break;
      to.remove_prefix(static_cast<size_t>(got));
      offset += static_cast<uint64_t>(got);
    }
    close(file);
    return status;
  }

  absl::Status Create(uint64_t, uint64_t) override { return inspect_error::NeverWrites(); }
  absl::Status Rename(uint64_t, uint64_t) override { return inspect_error::NeverWrites(); }
  absl::Status Remove(uint64_t) override { return inspect_error::NeverWrites(); }
  absl::Status WriteDurably(uint64_t, uint64_t, absl::Span<const char>) override {
    return inspect_error::NeverWrites();
  }
  absl::Status Sync(uint64_t) override { return absl::OkStatus(); }

 private:
  std::string PathOf(uint64_t segment) const {
    return StrCat(directory_, "/", absl::Hex(segment, absl::kZeroPad16), kSuffix);
  }
  static absl::Status SystemError(std::string_view path) {
    return inspect_error::TrailRefused(path, std::generic_category().message(errno));
  }
  const std::string directory_;
};

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

std::unique_ptr<TrailDevice> OpenInspectedTrail(const std::string& directory) {
  return std::make_unique<InspectedTrail>(directory);
}

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
