#include "client/bench/report_records.h"

#include "client/bench/csv_line.h"
#include "client/bench/errors.h"

namespace quire {
namespace bench {

absl::StatusOr<bool> ReportRecords::Next(std::string* record) {
  absl::StatusOr<bool> more = reader_.Next(&block_);
  if (!more.ok() || !*more) return more;
  record->assign(block_.key);
  AppendCsvLine(block_, record);
  if (record->size() > record_bytes_) {
    return ReportTooLong(block_.first_line, record->size() - block_.key.size(),
                         record_bytes_ - block_.key.size());
  }
  record->resize(record_bytes_, ' ');
  return true;
}

}  // namespace bench
}  // namespace quire
