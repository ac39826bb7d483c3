// quire-bench blocks: what the block size of a file costs and gives.
#include <algorithm>
#include <array>
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
#include "client/bench/storage/bench_volume.h"
#include "client/bench/work_folder.h"
#include "quire/limits.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload
ABSL_DECLARE_FLAG(bool, quick);

ABSL_FLAG(uint64_t, blocks_records, 50000, "blocks: records of each file");
ABSL_FLAG(uint64_t, blocks_reads, 20000, "blocks: point reads of a round");
ABSL_FLAG(uint32_t, blocks_rounds, 5, "blocks: rounds");

namespace quire {
namespace bench {
namespace {

constexpr char kFile[] = "$DATA01.BENCH.BLOCKS";
constexpr uint64_t kQuickRecords = 1000;
constexpr uint64_t kQuickReads = 200;
// Fits every block size several times: at BLOCK 512 REC is at most 456.
constexpr uint32_t kSmallRecordBytes = 128;
// For any number of records of either size in any block size.
constexpr ExtentSizes kExtents{16384, 16384};

// A block size with a record length.
struct BlockCase {
  uint32_t block_bytes = 0;
  uint32_t record_bytes = 0;
  std::vector<double> load = {};   // records/s, to the end of the control point
  std::vector<double> reads = {};  // by key, from the cache
  std::vector<double> scan = {};   // records/s
  uint64_t file_bytes = 0;         // of the store
  uint64_t eof_bytes = 0;
  uint32_t index_levels = 0;
};

std::vector<BlockCase> AllCases() {
  std::vector<BlockCase> cases;
  for (const uint32_t block : {512u, 1024u, 2048u, 4096u, 32768u}) {
    cases.push_back({.block_bytes = block, .record_bytes = kSmallRecordBytes});
  }
  for (const uint32_t block : {2048u, 4096u, 32768u}) {
    cases.push_back({.block_bytes = block, .record_bytes = MadeRecords::kRecordBytes});
  }
  return cases;
}

double RateOf(uint64_t count, int64_t start_ns) {
  const int64_t elapsed = std::max<int64_t>(1, SteadyNanos() - start_ns);
  return static_cast<double>(count) * 1e9 / static_cast<double>(elapsed);
}

class BlocksBench {
 public:
  BlocksBench(std::string directory, uint64_t records, uint64_t reads)
      : directory_(std::move(directory)), records_(records), reads_(reads) {}

  // Loads into a new volume, reads and scans there.
  absl::Status Run(BlockCase* one) {
    const std::string folder = StrCat(directory_, "/round");
    BenchVolume volume(folder, VolumeOptions());
    absl::Status status = volume.Open();
    if (status.ok()) status = Measure(volume, one);
    volume.Close();
    std::error_code ignored;
    if (status.ok()) {
      std::error_code failed;
      one->file_bytes = std::filesystem::file_size(volume.StoreFile(), failed);
      if (failed) status = CannotRead(volume.StoreFile(), failed.value());
    }
    std::filesystem::remove_all(folder, ignored);
    return status;
  }

 private:
  absl::Status Measure(BenchVolume& volume, BlockCase* one) {
    const absl::StatusOr<FileName> name = ParseFileName(kFile);
    if (!name.ok()) return name.status();
    FileAttributes attributes = MadeFileAttributes();
    attributes.record_bytes = one->record_bytes;
    attributes.block_bytes = one->block_bytes;
    attributes.extents = kExtents;
    if (auto created = volume.file_system().Create(*name, attributes); !created.ok()) {
      return created.status();
    }
    if (absl::Status s = Load(volume, *name, one); !s.ok()) return s;
    absl::StatusOr<std::unique_ptr<File>> file = volume.file_system().Open(*name, {});
    if (!file.ok()) return file.status();
    if (absl::Status s = Scan(**file, one); !s.ok()) return s;
    if (absl::Status s = ReadByKey(**file, one); !s.ok()) return s;
    if (absl::Status s = (*file)->Close(); !s.ok()) return s;
    const absl::StatusOr<FileDescription> info = volume.file_system().Info(*name);
    if (!info.ok()) return info.status();
    one->eof_bytes = info->primary.eof_bytes;
    one->index_levels = info->primary.index_levels;
    return absl::OkStatus();
  }

  absl::Status Load(BenchVolume& volume, const FileName& name, BlockCase* one) {
    const int64_t start = SteadyNanos();
    absl::Status status = volume.Load(name, records_, RecordOrder::kInterleaved, one->record_bytes);
    if (status.ok()) one->load.push_back(RateOf(records_.count(), start));
    return status;
  }

