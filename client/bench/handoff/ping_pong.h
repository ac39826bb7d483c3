// What it costs to hand work from one thread to another and wait for it to come back, by the
// primitive that wakes: two threads take turns.
#ifndef QUIRE_CLIENT_BENCH_HANDOFF_PING_PONG_H_
#define QUIRE_CLIENT_BENCH_HANDOFF_PING_PONG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace quire {
namespace bench {

struct HandoffCost {
  double elapsed_us = 0;  // of one hand-off: half a turn to and fro
  double cpu_us = 0;      // of the whole process meanwhile
};

struct HandoffWay {
  std::string name;
  // That many turns to and fro, at least one.
  std::function<HandoffCost(uint64_t turns)> run;
};

// Every primitive, post and wait in calls of their own; where one call (or one hold of the mutex)
// can do both, that as well, with "joined" in its name.
std::vector<HandoffWay> HandoffWays();

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_HANDOFF_PING_PONG_H_
