// Reading mapped memory that damage may have led anywhere. LMDB follows page numbers and offsets as
// they stand in its file: in a damaged or shortened one they can point beyond the end of the file
// or of the map, its own assertions end the program, and its binary search goes on for ever in a
// page whose count of keys is none. Inspection must go on instead.
#ifndef QUIRE_SERVER_MAIN_INSPECT_GUARD_H_
#define QUIRE_SERVER_MAIN_INSPECT_GUARD_H_

#include "absl/functional/function_ref.h"

namespace quire {

// Runs `read` and answers true; false when it was left half way, because it touched memory that is
// not there (SIGBUS, SIGSEGV), because LeaveGuard was called in it, or because it has used 0.1 s of
// processor time (it has then used at most 0.2; what it is for takes microseconds). Nothing that
// has a destructor may live in `read` then: plain calls and copies only, of data that may be left
// as it is. Any thread; does not nest. Takes those two signals and SIGVTALRM over for the process;
// outside of a guard the two end it as before.
bool Guarded(absl::FunctionRef<void()> read);

// Ends the guarded call under way on this thread; outside of one, the program.
[[noreturn]] void LeaveGuard();

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_GUARD_H_
