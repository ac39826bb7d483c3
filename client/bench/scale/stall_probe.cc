#include "client/bench/scale/stall_probe.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "client/bench/latency_figures.h"

namespace quire {
namespace bench {
namespace {

// Rare enough to cost the load nothing, dense enough to meet every stall worth the name.
constexpr absl::Duration kPause = absl::Milliseconds(2);

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

double StallProbe::Latencies::LongestMs() const {
  return ns.empty() ? 0 : static_cast<double>(*std::max_element(ns.begin(), ns.end())) / 1e6;
}

double StallProbe::Latencies::P99Ms() const {
  std::vector<int64_t> sorted = ns;
  return ns.empty() ? 0 : static_cast<double>(Percentile(&sorted, 0.99)) / 1e6;
}

class StallProbe::Worker {
 public:
  explicit Worker(std::vector<Request> requests)
      : requests_(std::move(requests)), latencies_(requests_.size()), thread_([this] { Run(); }) {}

  absl::StatusOr<std::vector<Latencies>> Finish() {
    {
      absl::MutexLock lock(&mutex_);
      finished_ = true;
    }
    thread_.join();
    if (!status_.ok()) return status_;
    return std::move(latencies_);
  }

 private:
  void Run() {
    for (size_t turn = 0; status_.ok(); turn = (turn + 1) % requests_.size()) {
      const int64_t begun = NowNanos();
      status_ = requests_[turn]();
      latencies_[turn].ns.push_back(NowNanos() - begun);
      absl::MutexLock lock(&mutex_);
      if (mutex_.AwaitWithTimeout(absl::Condition(&finished_), kPause)) return;
    }
  }

  const std::vector<Request> requests_;
  std::vector<Latencies> latencies_;  // of the thread until it is joined, as is status_
  absl::Status status_;
  absl::Mutex mutex_;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: starts when the rest is made
};

StallProbe::StallProbe(std::vector<Request> requests)
    : worker_(std::make_unique<Worker>(std::move(requests))) {}

StallProbe::~StallProbe() {
  if (worker_ != nullptr) worker_->Finish().status().IgnoreError();
}

absl::StatusOr<std::vector<StallProbe::Latencies>> StallProbe::Finish() {
  absl::StatusOr<std::vector<Latencies>> latencies = worker_->Finish();
  worker_.reset();
  return latencies;
}

}  // namespace bench
}  // namespace quire
