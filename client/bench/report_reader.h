// Reads a MEASURE report text block by block, in bounded memory.
//
// Rows are read by their words, not by their columns, so that text whose runs of blanks were
// collapsed on the way (mail, web pages) reads the same. A word that starts with a capital is a
// label; one that starts with a digit is the value of the label before it and is followed by its
// unit. Blocks begin with an entity line ("Process …" or "Discopen …"), then the identity line
// ("CPU cc Pin pp Interval nnnnnnn" or "Opener cc,pp … Interval nnnnnnn"), then "Local System …",
// and end at a blank line or at the end of the text. LF and CRLF line ends are both taken.
//
// Every departure from this is error 22 with the line number.
#ifndef QUIRE_CLIENT_BENCH_REPORT_READER_H_
#define QUIRE_CLIENT_BENCH_REPORT_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bench/byte_source.h"
#include "client/bench/report_block.h"

namespace quire {
namespace bench {

inline constexpr size_t kMaxReportLineBytes = 512;
inline constexpr size_t kMaxBlockItems = 512;

// Not thread safe. After an error or the end, only destroying it makes sense.
class ReportReader {
 public:
  explicit ReportReader(std::unique_ptr<ByteSource> bytes);

  // Fills `block`, whose views live until the next call; false at the end of the text.
  absl::StatusOr<bool> Next(ReportBlock* block);
  const ByteSource& bytes() const { return *bytes_; }

 private:
  absl::StatusOr<bool> NextLine(std::string_view* line);
  absl::Status ReadRow(std::string_view line, ReportBlock* block);
  absl::Status ReadIdentity(std::string_view line, ReportBlock* block);
  std::string_view Keep(std::string_view word);

  std::unique_ptr<ByteSource> bytes_;
  std::string buffer_;
  size_t begin_ = 0;  // unread part of buffer_: [begin_, end_)
  size_t end_ = 0;
  bool exhausted_ = false;
  uint64_t line_ = 0;
  // Words of the current block. Never grows beyond its capacity, so views into it stay good.
  std::string words_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_REPORT_READER_H_
