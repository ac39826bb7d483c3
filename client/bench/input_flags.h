// Options about the input, shared by generate and csvload.
#ifndef QUIRE_CLIENT_BENCH_INPUT_FLAGS_H_
#define QUIRE_CLIENT_BENCH_INPUT_FLAGS_H_

#include "absl/status/statusor.h"
#include "client/bench/record_source.h"
#include "client/bench/report_generator.h"

namespace quire {
namespace bench {

// --records, --quick, --seed, --report-lines-min, --report-lines-max.
GeneratorOptions GeneratorFromFlags();

// --input, --csv, --key-column, --key-length, --rec. The path is empty when neither file is given:
// the caller makes a text of GeneratorFromFlags. 22 when both are.
absl::StatusOr<InputOptions> InputFromFlags();

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_INPUT_FLAGS_H_
