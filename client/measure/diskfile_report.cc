#include "client/measure/entity_spec.h"
#include "client/measure/report_layout.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

std::string Heading(const EntityRecord& record) {
  return StrCat("Diskfile ", RecordFile(record), "\n");
}

}  // namespace

// As DISCOPEN, with what belongs to the file and not to an open.
const ReportLayout& DiskfileLayout() {
  static const auto* const layout = new ReportLayout{
      "Diskfile",
      &Heading,
      {{"File", {{"STARTING-EOF", "ENDING-EOF"}, {"TRANSIENT-OPENS", "EXTENT-ALLOCATIONS"}}},
       {"Requests",
        {{"LOCKWAIT-TIME", "REQUESTS"},
         {"MAX-LOCKWAIT-TIME", "REQUESTS-BLOCKED"},
         {"LOCK-TIMEOUTS", "LOCK-BOUNCES"}}},
       {"Logical I/O",
        {{"CACHE-READ-HITS", "CACHE-WRITE-HITS"},
         {"BLOCK-SPLITS", "CACHE-WRITE-CLEANS"},
         {"DRIVER-INPUT-CALLS", "DRIVER-OUTPUT-CALLS"},
         {"DBIO-INPUT-CALLS", "DBIO-OUTPUT-CALLS"},
         {"CACHE-READ-MISSES", "CACHE-WRITE-MISSES", RowWhen::kNotZero}}}}};
  return *layout;
}

}  // namespace measure
}  // namespace quire
