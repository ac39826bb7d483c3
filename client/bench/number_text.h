// Numbers as the reports print them.
#ifndef QUIRE_CLIENT_BENCH_NUMBER_TEXT_H_
#define QUIRE_CLIENT_BENCH_NUMBER_TEXT_H_

#include <cstdint>
#include <string>

namespace quire {
namespace bench {

std::string CountText(int64_t count);                           // "402,047", "-5"
std::string RoundsText(uint32_t rounds);                        // "1 round", "5 rounds"
std::string SecondsText(double seconds);                        // "48.31"
std::string MebibytesText(uint64_t bytes);                      // "512 MiB"
std::string DifferenceText(double measured, double reference);  // "-0.13 %", "0 %", "-" without one

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_NUMBER_TEXT_H_
