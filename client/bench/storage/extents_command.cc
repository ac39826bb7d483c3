// quire-bench extents: what the size of extents costs, and what filling them with zeros would.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/made_file.h"
#include "client/bench/number_text.h"
#include "client/bench/page/result_page.h"
#include "client/bench/process_figures.h"
#include "client/bench/storage/bench_volume.h"
#include "client/bench/work_folder.h"
#include "quire/limits.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload
ABSL_DECLARE_FLAG(bool, quick);

ABSL_FLAG(uint64_t, extents_records, 135065, "extents: records of each load");
ABSL_FLAG(uint32_t, extents_rounds, 5, "extents: rounds");

namespace quire {
namespace bench {
namespace {

constexpr uint64_t kQuickRecords = 2000;
constexpr uint32_t kMaxExtents = 978;         // the most there can be
constexpr uint64_t kLargeExtentPages = 5000;  // the article's
constexpr uint64_t kSmallExtents = 900;       // so many hold the file
constexpr uint64_t kZerosBytes = 1 << 20;     // of one write
// Extents of each size allocated by itself in a round.
constexpr uint64_t kAllocatedBytes = 64 << 20;

struct ExtentCase {
  std::string label;
  uint64_t pages = 0;                // of an extent
  bool zero_filled = false;          // before the load, as part of its time
  std::vector<double> seconds = {};  // load, to the end of the control point
  std::vector<double> fill_seconds = {};
  uint32_t extents = 0;
  uint64_t disc_bytes = 0;
  std::vector<double> allocation_us = {};  // of one extent, alone
};

// Two records in a block, and index, bitmaps and room to spare.
uint64_t FilePages(uint64_t records) {
  constexpr uint64_t kPagesOfRecord = 1;
  return records * kPagesOfRecord + records / 20 + 100;
}

std::vector<ExtentCase> AllCases(uint64_t records) {
  const uint64_t whole = FilePages(records);
  const uint64_t small = (whole / kSmallExtents + 2) / 2 * 2;
  const uint64_t large = std::min(kLargeExtentPages, whole);
  std::vector<ExtentCase> cases;
  for (const bool zero_filled : {false, true}) {
    const char* const how = zero_filled ? ", zero-filled" : "";
    cases.push_back({.label = StrCat("small", how), .pages = small, .zero_filled = zero_filled});
    cases.push_back({.label = StrCat("large", how), .pages = large, .zero_filled = zero_filled});
    cases.push_back(
        {.label = StrCat("whole file", how), .pages = whole, .zero_filled = zero_filled});
  }
  return cases;
}

double SecondsSince(int64_t start_ns) {
  return static_cast<double>(SteadyNanos() - start_ns) / 1e9;
}

// A file that grows by extents, as DP2 grew them and as Quire's reservation does.
class GrowingFile {
 public:
  explicit GrowingFile(std::string path)
      : path_(std::move(path)),
        descriptor_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)),
        zeros_(kZerosBytes, '\0') {}
  ~GrowingFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  // Behind what the file holds now.
  absl::Status AddZeros(uint64_t bytes) {
    off_t at = lseek(descriptor_, 0, SEEK_END);
    if (at < 0) return CannotOpen(path_, errno);
    while (bytes > 0) {
      const ssize_t written =
          pwrite(descriptor_, zeros_.data(), std::min<uint64_t>(bytes, zeros_.size()), at);
      if (written <= 0) return CannotWrite(path_, errno);
      at += written;
      bytes -= static_cast<uint64_t>(written);
    }
    return fdatasync(descriptor_) == 0 ? absl::OkStatus() : CannotWrite(path_, errno);
  }
  // Room at `at` that is not part of the file's size.
  absl::Status Reserve(uint64_t at, uint64_t bytes) {
    const int failed = fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(at),
                                 static_cast<off_t>(bytes));
    return failed == 0 ? absl::OkStatus() : CannotWrite(path_, errno);
  }

 private:
  const std::string path_;
  const int descriptor_;
  const std::string zeros_;
};

class ExtentsBench {
 public:
  ExtentsBench(std::string directory, uint64_t records)
      : directory_(std::move(directory)), records_(records) {}

  absl::Status Run(ExtentCase* one) {
    const std::string folder = directory_ + "/round";
    absl::Status status = MeasureLoad(folder, one);
    if (status.ok()) status = MeasureAllocation(folder + "/alone", one);
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return status;
  }

