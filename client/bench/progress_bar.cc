#include "client/bench/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "client/bench/report_text.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kBarColumns = 30;
constexpr absl::Duration kDrawInterval = absl::Milliseconds(100);

}  // namespace

std::string ProgressLine(std::string_view step, uint64_t done, uint64_t total, double seconds) {
  std::string line(step);
  const std::string rate =
      seconds > 0
          ? StrCat(WithThousands(static_cast<uint64_t>(static_cast<double>(done) / seconds)), "/s")
          : std::string("-");
  if (total == 0) {
    StrAppend(&line, "  ", WithThousands(done), "  ", rate);
    return line;
  }
  const uint64_t shown = std::min(done, total);
  const size_t filled = static_cast<size_t>(shown * kBarColumns / total);
  std::string bar(filled, '=');
  if (filled < kBarColumns) bar.push_back('>');
  bar.resize(kBarColumns, ' ');
  absl::StrAppendFormat(&line, "  [%s] %3d %%  %s of %s  %s", bar, shown * 100 / total,
                        WithThousands(done), WithThousands(total), rate);
  return line;
}

bool ProgressBar::IsTerminal() {
  return isatty(STDERR_FILENO) == 1;
}

void ProgressBar::Start(std::string_view step, uint64_t total) {
  Clear();
  step_ = std::string(step);
  total_ = total;
  started_ = absl::Now();
  next_draw_ = started_;
}

void ProgressBar::Show(uint64_t done) {
  if (!shown_) return;
  const absl::Time now = absl::Now();
  if (now < next_draw_) return;
  next_draw_ = now + kDrawInterval;
  drawn_ = true;
  std::fprintf(stderr, "\r\033[K%s",
               ProgressLine(step_, done, total_, absl::ToDoubleSeconds(now - started_)).c_str());
  std::fflush(stderr);
}

void ProgressBar::Clear() {
  if (!drawn_) return;
  drawn_ = false;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace bench
}  // namespace quire
