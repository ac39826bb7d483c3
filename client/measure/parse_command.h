// Text of one command -> MeasureCommand.
#ifndef QUIRE_CLIENT_MEASURE_PARSE_COMMAND_H_
#define QUIRE_CLIENT_MEASURE_PARSE_COMMAND_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/measure/command.h"

namespace quire {
namespace measure {

// `text` is one command, without comments and continuation marks. Null when it says nothing
// (blank, or MEASCOM alone). A pasted prompt "13+" and a leading word MEASCOM are passed over.
// Errors: 22, 21, 13.
absl::StatusOr<std::unique_ptr<MeasureCommand>> ParseCommand(std::string_view text);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_PARSE_COMMAND_H_
