#include "client/bench/report_generator.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "client/bench/errors.h"
#include "client/bench/output_file.h"
#include "client/bench/report_block.h"
#include "client/bench/report_text.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

enum class ItemKind : uint8_t { kNone, kCount, kTime, kIdentity };

struct ItemShape {
  std::string_view label;
  ItemKind kind = ItemKind::kNone;
};

// A line of a block's body: a section rule (left.kind none, title in left.label) or a row.
struct BodyLine {
  ItemShape left;
  ItemShape right;
};

constexpr ItemShape Count(std::string_view label) {
  return {label, ItemKind::kCount};
}
constexpr ItemShape Time(std::string_view label) {
  return {label, ItemKind::kTime};
}
constexpr ItemShape Identity(std::string_view label) {
  return {label, ItemKind::kIdentity};
}
constexpr BodyLine Rule(std::string_view title) {
  return {{title, ItemKind::kNone}, {}};
}

// Order of sections and rows as in the article (Processor, Requests, Logical I/O, SQL), then
// counters of MEASURE's PROCESS entity. Short blocks end early.
constexpr std::array<BodyLine, 36> kBody = {{
    Rule("Processor"),
    {Time("Cpu-Busy-Time"), Count("Dispatches")},
    {Time("Ready-Time"), Count("Comp-Traps")},
    {Time("Launch-Wait-Time"), Count("Launches")},
    {Count("Vsems"), Count("Ipu-Switches")},
    {Identity("Ipu-Num"), Identity("Ipu-Num-Prev")},
    {Count("Initial-Priority-Start"), Count("Initial-Priority-End")},
    {Count("Current-Priority-Start"), Count("Current-Priority-End")},
    Rule("Requests"),
    {Time("Lockwait-Time"), Count("Requests")},
    {Time("Max-Lockwait-Time"), Count("Requests-Blocked")},
    {Count("Lock-Timeouts"), Count("Lock-Bounces")},
    Rule("Logical I/O"),
    {Count("Cache-Hits"), Count("Cache-Write-Hits")},
    {Count("Block-Splits"), Count("Cache-Write-Cleans")},
    {Count("Driver-Input-Calls"), Count("Driver-Output-Calls")},
    {Count("DBIO-Input-Calls"), Count("DBIO-Output-Calls")},
    Rule("SQL"),
    {Time("SQL-Operation-Time"), {}},
    Rule("Memory"),
    {Count("Page-Faults"), Time("Mem-Qtime")},
    {Count("Pres-Pages-Start"), Count("Pres-Pages-End")},
    {Time("Pres-Pages-Qtime"), Count("Pres-Pages-Max")},
    {Count("Vm-Pages-Start"), Count("Vm-Pages-End")},
    Rule("Messages"),
    {Count("Messages-Sent"), Count("Sent-Bytes")},
    {Count("Returned-Bytes"), Time("Recv-Qtime")},
    {Count("Recv-Qlen-Max"), Count("Messages-Received")},
    {Count("Received-Bytes"), Count("Reply-Bytes")},
    {Count("Abandoned-Calls"), Count("Timed-Out-Calls")},
    Rule("Files"),
    {Time("File-Busy-Time"), Count("File-Open-Calls")},
    {Count("Reads"), Count("Writes")},
    {Count("Info-Calls"), Count("Updates")},
    {Count("Deletes-or-Writereads"), Count("Escalations")},
    {Count("Records-Used"), Count("Records-Accessed")},
}};
constexpr uint32_t kHeadingLines = 3;
constexpr uint32_t kBlankLines = 1;
static_assert(kHeadingLines + kBody.size() + kBlankLines == kMaxReportLines);

constexpr absl::CivilSecond kFirstInterval(2019, 12, 17, 7, 37, 29);  // start of the article's run
constexpr int kIntervalSeconds = 1950;                                // its 32.5 minutes

bool IsRule(const BodyLine& line) {
  return line.left.kind == ItemKind::kNone;
}

