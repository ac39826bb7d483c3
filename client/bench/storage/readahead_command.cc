// quire-bench readahead: scans of data larger than the cache, on a store that is not in memory,
// with each kind of read-ahead in turn.
#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
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
#include "quire/byte_size.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload
ABSL_DECLARE_FLAG(bool, quick);

ABSL_FLAG(uint64_t, readahead_records, 135065, "readahead: records of the file");
ABSL_FLAG(uint64_t, readahead_scanned, 20000,
          "readahead: records that a scan without work reads; with 50 us a fifth, with 200 us a "
          "twentieth of them");
ABSL_FLAG(quire::ByteSize, readahead_cache, {uint64_t{16} << 20},
          "readahead: block cache, smaller than what a scan reads");
ABSL_FLAG(uint32_t, readahead_rounds, 5, "readahead: rounds");

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

// What --quick makes of it: a test that the program works, not a measurement.
constexpr uint64_t kQuickFileRecords = 3000;
constexpr uint64_t kQuickScanned = 400;

constexpr std::array kModes = {ReadAheadMode::kNone, ReadAheadMode::kFixed,
                               ReadAheadMode::kAdaptive};
constexpr std::array kModeNames = {"none", "fixed", "adaptive"};
// Selective scans: so many records, then a leap over nine times as many.
constexpr uint64_t kRangeRecords = 100;
constexpr uint64_t kRangeStep = 1000;
// The goal: not more than 3 % slower.
constexpr double kLeastRatio = 0.97;

enum class ScanWay { kForward, kReverse, kSelective };

// One line of the results.
struct ReadAheadCase {
  RecordOrder loaded = RecordOrder::kAscending;
  ScanWay way = ScanWay::kForward;
  uint32_t work_us = 0;  // per record
  bool cold = true;      // the store's pages are dropped before
  std::array<std::vector<double>, kModes.size()> rates = {};  // records/s by mode and round
};

std::string TitleOf(const ReadAheadCase& one) {
  const char* const way = one.way == ScanWay::kForward   ? "forward"
                          : one.way == ScanWay::kReverse ? "reverse"
                                                         : "every 10th range of 100";
  return StrCat(one.loaded == RecordOrder::kAscending ? "ascending" : "shuffled", ", ", way, ", ",
                one.work_us, " us", one.cold ? "" : ", in the page cache");
}

std::vector<ReadAheadCase> AllCases() {
  std::vector<ReadAheadCase> cases;
  for (const RecordOrder loaded : {RecordOrder::kAscending, RecordOrder::kShuffled}) {
    for (const ScanWay way : {ScanWay::kForward, ScanWay::kReverse, ScanWay::kSelective}) {
      for (const uint32_t work_us : {0u, 50u, 200u}) {
        cases.push_back({.loaded = loaded, .way = way, .work_us = work_us});
      }
    }
    cases.push_back({.loaded = loaded, .cold = false});
  }
  return cases;
}

void Work(uint32_t micros) {
  if (micros == 0) return;
  const int64_t end = SteadyNanos() + int64_t{micros} * 1000;
  while (SteadyNanos() < end) {
  }
}

class ReadAheadBench {
 public:
  ReadAheadBench(std::string directory, uint64_t records, uint64_t scanned, VolumeOptions options)
      : records_(records),
        scanned_(scanned),
        ascending_(directory + "/ascending", options),
        shuffled_(directory + "/shuffled", options) {}

  absl::Status Prepare() {
    name_ = *ParseFileName("$DATA01.BENCH.AHEAD");
    if (absl::Status s = Prepare(ascending_, RecordOrder::kAscending); !s.ok()) return s;
    return Prepare(shuffled_, RecordOrder::kShuffled);
  }

  absl::Status Round(uint32_t round, std::vector<ReadAheadCase>* cases) {
    for (ReadAheadCase& one : *cases) {
      for (size_t i = 0; i < kModes.size(); ++i) {
        // Another one first in each round.
        const size_t mode = (i + round) % kModes.size();
        const absl::StatusOr<double> rate = Measure(one, kModes[mode]);
        if (!rate.ok()) return rate.status();
        one.rates[mode].push_back(*rate);
      }
    }
    return absl::OkStatus();
  }

  // The largest share of the store's pages that a drop left in memory.
  double left_in_memory() const { return left_in_memory_; }

