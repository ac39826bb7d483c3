// The table of system calls that a volume server makes on its files, each with the ways in which it
// can fail and the state that the volume must end in. server/volume/FAILURES.md has the same rows.
#ifndef QUIRE_TESTS_FAULT_FAILING_CALL_H_
#define QUIRE_TESTS_FAULT_FAILING_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fault/fault_control.h"

namespace quire::test {

enum class FailsWhen {
  kFirstStart,  // of a new volume
  kStart,       // after a kill, so that there is something to recover
  kRunning,     // under changes and control points
  kStop,        // after SIGTERM
};

enum class EndState {
  kUnharmed,    // nobody notices
  kNoRoom,      // 43 before anything changed; goes on by itself when there is room again
  kLatched,     // 66 for everything, exit code 10
  kNotStarted,  // exit code 3
};

struct FailingCall {
  std::string name;
  FailsWhen when;
  test::FaultCall call;
  std::string path_end;
  int32_t effect;
  EndState end;
  bool lasts = false;  // all calls from the first on, not only one
  uint64_t least_bytes = 0;
  uint64_t most_bytes = 0;
};

// How the page writes it: "latched".
std::string EndStateWord(EndState end);
std::string FailsWhenWord(FailsWhen when);

// One row per call, error and time.
std::vector<FailingCall> AllFailingCalls();

}  // namespace quire::test

#endif  // QUIRE_TESTS_FAULT_FAILING_CALL_H_
