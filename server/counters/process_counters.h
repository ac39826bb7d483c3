// What the kernel knows of this process, as PROCESS counters: CPU time, context switches, run-queue
// wait, page faults, resident memory. Sources: getrusage(2), /proc/self/stat, status, and
// /proc/self/task/*/{schedstat,sched}.
#ifndef QUIRE_SERVER_COUNTERS_PROCESS_COUNTERS_H_
#define QUIRE_SERVER_COUNTERS_PROCESS_COUNTERS_H_

#include "server/counters/counters.h"

namespace quire {

// Fills the PROCESS counters of `set` with the process's totals so far. Run-queue wait and core
// switches are sums over the threads alive now; those a kernel does not offer stay 0. Reads a few
// small files per thread: some 100 us.
void ReadProcessCounters(CounterSet* set);

// RssAnon + RssShmem in bytes: what "memory" means in all limits (R-D5).
int64_t AnonymousMemoryBytes();

}  // namespace quire

#endif  // QUIRE_SERVER_COUNTERS_PROCESS_COUNTERS_H_