 private:
  absl::Status Prepare(BenchVolume& volume, RecordOrder order) {
    if (absl::Status s = volume.Open(); !s.ok()) return s;
    if (auto created = volume.file_system().Create(name_, MadeFileAttributes()); !created.ok()) {
      return created.status();
    }
    if (absl::Status s = volume.Load(name_, records_, order); !s.ok()) return s;
    volume.Close();
    return absl::OkStatus();
  }

  absl::StatusOr<double> Measure(const ReadAheadCase& one, ReadAheadMode mode) {
    BenchVolume& volume = one.loaded == RecordOrder::kAscending ? ascending_ : shuffled_;
    volume.Close();
    if (one.cold) {
      const absl::StatusOr<double> left = volume.DropPages();
      if (!left.ok()) return left.status();
      left_in_memory_ = std::max(left_in_memory_, *left);
    }
    if (absl::Status s = volume.OpenWith(mode); !s.ok()) return s;
    absl::StatusOr<std::unique_ptr<File>> file = volume.file_system().Open(name_, {});
    if (!file.ok()) return file.status();
    if (!one.cold) {
      // So that the pages are there whatever ran before.
      if (absl::Status s = Scan(**file, one).status(); !s.ok()) return s;
    }
    const int64_t start = SteadyNanos();
    const absl::StatusOr<uint64_t> read = Scan(**file, one);
    const int64_t elapsed = SteadyNanos() - start;
    if (!read.ok()) return read.status();
    if (absl::Status s = (*file)->Close(); !s.ok()) return s;
    return static_cast<double>(*read) * 1e9 / static_cast<double>(std::max<int64_t>(1, elapsed));
  }

  uint64_t WantedOf(const ReadAheadCase& one) const {
    const uint64_t share = one.work_us == 0 ? 1 : one.work_us <= 50 ? 5 : 20;
    return std::min(records_.count(), std::max<uint64_t>(1, scanned_ / share));
  }

  // Records read.
  absl::StatusOr<uint64_t> Scan(File& file, const ReadAheadCase& one) {
    const uint64_t wanted = WantedOf(one);
    if (one.way != ScanWay::kSelective) {
      ScanOptions options;
      options.reverse = one.way == ScanWay::kReverse;
      options.max_records = wanted;
      const uint64_t first = options.reverse ? records_.count() - 1 : 0;
      return ScanRange(file, options, first, wanted, one.work_us);
    }
    uint64_t read = 0;
    for (uint64_t rank = 0; read < wanted && rank + kRangeRecords < records_.count();
         rank += kRangeStep) {
      ScanOptions options;
      options.range = KeyRange{records_.Key(rank), records_.Key(rank + kRangeRecords)};
      const absl::StatusOr<uint64_t> one_range =
          ScanRange(file, options, rank, kRangeRecords, one.work_us);
      if (!one_range.ok()) return one_range.status();
      read += *one_range;
    }
    return read;
  }

  // `wanted`: the records that are there.
  absl::StatusOr<uint64_t> ScanRange(File& file, const ScanOptions& options, uint64_t rank,
                                     uint64_t wanted, uint32_t work_us) {
    const std::unique_ptr<Scanner> scanner = file.Scan(options);
    uint64_t read = 0;
    for (;;) {
      const absl::StatusOr<std::string_view> record = scanner->Next();
      if (!record.ok() && NumberOf(record.status()) == ErrorNumber::kEndOfFile) break;
      if (!record.ok()) return record.status();
      if (!records_.Matches(rank, *record)) return OtherRecordRead(rank);
      rank += options.reverse ? uint64_t{0} - 1 : 1;
      ++read;
      Work(work_us);
    }
    if (read != wanted) return OtherRecordCount(name_.ToString(), read, wanted);
    return read;
  }

  const MadeRecords records_;
  const uint64_t scanned_;
  FileName name_;
  BenchVolume ascending_;
  BenchVolume shuffled_;
  double left_in_memory_ = 0;
};

