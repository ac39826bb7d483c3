// Elapsed time of a piece of work.
#ifndef QUIRE_CLIENT_BENCH_PEERS_STOPWATCH_H_
#define QUIRE_CLIENT_BENCH_PEERS_STOPWATCH_H_

#include <chrono>

namespace quire {
namespace bench {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_STOPWATCH_H_
