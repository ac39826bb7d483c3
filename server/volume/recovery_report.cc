#include "server/volume/recovery_report.h"

#include "quire/text.h"

namespace quire {

std::string TextOf(const RecoveryReport& report) {
  const ReplayCounts& counts = report.replayed;
  std::string text = StrCat(
      "LSN ", report.from_lsn + 1, " to ", report.to_lsn, ": ", counts.batches, " batches with ",
      counts.records, " records (", counts.images, " images, ", counts.states, " states, ",
      counts.redone, " redone, ", counts.answers, " answers, ", counts.commands, " commands), ",
      report.control_points, " control points, ", report.micros / 1000, " ms");
  if (counts.records == 0)
    text = StrCat("nothing to replay after LSN ", report.to_lsn, ", ", report.micros / 1000, " ms");
  if (!counts.bad_files.empty()) StrAppend(&text, "; files marked bad: ", counts.bad_files.size());
  return text;
}

}  // namespace quire