// The worst of the cases that `belongs` picks.
PageGoal GoalOf(const std::string& what, const std::vector<ReadAheadCase>& cases,
                const std::function<bool(const ReadAheadCase&)>& belongs) {
  PageGoal goal{.what = what, .asked = ">= 0.97", .got = "", .met = true};
  double worst = 0;
  for (const ReadAheadCase& one : cases) {
    if (!belongs(one)) continue;
    const Spread ratio = RatioSpread(one.rates[2], one.rates[0]);
    if (!goal.got.empty() && ratio.median >= worst) continue;
    worst = ratio.median;
    goal.got = StrCat(SpreadText(ratio), ": ", TitleOf(one));
    goal.met = worst >= kLeastRatio;
  }
  return goal;
}

void AddResults(const std::vector<ReadAheadCase>& cases, ResultPage* page) {
  for (const auto& [order, text] : {std::pair(RecordOrder::kAscending, "loaded ascending"),
                                    std::pair(RecordOrder::kShuffled, "loaded shuffled")}) {
    const RecordOrder loaded = order;
    page->AddGoal(
        GoalOf(StrCat("adaptive over none, ", text, ", page cache dropped: the worst"), cases,
               [&](const ReadAheadCase& one) { return one.cold && one.loaded == loaded; }));
  }
  page->AddGoal(GoalOf("adaptive over none, store in the page cache: the worst", cases,
                       [](const ReadAheadCase& one) { return !one.cold; }));
  Table table{.title = "Records per second, and over none, round by round",
              .columns = {"Scan", "none", "fixed", "adaptive", "fixed/none", "adaptive/none"},
              .rows = {}};
  for (const ReadAheadCase& one : cases) {
    std::vector<std::string> row = {TitleOf(one)};
    for (const std::vector<double>& rates : one.rates) row.push_back(SpreadText(SpreadOf(rates)));
    row.push_back(SpreadText(RatioSpread(one.rates[1], one.rates[0])));
    row.push_back(SpreadText(RatioSpread(one.rates[2], one.rates[0])));
    table.rows.push_back(std::move(row));
  }
  page->AddTable(std::move(table));
  for (const ReadAheadCase& one : cases) {
    if (one.work_us != 0) continue;
    PageBars bars{.title = TitleOf(one), .unit = "records/s", .bars = {}};
    for (size_t mode = 0; mode < kModes.size(); ++mode) {
      bars.bars.push_back({.label = kModeNames[mode],
                           .value = SpreadOf(one.rates[mode]),
                           .ours = kModes[mode] == ReadAheadMode::kAdaptive});
    }
    page->AddBars(std::move(bars));
  }
}

}  // namespace

absl::StatusOr<int> ReadAheadCommand() {
  const bool quick = absl::GetFlag(FLAGS_quick);
  const uint64_t records = quick ? kQuickFileRecords : absl::GetFlag(FLAGS_readahead_records);
  const uint64_t scanned = quick ? kQuickScanned : absl::GetFlag(FLAGS_readahead_scanned);
  const uint32_t rounds = quick ? 1 : absl::GetFlag(FLAGS_readahead_rounds);
  if (records < kRangeStep) return BadOption("readahead-records", "must be at least 1,000");
  if (scanned == 0) return BadOption("readahead-scanned", "must be at least 1");
  if (rounds == 0) return BadOption("readahead-rounds", "must be at least 1");
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  VolumeOptions options;
  options.cache_bytes = absl::GetFlag(FLAGS_readahead_cache).bytes;
  ReadAheadBench bench(folder->path(), records, scanned, options);
  if (absl::Status s = bench.Prepare(); !s.ok()) return s;
  std::vector<ReadAheadCase> cases = AllCases();
  for (uint32_t round = 0; round < rounds; ++round) {
    if (absl::Status s = bench.Round(round, &cases); !s.ok()) return s;
  }
  ResultPage page("quire-bench readahead",
                  StrCat("Scans of a file of ", FigureText(static_cast<double>(records)),
                         " records of 1,676 bytes in this process, cache of ",
                         AbslUnparseFlag(ByteSize{options.cache_bytes}), ", ", RoundsText(rounds),
                         "; us: work per record after it was read."));
  AddResults(cases, &page);
  page.AddNote(
      StrCat("Before each scan the volume is closed and its store's file dropped from the "
             "page cache by posix_fadvise(DONTNEED); at most ",
             FigureText(bench.left_in_memory() * 100), " % of its pages stayed."));
  return Publish(page, PublishFlags());
}

}  // namespace bench
}  // namespace quire
