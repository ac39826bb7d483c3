// Whether keeping data blocks of one size pays: what files with LOOKASIDE ask at each fetch.
//
// Of every kSampleEvery-th fetch the caller says what it cost beside looking for the block. A fetch
// that finds its block costs `cached`; one that does not costs `kept`, or `bypassed` when its block
// is not to be kept: half of the sampled misses are such, so that both are known while blocks are
// kept. Where nearly all is found, a few blocks are let go, so that misses can be measured. Per
// fetch, keeping gains
//
//   benefit = hit ratio x (bypassed - cached) - (1 - hit ratio) x (kept - bypassed + unseen)
//
// where unseen, kUnseen of a store fetch, stands for what no sample shows: the block that had to
// go, and what a copy into memory not lately used drives out of the processor's caches. The benefit
// is judged by the window of kWindow fetches. While the cache still fills, the hit ratio to come is
// not known and counts as 1. Two windows in a row that lose more than kMargin of a store fetch end
// the keeping. What keeping lost is then the price of finding out: it is tried again when this is
// less than kTrialShare of what fetches cost meanwhile, and not before kRestWindows.
//
// Threads: the disc process role.
#ifndef QUIRE_SERVER_CACHE_KEEP_POLICY_H_
#define QUIRE_SERVER_CACHE_KEEP_POLICY_H_

#include <cstdint>

namespace quire {

enum class FetchKind : uint8_t {
  kCached,
  kKept,
  kBypassed,
};

class KeepPolicy {
 public:
  static constexpr uint32_t kSampleEvery = 64;
  static constexpr uint32_t kWindow = 4096;                   // fetches
  static constexpr uint32_t kFewestSamples = 8;               // of a kind, to be believed
  static constexpr uint32_t kMostLetGo = 2 * kFewestSamples;  // in a window
  static constexpr uint32_t kRestWindows = 8;
  static constexpr double kMargin = 0.02;
  // By `quire-bench lookaside`: where 6 % of the data blocks were found, reads were 7 to 10 %
  // slower than without keeping, and the samples saw a gain.
  static constexpr double kUnseen = 0.10;
  static constexpr double kTrialShare = 0.01;

  bool keeping() const { return keeping_; }

  // To be asked once for each fetch, when it is known which it is: whether to measure it.
  bool SampleHit() { return ++sampled_hits_ % kSampleEvery == 0; }
  bool SampleMiss();
  // Of a sampled hit: whether to let its block go, so that a miss can be measured.
  bool LetGo();
  // Of a fetch that missed: whether its block is kept.
  bool KeepMiss(bool sampled);
  // What a fetch was. `evicting`: the cache is full. May change keeping().
  void Count(bool hit, bool evicting);
  // What a sampled fetch cost.
  void AddSample(FetchKind kind, int64_t nanoseconds);

  // Changes of keeping().
  int64_t decisions() const { return decisions_; }
  // Estimates per fetch; 0: not known yet.
  double cached_ns() const { return cached_.ns; }
  double kept_ns() const { return kept_.ns; }
  double bypassed_ns() const { return bypassed_.ns; }

 private:
  // A mean that follows: every kFewestSamples or more give a quarter of it.
  struct Estimate {
    double ns = 0;
    int64_t sum_ns = 0;  // of the samples not yet in it
    uint32_t samples = 0;
    // Of each kFewestSamples the dearest is left out: the thread may have lost its core meanwhile.
    int64_t group_sum_ns = 0;
    int64_t group_most_ns = 0;
    uint32_t group = 0;

    void Add(int64_t sample_ns);
    void Renew();
  };

  void Judge();
  double Benefit(double hit_ratio) const;

  bool keeping_ = true;
  bool bypass_sample_ = false;
  bool evicting_ = false;      // in this window
  uint32_t sampled_hits_ = 0;  // these two wrap around
  uint32_t sampled_misses_ = 0;
  uint32_t let_go_ = 0;            // in this window
  uint32_t misses_to_sample_ = 0;  // of blocks let go
  uint32_t in_window_ = 0;
  uint32_t hits_ = 0;
  uint32_t losing_windows_ = 0;
  uint32_t resting_windows_ = 0;
  double lost_ns_ = 0;   // by keeping, since it last began or gained
  double spent_ns_ = 0;  // on fetches since it ended
  int64_t decisions_ = 0;
  Estimate cached_;
  Estimate kept_;
  Estimate bypassed_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_KEEP_POLICY_H_
