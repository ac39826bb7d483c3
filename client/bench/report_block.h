// One block of a MEASURE report text: one process or open over one interval.
//
// The block names a processor (cpu), a process on it (pin) and the number of the interval. Those
// make the key of its record: cpu (2 digits), pin (2), interval (7). The article's input is one
// processor's hundred processes, reported interval after interval: 100 rising key runs fed in
// turn.
#ifndef QUIRE_CLIENT_BENCH_REPORT_BLOCK_H_
#define QUIRE_CLIENT_BENCH_REPORT_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quire {
namespace bench {

inline constexpr size_t kCpuDigits = 2;
inline constexpr size_t kPinDigits = 2;
inline constexpr size_t kIntervalDigits = 7;
inline constexpr size_t kReportKeyBytes = kCpuDigits + kPinDigits + kIntervalDigits;
inline constexpr size_t kPinLimit = 100;  // pins 00 … 99

// A label with its value as printed ("338,323", "5.12"); blank values (zero counters) are empty.
struct ReportItem {
  std::string_view label;
  std::string_view value;
};

struct ReportBlock {
  uint64_t first_line = 0;        // line number of the entity line, from 1
  std::string key;                // kReportKeyBytes digits
  std::vector<ReportItem> items;  // in report order: row after row, left before right
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_REPORT_BLOCK_H_
