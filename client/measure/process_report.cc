#include "client/measure/report_layout.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

std::string Heading(const EntityRecord& record) {
  return StrCat("Process ", record.volume, "\nProgram ", Printable(record.opener), "\n");
}

}  // namespace

// The first section is that of the published tuning story. Comp-Traps, Launches, Vsems and the
// initial priority do not exist on Linux and stay blank; Ipu-Num-Prev is absent when not valid.
const ReportLayout& ProcessLayout() {
  static const auto* const layout =
      new ReportLayout{"Process",
                       &Heading,
                       {{"Processor",
                         {{"CPU-BUSY-TIME", "DISPATCHES"},
                          {"READY-TIME", "COMP-TRAPS"},
                          {"LAUNCH-WAIT-TIME", "LAUNCHES"},
                          {"VSEMS", "IPU-SWITCHES"},
                          {"IPU-NUM", ""},
                          {"INITIAL-PRIORITY-START", "INITIAL-PRIORITY-END"},
                          {"CURRENT-PRIORITY-START", "CURRENT-PRIORITY-END"},
                          {"RUN-QUEUE-WAIT-TIME", "", RowWhen::kNotZero}}},
                        {"Memory", {{"PAGE-FAULTS", "PRES-PAGES-END"}}}}};
  return *layout;
}

}  // namespace measure
}  // namespace quire
