// What quire-inspect does with its words: one volume, one command, text out.
#ifndef QUIRE_SERVER_MAIN_INSPECT_COMMAND_H_
#define QUIRE_SERVER_MAIN_INSPECT_COMMAND_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace quire {

struct InspectRequest {
  std::string directory;           // of the volume
  std::string trail_directory;     // empty: the folder "trail" of it
  std::vector<std::string> words;  // the command; empty: "meta", then "files"
  bool hex = false;                // block, meta: all bytes too
  bool snapshot = false;           // also beside a running server (inspect_store.h)
};

// Runs the command and prints to `out`. The number of faults found: of `check`, all; of the others,
// those met. Errors: 11 no such file or block, 12 served now and no
// snapshot wanted, 22 no such command, 59, 66.
absl::StatusOr<uint64_t> Inspect(const InspectRequest& request, std::ostream& out);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_COMMAND_H_
