#include "client/measure/report_layout.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

std::string Heading(const EntityRecord& record) {
  return StrCat("Disc ", record.volume, "\n");
}

}  // namespace

// Logical calls first, then what the device had to do for them: the store by control points and
// cache misses, the audit trail by changes.
const ReportLayout& DiscLayout() {
  static const auto* const layout =
      new ReportLayout{"Disc",
                       &Heading,
                       {{"Requests",
                         {{"REQUESTS", "REQUESTS-BLOCKED"},
                          {"DIRTY-LIMIT-WAITS", "DIRTY-LIMIT-WAIT-TIME", RowWhen::kNotZero}}},
                        {"Logical I/O",
                         {{"CACHE-HITS", "CACHE-WRITE-HITS"},
                          {"BLOCK-SPLITS", "CACHE-WRITE-CLEANS"},
                          {"DRIVER-INPUT-CALLS", "DRIVER-OUTPUT-CALLS"},
                          {"CACHE-READ-MISSES", "CACHE-WRITE-MISSES"}}},
                        {"Physical I/O",
                         {{"READS", "WRITES"},
                          {"INPUT-BYTES", "OUTPUT-BYTES"},
                          {"READ-TIME", "WRITE-TIME"},
                          {"INDEX-READS", "SYNCS"}}},
                        {"Read-ahead",
                         {{"READ-AHEAD-ASKED", "READ-AHEAD-BROUGHT", RowWhen::kNotZero},
                          {"READ-AHEAD-USED", "READ-AHEAD-UNUSED", RowWhen::kNotZero},
                          {"READ-AHEAD-PAUSES", "", RowWhen::kNotZero}}},
                        {"Audit Trail",
                         {{"TRAIL-BATCHES", "TRAIL-BYTES"},
                          {"TRAIL-SYNCS", "TRAIL-SYNC-TIME"},
                          {"TRAIL-WAITS", "TRAIL-WAIT-TIME", RowWhen::kNotZero}}},
                        {"Look-aside",
                         {{"LOOKASIDE-KEPT", "LOOKASIDE-BYPASSED", RowWhen::kNotZero},
                          {"LOOKASIDE-CACHED-SAMPLES", "LOOKASIDE-CACHED-TIME", RowWhen::kNotZero},
                          {"LOOKASIDE-STORE-SAMPLES", "LOOKASIDE-STORE-TIME", RowWhen::kNotZero},
                          {"LOOKASIDE-FROZEN-BLOCKS", "LOOKASIDE-FROZEN-BYTES", RowWhen::kNotZero},
                          {"LOOKASIDE-DECISIONS", "", RowWhen::kNotZero}}},
                        {"Miscellaneous",
                         {{"CONTROL-POINTS", "CONTROL-POINT-WRITES"},
                          {"CONTROL-POINT-TIME", "DIRTY-BLOCKS"},
                          {"STARTING-FREE-SPACE", "ENDING-FREE-SPACE"},
                          {"CACHE-BYTES", "OLDEST-SNAPSHOT-AGE"}}}}};
  return *layout;
}

}  // namespace measure
}  // namespace quire