void AppendHeading(uint64_t record, std::string* out) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const uint64_t pin = record % kPinLimit;
  const uint64_t interval = record / kPinLimit;
  const absl::CivilSecond from =
      kFirstInterval + static_cast<absl::civil_diff_t>(interval) * kIntervalSeconds;
  out->append("Process  Program $DATA01.MEASURE.FORMAT\n");
  absl::StrAppendFormat(out, "CPU 00 Pin %02d Interval %07d\n", pin, interval);
  absl::StrAppendFormat(out, "Local System \\NODE1 From %d %s %d, %d:%02d:%02d For 32.5 Minutes\n",
                        from.day(), ToAbsl(kMonths[static_cast<size_t>(from.month() - 1)]),
                        from.year(), from.hour(), from.minute(), from.second());
}

// One to six digits, small numbers as often as large ones.
uint64_t Magnitude(SplitMix64* random) {
  static constexpr std::array<uint64_t, 6> kLimits = {10, 100, 1000, 10000, 100000, 1000000};
  return random->Below(kLimits[random->Below(kLimits.size())]);
}

struct MadeItem {
  std::string value;
  std::string_view unit;
};

MadeItem MakeItem(ItemKind kind, SplitMix64* random) {
  switch (kind) {
    case ItemKind::kNone:
      return {};
    case ItemKind::kIdentity:  // shown even when 0
      return {StrCat(random->Below(4)), "#"};
    case ItemKind::kCount:
    case ItemKind::kTime:
      break;
  }
  const bool idle = random->Below(3) == 0;
  const uint64_t amount = idle ? 0 : Magnitude(random);
  if (amount == 0) return {};  // a zero counter prints blank
  if (kind == ItemKind::kTime) return {Hundredths(amount % 100000), "sec"};
  return {WithThousands(amount), "#"};
}

}  // namespace

absl::Status ReportGenerator::Check(const GeneratorOptions& options) {
  if (options.records < 1 || options.records > kMaxGeneratedRecords) {
    return BadOption("records", StrCat("must be 1 to ", kMaxGeneratedRecords));
  }
  if (options.lines_min < kMinReportLines || options.lines_min > options.lines_max) {
    return BadOption("report-lines-min",
                     StrCat("must be ", kMinReportLines, " to --report-lines-max"));
  }
  if (options.lines_max > kMaxReportLines) {
    return BadOption("report-lines-max", StrCat("must be at most ", kMaxReportLines));
  }
  return absl::OkStatus();
}

bool ReportGenerator::AppendNext(std::string* out) {
  if (next_ == options_.records) return false;
  AppendHeading(next_++, out);
  // The lower of two draws: most entities are quiet and have short blocks.
  const uint64_t lines = std::min(random_.Between(options_.lines_min, options_.lines_max),
                                  random_.Between(options_.lines_min, options_.lines_max));
  size_t body = static_cast<size_t>(lines) - kHeadingLines - kBlankLines;
  if (IsRule(kBody[body - 1])) body += lines < options_.lines_max ? 1 : -1;  // no empty section
  for (size_t i = 0; i < body; ++i) {
    const BodyLine& line = kBody[i];
    if (IsRule(line)) {
      AppendRule(line.left.label, out);
      continue;
    }
    const MadeItem left = MakeItem(line.left.kind, &random_);
    const MadeItem right = MakeItem(line.right.kind, &random_);
    AppendRow({line.left.label, left.value, left.unit}, {line.right.label, right.value, right.unit},
              out);
  }
  out->push_back('\n');
  return true;
}

absl::Status WriteReport(const GeneratorOptions& options, const std::string& path,
                         absl::FunctionRef<bool(uint64_t done)> progress) {
  constexpr size_t kWriteBytes = 1 << 20;
  if (absl::Status checked = ReportGenerator::Check(options); !checked.ok()) return checked;
  absl::StatusOr<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  ReportGenerator generator(options);
  std::string text;
  text.reserve(kWriteBytes + 4096);
  uint64_t done = 0;
  while (generator.AppendNext(&text)) {
    ++done;
    if (text.size() < kWriteBytes && done < options.records) continue;
    if (absl::Status written = file->Write(text); !written.ok()) return written;
    text.clear();
    if (!progress(done)) return Interrupted();
  }
  return file->Commit();
}

}  // namespace bench
}  // namespace quire