 private:
  absl::Status MeasureLoad(const std::string& folder, ExtentCase* one) {
    BenchVolume volume(folder, VolumeOptions());
    if (absl::Status s = volume.Open(); !s.ok()) return s;
    const absl::StatusOr<FileName> name = ParseFileName("$DATA01.BENCH.EXTENTS");
    if (!name.ok()) return name.status();
    FileAttributes attributes = MadeFileAttributes();
    attributes.extents = ExtentSizes{one->pages, one->pages};
    attributes.max_extents = kMaxExtents;
    if (auto created = volume.file_system().Create(*name, attributes); !created.ok()) {
      return created.status();
    }
    const int64_t fill_start = SteadyNanos();
    if (one->zero_filled) {
      // From outside, while the volume is closed: its server cannot fill with zeros.
      volume.Close();
      GrowingFile store(volume.StoreFile());
      const uint64_t extent_bytes = one->pages * kPageBytes;
      for (uint64_t done = 0; done < FilePages(records_.count()) * kPageBytes;
           done += extent_bytes) {
        if (absl::Status s = store.AddZeros(extent_bytes); !s.ok()) return s;
      }
    }
    one->fill_seconds.push_back(SecondsSince(fill_start));
    if (one->zero_filled) {
      if (absl::Status s = volume.Open(); !s.ok()) return s;
    }
    return TimedLoad(volume, *name, one);
  }

  absl::Status TimedLoad(BenchVolume& volume, const FileName& name, ExtentCase* one) {
    const int64_t start = SteadyNanos();
    if (absl::Status s = volume.Load(name, records_, RecordOrder::kInterleaved); !s.ok()) return s;
    one->seconds.push_back(SecondsSince(start));
    const absl::StatusOr<FileDescription> info = volume.file_system().Info(name);
    if (!info.ok()) return info.status();
    one->extents = info->primary.extents_allocated;
    volume.Close();
    one->disc_bytes = DirectoryBytes(std::filesystem::path(volume.StoreFile()).parent_path());
    return absl::OkStatus();
  }

  // The file system's part of an allocation, without a volume.
  static absl::Status MeasureAllocation(const std::string& path, ExtentCase* one) {
    GrowingFile file(path);
    const uint64_t bytes = one->pages * kPageBytes;
    const uint64_t count = std::max<uint64_t>(1, kAllocatedBytes / bytes);
    const int64_t start = SteadyNanos();
    for (uint64_t i = 0; i < count; ++i) {
      absl::Status s = one->zero_filled ? file.AddZeros(bytes) : file.Reserve(i * bytes, bytes);
      if (!s.ok()) return s;
    }
    one->allocation_us.push_back(SecondsSince(start) * 1e6 / static_cast<double>(count));
    return absl::OkStatus();
  }

  const std::string directory_;
  const MadeRecords records_;
};

ResultPage PageOf(const std::vector<ExtentCase>& cases, uint64_t records, uint32_t rounds) {
  ResultPage page("quire-bench extents",
                  StrCat(CountText(static_cast<int64_t>(records)),
                         " records of 1,676 bytes loaded into a BUFFERED file in this process, to "
                         "the end of the control point; ",
                         RoundsText(rounds), "."));
  PageBars loads{.title = "Load", .unit = "s", .less_is_better = true, .bars = {}};
  PageBars allocations{.title = "Allocation of one extent in the file system alone",
                       .unit = "us",
                       .less_is_better = true,
                       .bars = {}};
  Table table{.title = "Extents and disc",
              .columns = {"Extents", "pages each", "allocated", "filling s", "MB on disc"},
              .rows = {}};
  constexpr double kMegabyte = 1e6;
  for (const ExtentCase& one : cases) {
    loads.bars.push_back(
        {.label = one.label, .value = SpreadOf(one.seconds), .ours = !one.zero_filled});
    allocations.bars.push_back(
        {.label = one.label, .value = SpreadOf(one.allocation_us), .ours = !one.zero_filled});
    table.rows.push_back({one.label, CountText(static_cast<int64_t>(one.pages)),
                          StrCat(one.extents),
                          one.zero_filled ? SpreadText(SpreadOf(one.fill_seconds)) : "",
                          FigureText(static_cast<double>(one.disc_bytes) / kMegabyte)});
  }
  page.AddBars(std::move(loads));
  page.AddBars(std::move(allocations));
  page.AddTable(std::move(table));
  page.AddNote(
      "Quire counts extents per file and reserves room per volume, in steps of at most "
      "64 MiB, with fallocate(KEEP_SIZE); it never fills with zeros. The zero-filled rows "
      "have the store's file filled by this program before the load, extent by extent, "
      "each synced; filling is a column of its own and not part of the load's time.");
  return page;
}

}  // namespace

absl::StatusOr<int> ExtentsCommand() {
  const bool quick = absl::GetFlag(FLAGS_quick);
  const uint64_t records = quick ? kQuickRecords : absl::GetFlag(FLAGS_extents_records);
  const uint32_t rounds = quick ? 1 : absl::GetFlag(FLAGS_extents_rounds);
  if (records == 0) return BadOption("extents-records", "must be at least 1");
  if (rounds == 0) return BadOption("extents-rounds", "must be at least 1");
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  ExtentsBench bench(folder->path(), records);
  std::vector<ExtentCase> cases = AllCases(records);
  for (uint32_t round = 0; round < rounds; ++round) {
    for (ExtentCase& one : cases) {
      if (absl::Status s = bench.Run(&one); !s.ok()) return s;
    }
  }
  return Publish(PageOf(cases, records, rounds), PublishFlags());
}

}  // namespace bench
}  // namespace quire
