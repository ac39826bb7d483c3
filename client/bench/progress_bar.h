// One line on a terminal that shows how far a long step is. Writes nothing when standard error is
// not a terminal.
#ifndef QUIRE_CLIENT_BENCH_PROGRESS_BAR_H_
#define QUIRE_CLIENT_BENCH_PROGRESS_BAR_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace quire {
namespace bench {

// "A pipelined: writing  [=====>        ]  41 %  55,377 of 135,065  2,950/s". `total` 0: without
// bar and per cent.
std::string ProgressLine(std::string_view step, uint64_t done, uint64_t total, double seconds);

// Not thread safe.
class ProgressBar {
 public:
  // `shown` decides; IsTerminal() says what is usual.
  explicit ProgressBar(bool shown) : shown_(shown) {}
  ~ProgressBar() { Clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  static bool IsTerminal();

  void Start(std::string_view step, uint64_t total);
  // Cheap: draws about ten times a second.
  void Show(uint64_t done);
  // Takes the line away.
  void Clear();

 private:
  const bool shown_;
  std::string step_;
  uint64_t total_ = 0;
  absl::Time started_;
  absl::Time next_draw_;
  bool drawn_ = false;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PROGRESS_BAR_H_
