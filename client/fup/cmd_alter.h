// ALTER with its verb left out, as the published tuning story has it:
//   FUP $DATA01.MEASURE.OUTFILE, BUFFERED
#ifndef QUIRE_CLIENT_FUP_CMD_ALTER_H_
#define QUIRE_CLIENT_FUP_CMD_ALTER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "client/fup/command.h"

namespace quire {

// The cursor stands at the file name. The command says that it was taken as ALTER when it runs.
absl::StatusOr<std::unique_ptr<FupCommand>> ParseAlterWithoutVerb(TokenCursor& cursor);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_CMD_ALTER_H_
