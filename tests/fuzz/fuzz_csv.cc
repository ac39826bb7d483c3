// The inputs of quire-bench csvload: arbitrary bytes as CSV rows and as report text. Every record
// has its full length, every error its number; nothing runs away.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "client/bench/byte_source.h"
#include "client/bench/csv_records.h"
#include "client/bench/report_records.h"
#include "quire/error.h"
#include "server/base/check.h"

namespace {

constexpr uint32_t kRecordBytes = 300;
constexpr uint32_t kKeyBytes = 11;

// Reads to the end or the first error.
void Drain(quire::bench::RecordSource* source) {
  std::string record;
  for (;;) {
    const absl::StatusOr<bool> more = source->Next(&record);
    if (!more.ok()) {
      const quire::ErrorNumber number = quire::NumberOf(more.status());
      QUIRE_CHECK(number == quire::ErrorNumber::kIllegalCount ||
                  number == quire::ErrorNumber::kBadParameter);
      QUIRE_CHECK(!more.status().message().empty());
      return;
    }
    if (!*more) return;
    QUIRE_CHECK(record.size() == kRecordBytes);
  }
}

// Gives out a few bytes at a time, so that every boundary is met.
class SmallReads : public quire::bench::ByteSource {
 public:
  SmallReads(std::string_view bytes, size_t step)
      : inner_(quire::bench::MemoryBytes(bytes)), step_(step) {}
  absl::StatusOr<size_t> Read(char* buffer, size_t room) override {
    return inner_->Read(buffer, std::min(room, step_));
  }
  size_t position() const override { return inner_->position(); }
  size_t size() const override { return inner_->size(); }

 private:
  std::unique_ptr<quire::bench::ByteSource> inner_;
  const size_t step_;
};

}  // namespace

// First byte: key column (low bits) and read size.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);
  const uint32_t column = 1 + data[0] % 4;
  const size_t step = 1 + data[0] / 4;
  quire::bench::CsvRecords rows(std::make_unique<SmallReads>(text, step),
                                {.path = "",
                                 .csv = true,
                                 .key_column = column,
                                 .key_length = kKeyBytes,
                                 .record_bytes = kRecordBytes});
  Drain(&rows);
  quire::bench::ReportRecords blocks(std::make_unique<SmallReads>(text, step), kRecordBytes);
  Drain(&blocks);
  return 0;
}
