// Records made of a MEASURE report text: key, CSV line, blanks.
#ifndef QUIRE_CLIENT_BENCH_REPORT_RECORDS_H_
#define QUIRE_CLIENT_BENCH_REPORT_RECORDS_H_

#include <memory>
#include <string>
#include <string_view>

#include "client/bench/byte_source.h"
#include "client/bench/record_source.h"
#include "client/bench/report_reader.h"

namespace quire {
namespace bench {

class ReportRecords : public RecordSource {
 public:
  ReportRecords(std::unique_ptr<ByteSource> bytes, uint32_t record_bytes)
      : reader_(std::move(bytes)), record_bytes_(record_bytes) {}

  // 22 for damaged text, 21 when a block's CSV line does not fit.
  absl::StatusOr<bool> Next(std::string* record) override;
  std::string_view noun() const override { return "report block"; }

 private:
  ReportReader reader_;
  ReportBlock block_;
  const uint32_t record_bytes_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_REPORT_RECORDS_H_
