// The test program's own operator new: as always, until one allocation is told to fail.
#ifndef QUIRE_TESTS_FAULT_FAILING_NEW_H_
#define QUIRE_TESTS_FAULT_FAILING_NEW_H_

#include <cstddef>
#include <cstdint>

namespace quire::test {

// The n-th allocation of at least `least_bytes`, of any thread, from now on fails, once (1: the
// next).
void FailAllocation(int64_t n, size_t least_bytes);
// Until the next FailAllocation none fails; what StopFailing tells stays.
void PauseFailing();
// No allocation fails any more; whether one did.
bool StopFailing();

}  // namespace quire::test

#endif  // QUIRE_TESTS_FAULT_FAILING_NEW_H_
