#include "client/bench/record_source.h"

#include "client/bench/byte_source.h"
#include "client/bench/csv_records.h"
#include "client/bench/errors.h"
#include "client/bench/report_block.h"
#include "client/bench/report_records.h"
#include "quire/text.h"

namespace quire {
namespace bench {

absl::StatusOr<std::unique_ptr<RecordSource>> OpenRecords(const InputOptions& options) {
  if (options.key_length == 0 || options.key_length >= options.record_bytes) {
    return BadOption("key-length", "must be at least 1 and less than --rec");
  }
  if (!options.csv && options.key_length != kReportKeyBytes) {
    return BadOption("key-length", StrCat("report text makes keys of ", kReportKeyBytes,
                                          " bytes; give the option with --csv only"));
  }
  if (options.csv && options.key_column == 0)
    return BadOption("key-column", "columns count from 1");
  absl::StatusOr<std::unique_ptr<ByteSource>> bytes = OpenFileBytes(options.path);
  if (!bytes.ok()) return bytes.status();
  if (options.csv) return std::make_unique<CsvRecords>(*std::move(bytes), options);
  return std::make_unique<ReportRecords>(*std::move(bytes), options.record_bytes);
}

}  // namespace bench
}  // namespace quire
