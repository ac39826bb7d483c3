#include "server/cache/keep_policy.h"

#include <algorithm>

namespace quire {

bool KeepPolicy::SampleMiss() {
  if (misses_to_sample_ == 0) return ++sampled_misses_ % kSampleEvery == 0;
  --misses_to_sample_;
  return true;
}

bool KeepPolicy::LetGo() {
  const bool known = std::min(kept_.samples, bypassed_.samples) > 0;
  if (!keeping_ || known || let_go_ == kMostLetGo) return false;
  ++let_go_;
  ++misses_to_sample_;
  return true;
}

bool KeepPolicy::KeepMiss(bool sampled) {
  if (!keeping_ || !sampled) return keeping_;
  bypass_sample_ = !bypass_sample_;
  return !bypass_sample_;
}

void KeepPolicy::Count(bool hit, bool evicting) {
  hits_ += hit ? 1 : 0;
  evicting_ |= evicting;
  if (++in_window_ < kWindow) return;
  Judge();
  in_window_ = 0;
  hits_ = 0;
  let_go_ = 0;
  evicting_ = false;
}

void KeepPolicy::AddSample(FetchKind kind, int64_t nanoseconds) {
  Estimate& estimate = kind == FetchKind::kCached ? cached_
                       : kind == FetchKind::kKept ? kept_
                                                  : bypassed_;
  estimate.Add(std::max<int64_t>(0, nanoseconds));
}

void KeepPolicy::Estimate::Add(int64_t sample_ns) {
  group_sum_ns += sample_ns;
  group_most_ns = std::max(group_most_ns, sample_ns);
  if (++group < kFewestSamples) return;
  sum_ns += group_sum_ns - group_most_ns;
  samples += group - 1;
  group_sum_ns = 0;
  group_most_ns = 0;
  group = 0;
}

void KeepPolicy::Estimate::Renew() {
  if (samples == 0) return;
  const double mean = static_cast<double>(sum_ns) / samples;
  ns = ns == 0 ? mean : 0.75 * ns + 0.25 * mean;
  sum_ns = 0;
  samples = 0;
}

double KeepPolicy::Benefit(double hit_ratio) const {
  const double keeping_ns = std::max(0.0, kept_.ns - bypassed_.ns) + kUnseen * bypassed_.ns;
  return hit_ratio * (bypassed_.ns - cached_.ns) - (1 - hit_ratio) * keeping_ns;
}

void KeepPolicy::Judge() {
  cached_.Renew();
  kept_.Renew();
  bypassed_.Renew();
  if (!keeping_) {
    spent_ns_ += kWindow * bypassed_.ns;
    if (++resting_windows_ < kRestWindows || spent_ns_ * kTrialShare < lost_ns_) return;
    keeping_ = true;
    ++decisions_;
    losing_windows_ = 0;
    lost_ns_ = 0;
    // What cached fetches cost then may be the very thing that has changed.
    cached_ = Estimate();
    return;
  }
  if (bypassed_.ns == 0) return;
  const double seen = static_cast<double>(hits_) / kWindow;
  const double benefit = Benefit(evicting_ ? seen : 1);
  if (evicting_ && benefit >= 0) lost_ns_ = 0;
  lost_ns_ += kWindow * std::max(0.0, -Benefit(seen));
  losing_windows_ = benefit < -kMargin * bypassed_.ns ? losing_windows_ + 1 : 0;
  if (losing_windows_ < 2) return;
  keeping_ = false;
  ++decisions_;
  resting_windows_ = 0;
  spent_ns_ = 0;
}

}  // namespace quire
