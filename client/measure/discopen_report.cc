#include "client/measure/entity_spec.h"
#include "client/measure/report_layout.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

// OCB: the number of the open, as LISTOPENS and the API give it.
std::string Heading(const EntityRecord& record) {
  return StrCat("Discopen ", RecordFile(record), "\nOpener ", Printable(record.opener), "  OCB ",
                record.open_id, record.closed_us == 0 ? "\n" : "  closed\n");
}

}  // namespace

// Sections, rows and their order are those of the published tuning story; what it does not have
// follows in rows of its own when there is something to show.
const ReportLayout& DiscopenLayout() {
  static const auto* const layout =
      new ReportLayout{"Discopen",
                       &Heading,
                       {{"Requests",
                         {{"LOCKWAIT-TIME", "REQUESTS"},
                          {"MAX-LOCKWAIT-TIME", "REQUESTS-BLOCKED"},
                          {"LOCK-TIMEOUTS", "LOCK-BOUNCES"}}},
                        {"Logical I/O",
                         {{"CACHE-HITS", "CACHE-WRITE-HITS"},
                          {"BLOCK-SPLITS", "CACHE-WRITE-CLEANS"},
                          {"DRIVER-INPUT-CALLS", "DRIVER-OUTPUT-CALLS"},
                          {"DBIO-INPUT-CALLS", "DBIO-OUTPUT-CALLS"},
                          {"CACHE-READ-MISSES", "CACHE-WRITE-MISSES", RowWhen::kNotZero}}},
                        {"SQL", {{"SQL-OPERATION-TIME", ""}}}}};
  return *layout;
}

}  // namespace measure
}  // namespace quire