  absl::Status Scan(File& file, BlockCase* one) {
    const int64_t start = SteadyNanos();
    const std::unique_ptr<Scanner> scanner = file.Scan({});
    uint64_t rank = 0;
    for (;; ++rank) {
      const absl::StatusOr<std::string_view> record = scanner->Next();
      if (!record.ok() && NumberOf(record.status()) == ErrorNumber::kEndOfFile) break;
      if (!record.ok()) return record.status();
      if (!IsRecord(rank, *record, *one)) return OtherRecordRead(rank);
    }
    if (rank != records_.count()) return OtherRecordCount(kFile, rank, records_.count());
    one->scan.push_back(RateOf(rank, start));
    return absl::OkStatus();
  }

  absl::Status ReadByKey(File& file, BlockCase* one) {
    const int64_t start = SteadyNanos();
    for (uint64_t i = 0; i < reads_; ++i) {
      const uint64_t rank = records_.RankAt(RecordOrder::kShuffled, i % records_.count());
      const absl::StatusOr<std::string> record = file.Read(records_.Key(rank));
      if (!record.ok()) return record.status();
      if (!IsRecord(rank, *record, *one)) return OtherRecordRead(rank);
    }
    one->reads.push_back(RateOf(reads_, start));
    return absl::OkStatus();
  }

  bool IsRecord(uint64_t rank, std::string_view record, const BlockCase& one) const {
    return record.size() == one.record_bytes && records_.MatchesStart(rank, record);
  }

  const std::string directory_;
  const MadeRecords records_;
  const uint64_t reads_;
};

ResultPage PageOf(const std::vector<BlockCase>& cases, uint64_t records, uint32_t rounds) {
  ResultPage page("quire-bench blocks",
                  StrCat(CountText(static_cast<int64_t>(records)),
                         " records in a BUFFERED file in this process, loaded as 100 interleaved "
                         "ascending runs, by BLOCK and record length; ",
                         RoundsText(rounds), "."));
  Table table{.title = "Space",
              .columns = {"BLOCK, record", "EOF MB", "store MB", "bytes in store per record byte",
                          "index levels"},
              .rows = {}};
  const auto title = [](const BlockCase& one) {
    return StrCat(one.block_bytes, ", ", one.record_bytes);
  };
  constexpr double kMegabyte = 1e6;
  for (const BlockCase& one : cases) {
    const double data = static_cast<double>(records) * one.record_bytes;
    table.rows.push_back({title(one), FigureText(static_cast<double>(one.eof_bytes) / kMegabyte),
                          FigureText(static_cast<double>(one.file_bytes) / kMegabyte),
                          FigureText(static_cast<double>(one.file_bytes) / data),
                          StrCat(one.index_levels)});
  }
  const std::array<std::pair<const char*, std::vector<double> BlockCase::*>, 3> works = {
      {{"Load to the end of its control point", &BlockCase::load},
       {"Point reads by key, one at a time, from the cache", &BlockCase::reads},
       {"Scan, from the cache", &BlockCase::scan}}};
  for (const uint32_t record_bytes : {kSmallRecordBytes, MadeRecords::kRecordBytes}) {
    for (const auto& [what, rates] : works) {
      PageBars bars{.title = StrCat(what, ", records of ", CountText(record_bytes), " bytes"),
                    .unit = "records/s",
                    .bars = {}};
      for (const BlockCase& one : cases) {
        if (one.record_bytes != record_bytes) continue;
        bars.bars.push_back({.label = StrCat("BLOCK ", one.block_bytes),
                             .value = SpreadOf(one.*rates),
                             .ours = one.block_bytes == kDefaultBlockBytes});
      }
      page.AddBars(std::move(bars));
    }
  }
  page.AddTable(std::move(table));
  page.AddNote(
      "Images of BLOCK 512 and 1024 lie inside the store's own leaves, 2048 takes a page of "
      "4,096 bytes, 4096 exactly one page, 32768 eight.");
  return page;
}

}  // namespace

absl::StatusOr<int> BlocksCommand() {
  const bool quick = absl::GetFlag(FLAGS_quick);
  const uint64_t records = quick ? kQuickRecords : absl::GetFlag(FLAGS_blocks_records);
  const uint64_t reads = quick ? kQuickReads : absl::GetFlag(FLAGS_blocks_reads);
  const uint32_t rounds = quick ? 1 : absl::GetFlag(FLAGS_blocks_rounds);
  if (records == 0) return BadOption("blocks-records", "must be at least 1");
  if (reads == 0) return BadOption("blocks-reads", "must be at least 1");
  if (rounds == 0) return BadOption("blocks-rounds", "must be at least 1");
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  BlocksBench bench(folder->path(), records, reads);
  std::vector<BlockCase> cases = AllCases();
  for (uint32_t round = 0; round < rounds; ++round) {
    for (BlockCase& one : cases) {
      if (absl::Status s = bench.Run(&one); !s.ok()) return s;
    }
  }
  return Publish(PageOf(cases, records, rounds), PublishFlags());
}

}  // namespace bench
}  // namespace quire
