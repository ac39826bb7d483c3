// The CSV line the article's program makes of a report block.
//
// Three empty fields first, then item after item in report order, every field followed by its
// comma: "label,value," for an item with a value (unit dropped, thousands commas become full
// stops), three empty fields ",,," for a blank one. So lines end in a varying run of commas, and
// both lines the article prints come out of blocks with one and two blank items at the end.
#ifndef QUIRE_CLIENT_BENCH_CSV_LINE_H_
#define QUIRE_CLIENT_BENCH_CSV_LINE_H_

#include <string>

#include "client/bench/report_block.h"

namespace quire {
namespace bench {

void AppendCsvLine(const ReportBlock& block, std::string* out);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_CSV_LINE_H_
