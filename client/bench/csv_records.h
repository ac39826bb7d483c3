// Records made of a CSV file (RFC 4180): KEYLEN key bytes from one column, then the row's text as
// it stands in the file (quotes and embedded line ends kept, the row's own line end left out),
// blank padded (R-M3).
//
// Strict: a quote inside an unquoted field, or an unclosed one, is an error. LF, CRLF and CR end
// rows; empty lines between rows are passed over and not counted. Every row has the first row's
// number of fields. Nothing is truncated. Memory is bounded by the record size.
#ifndef QUIRE_CLIENT_BENCH_CSV_RECORDS_H_
#define QUIRE_CLIENT_BENCH_CSV_RECORDS_H_

#include <csv.h>

#include <memory>
#include <string>
#include <string_view>

#include "client/bench/byte_source.h"
#include "client/bench/record_source.h"

namespace quire {
namespace bench {

class CsvRecords : public RecordSource {
 public:
  CsvRecords(std::unique_ptr<ByteSource> bytes, const InputOptions& options);
  ~CsvRecords() override;
  CsvRecords(const CsvRecords&) = delete;
  CsvRecords& operator=(const CsvRecords&) = delete;

  // 22 not CSV; 21 ragged row, key longer than KEYLEN, row too long: all with the row number.
  absl::StatusOr<bool> Next(std::string* record) override;
  std::string_view noun() const override { return "row"; }

 private:
  static void OnField(void* text, size_t bytes, void* self);
  static void OnRow(int terminator, void* self);

  // Feeds the parser up to and including the next CR or LF, or to the end of the buffer.
  absl::Status FeedPiece();
  absl::Status Finish();
  absl::StatusOr<bool> MakeRecord(std::string* record);

  std::unique_ptr<ByteSource> bytes_;
  const InputOptions options_;
  csv_parser parser_;
  std::string buffer_;
  size_t begin_ = 0;  // unread part of buffer_: [begin_, end_)
  size_t end_ = 0;
  bool finished_ = false;

  std::string row_;  // text of the row being read, line end included
  uint64_t row_number_ = 1;
  size_t fields_ = 0;
  size_t expected_fields_ = 0;  // 0 until the first row is complete
  std::string key_;             // at most KEYLEN bytes of it are kept
  size_t key_bytes_ = 0;
  bool row_complete_ = false;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_CSV_RECORDS_H_
