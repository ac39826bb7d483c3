// What the disc and the memory allow.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "client/bench/bare_append.h"
#include "client/bench/errors.h"
#include "client/bench/limits/limit.h"
#include "client/bench/peers/record_set.h"
#include "client/bench/peers/stopwatch.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// What a lone AUDIT write takes in the trail, padded (R-D2, R-M1).
constexpr uint32_t kAppendBytes = 4096;
constexpr size_t kWriteBytes = size_t{1} << 20;  // of one write call
constexpr int kCopies = 10;                      // of all records

absl::StatusOr<double> Append(const LimitRun& run, AppendWay way) {
  absl::StatusOr<std::unique_ptr<BareAppend>> append =
      BareAppend::Make(run.directory + "/log", way, kAppendBytes);
  if (!append.ok()) return append.status();
  const Stopwatch watch;
  for (uint64_t i = 0; i < run.operations; ++i) {
    if (absl::Status s = (*append)->Append(); !s.ok()) return s;
  }
  return static_cast<double>(run.operations) / watch.seconds();
}

absl::StatusOr<double> SequentialWrite(const LimitRun& run) {
  const RecordSet records(run.records->count());
  const std::string path = run.directory + "/load";
  const Stopwatch watch;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return CannotOpen(path, errno);
  const char* next = records.View(0).data();
  size_t left = records.count() * MadeRecords::kRecordBytes;
  while (left > 0) {
    const ssize_t wrote = write(descriptor, next, std::min(left, kWriteBytes));
    if (wrote < 0) break;
    next += wrote;
    left -= static_cast<size_t>(wrote);
  }
  const bool synced = left == 0 && fsync(descriptor) == 0;
  const int cause = errno;
  close(descriptor);
  if (!synced) return CannotWrite(path, cause);
  return static_cast<double>(records.count()) / watch.seconds();
}

absl::StatusOr<double> Memcpy(const LimitRun& run) {
  const RecordSet records(run.records->count());
  std::string copy(records.count() * MadeRecords::kRecordBytes, '\0');
  const Stopwatch watch;
  for (int pass = 0; pass < kCopies; ++pass) {
    for (uint64_t rank = 0; rank < records.count(); ++rank) {
      const std::string_view record = records.View(rank);
      memcpy(&copy[rank * MadeRecords::kRecordBytes], record.data(), record.size());
    }
  }
  return static_cast<double>(records.count()) * kCopies / watch.seconds();
}

}  // namespace

std::vector<Limit> DiscLimits() {
  return {
      {.name = kAppendFdatasync,
       .what = StrCat(kAppendBytes, " bytes to a file written before, then fdatasync"),
       .work = Work::kDurable,
       .run = [](const LimitRun& run) { return Append(run, AppendWay::kFdatasync); }},
      {.name = kAppendDirect,
       .what = StrCat(kAppendBytes, " bytes by O_DIRECT | O_DSYNC to a file written before"),
       .work = Work::kDurable,
       .run = [](const LimitRun& run) { return Append(run, AppendWay::kDirect); }},
      {.name = kSequentialWrite,
       .what = "the records' bytes to a new file in pieces of 1 MiB, then fsync",
       .work = Work::kLoadRuns,
       .run = SequentialWrite},
      {.name = kMemcpy,
       .what = "every record to another place in memory, in order",
       .work = Work::kScan,
       .run = Memcpy},
  };
}

}  // namespace bench
}  // namespace quire
