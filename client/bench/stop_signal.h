// Ctrl-C and SIGTERM as a flag that loops look at, so that servers are stopped in good order. A
// second signal ends the program at once.
#ifndef QUIRE_CLIENT_BENCH_STOP_SIGNAL_H_
#define QUIRE_CLIENT_BENCH_STOP_SIGNAL_H_

namespace quire {
namespace bench {

// Process-wide; call once from main.
void WatchStopSignals();
// Any thread.
bool StopRequested();

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_STOP_SIGNAL_H_
