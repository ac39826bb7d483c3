#include "client/bench/read_back.h"

#include <algorithm>
#include <memory>

#include "client/bench/errors.h"
#include "client/bench/report_block.h"
#include "client/bench/stop_signal.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

bool IsArticleKey(uint64_t n, std::string_view record) {
  constexpr size_t kPrefixDigits = kCpuDigits + kPinDigits;
  if (record.size() < kReportKeyBytes || record.substr(0, kCpuDigits) != "00") return false;
  uint64_t number = 0;
  for (char c : record.substr(kCpuDigits, kReportKeyBytes - kCpuDigits)) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<uint64_t>(c - '0');
  }
  static_assert(kPrefixDigits + kIntervalDigits == kReportKeyBytes);
  constexpr uint64_t kIntervals = 10'000'000;
  return number == (n % kPinLimit) * kIntervals + n / kPinLimit;
}

}  // namespace

absl::StatusOr<ExpectedRecords> ExpectedRecords::Read(RecordSource* source, uint32_t key_offset,
                                                      uint32_t key_length) {
  ExpectedRecords expected;
  expected.key_offset_ = key_offset;
  expected.key_length_ = key_length;
  std::string record;
  for (;;) {
    absl::StatusOr<bool> more = source->Next(&record);
    if (!more.ok()) return more.status();
    if (!*more) break;
    if (expected.in_article_order_ && !IsArticleKey(expected.size(), record)) {
      expected.in_article_order_ = false;
    }
    // The key is kept whole, blanks and all.
    const size_t key_end = std::min<size_t>(record.size(), key_offset + key_length);
    const size_t last = record.find_last_not_of(' ');
    const size_t text_bytes = std::max(key_end, last == std::string::npos ? 0 : last + 1);
    expected.places_.push_back({.offset = expected.text_.size(),
                                .text_bytes = static_cast<uint32_t>(text_bytes),
                                .record_bytes = static_cast<uint32_t>(record.size())});
    expected.text_.append(record, 0, text_bytes);
    if (StopRequested()) return Interrupted();
  }
  const std::string_view text = expected.text_;
  std::stable_sort(expected.places_.begin(), expected.places_.end(),
                   [&](const Place& left, const Place& right) {
                     return text.substr(left.offset + key_offset, key_length) <
                            text.substr(right.offset + key_offset, key_length);
                   });
  return expected;
}

bool ExpectedRecords::Matches(uint64_t i, std::string_view record) const {
  const Place& place = places_[i];
  if (record.size() != place.record_bytes) return false;
  const std::string_view text = std::string_view(text_).substr(place.offset, place.text_bytes);
  return record.substr(0, text.size()) == text &&
         record.find_first_not_of(' ', text.size()) == std::string_view::npos;
}

std::string ExpectedRecords::KeyOf(uint64_t i) const {
  return text_.substr(places_[i].offset + key_offset_, key_length_);
}

absl::StatusOr<ReadBackResult> CompareWithFile(const ExpectedRecords& expected, File* file,
                                               absl::FunctionRef<bool(uint64_t done)> progress) {
  ReadBackResult result;
  const std::unique_ptr<Scanner> scanner = file->Scan({});
  for (;;) {
    const absl::StatusOr<std::string_view> record = scanner->Next();
    if (NumberOf(record.status()) == ErrorNumber::kEndOfFile) break;
    if (!record.ok()) return record.status();
    if (result.records == expected.size()) {
      result.difference =
          StrCat("the file holds more than the ", expected.size(), " records of the input");
      return result;
    }
    if (!expected.Matches(result.records, *record)) {
      result.difference = StrCat("record ", result.records + 1, " in key order (key '",
                                 expected.KeyOf(result.records), "') differs from the input");
      return result;
    }
    ++result.records;
    if (StopRequested() || !progress(result.records)) return Interrupted();
  }
  result.verified = result.records == expected.size();
  if (!result.verified) {
    result.difference =
        StrCat("the file ends after ", result.records, " of ", expected.size(), " records");
  }
  return result;
}

}  // namespace bench
}  // namespace quire
