#include "client/bench/csv_records.h"

#include <algorithm>

#include "client/bench/errors.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kBufferBytes = 64 << 10;

// libcsv trims blanks around unquoted fields unless told that nothing is a blank.
int NothingIsSpace(unsigned char) {
  return 0;
}

bool IsLineEnd(char c) {
  return c == '\n' || c == '\r';
}

}  // namespace

CsvRecords::CsvRecords(std::unique_ptr<ByteSource> bytes, const InputOptions& options)
    : bytes_(std::move(bytes)), options_(options) {
  csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI);
  csv_set_space_func(&parser_, NothingIsSpace);
  buffer_.resize(kBufferBytes);
}

CsvRecords::~CsvRecords() {
  csv_free(&parser_);
}

void CsvRecords::OnField(void* text, size_t bytes, void* self) {
  auto* records = static_cast<CsvRecords*>(self);
  ++records->fields_;
  if (records->fields_ != records->options_.key_column) return;
  records->key_bytes_ = bytes;
  records->key_.assign(static_cast<const char*>(text),
                       std::min<size_t>(bytes, records->options_.key_length));
}

void CsvRecords::OnRow(int, void* self) {
  static_cast<CsvRecords*>(self)->row_complete_ = true;
}

absl::Status CsvRecords::FeedPiece() {
  const auto from = buffer_.begin() + static_cast<ptrdiff_t>(begin_);
  const auto to = buffer_.begin() + static_cast<ptrdiff_t>(end_);
  auto piece_end = std::find_if(from, to, IsLineEnd);
  if (piece_end != to) ++piece_end;
  const size_t piece_bytes = static_cast<size_t>(piece_end - from);
  // Between rows a lone line end is an empty line, or the LF of a CRLF.
  if (row_.empty() && piece_bytes == 1 && IsLineEnd(*from)) {
    begin_ += 1;
    return absl::OkStatus();
  }
  const size_t parsed =
      csv_parse(&parser_, buffer_.data() + begin_, piece_bytes, OnField, OnRow, this);
  if (parsed != piece_bytes) {
    return DamagedCsv(row_number_, csv_strerror(csv_error(&parser_)));
  }
  row_.append(buffer_, begin_, piece_bytes);
  begin_ += piece_bytes;
  const size_t line_end_bytes = row_complete_ ? 1 : 0;
  const size_t room = options_.record_bytes - options_.key_length;
  if (row_.size() - line_end_bytes > room) {
    return RowTooLong(row_number_, row_.size() - line_end_bytes, room);
  }
  return absl::OkStatus();
}

absl::Status CsvRecords::Finish() {
  finished_ = true;
  if (csv_fini(&parser_, OnField, OnRow, this) != 0) {
    return DamagedCsv(row_number_, "the file ends inside a quoted field");
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> CsvRecords::MakeRecord(std::string* record) {
  if (expected_fields_ == 0) {
    expected_fields_ = fields_;
    if (options_.key_column > fields_) return KeyColumnMissing(options_.key_column, fields_);
  }
  if (fields_ != expected_fields_) return RaggedRow(row_number_, fields_, expected_fields_);
  if (key_bytes_ > options_.key_length) {
    return KeyTooLong(row_number_, options_.key_column, key_bytes_, options_.key_length);
  }
  if (!row_.empty() && IsLineEnd(row_.back())) row_.pop_back();
  record->assign(key_);
  record->resize(options_.key_length, ' ');
  record->append(row_);
  record->resize(options_.record_bytes, ' ');
  row_.clear();
  fields_ = 0;
  row_complete_ = false;
  ++row_number_;
  return true;
}

absl::StatusOr<bool> CsvRecords::Next(std::string* record) {
  while (!row_complete_) {
    if (finished_) return false;
    if (begin_ == end_) {
      absl::StatusOr<size_t> got = bytes_->Read(buffer_.data(), buffer_.size());
      if (!got.ok()) return got.status();
      begin_ = 0;
      end_ = *got;
      if (*got == 0) {
        if (absl::Status done = Finish(); !done.ok()) return done;
        continue;
      }
    }
    if (absl::Status fed = FeedPiece(); !fed.ok()) return fed;
  }
  return MakeRecord(record);
}

}  // namespace bench
}  // namespace quire
