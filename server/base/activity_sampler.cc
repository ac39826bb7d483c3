#include "server/base/activity_sampler.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "quire/text.h"
#include "server/base/thread_timer.h"

namespace quire {
namespace {

// Shorter than any tick of the kernel, which is what paces the samples: a thread that a tick meets
// is sampled then, however little it ran since the last one.
constexpr int64_t kPeriodNanos = 500'000;

std::array<std::atomic<uint64_t>, kActivities> counts;
std::atomic<bool> running = false;

// On the thread it interrupts; nothing here may take a lock or allocate.
void CountSample(int) {
  counts[static_cast<size_t>(CurrentActivity())].fetch_add(1, std::memory_order_relaxed);
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

ActivitySamples Now() {
  ActivitySamples now;
  for (size_t i = 0; i < kActivities; ++i) now.counts[i] = counts[i].load();
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  now.user_s = Seconds(usage.ru_utime);
  now.kernel_s = Seconds(usage.ru_stime);
  return now;
}

std::set<pid_t> ThreadIds() {
  std::set<pid_t> ids;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return ids;
  while (const dirent* entry = readdir(tasks)) {
    if (const int id = std::atoi(entry->d_name); id > 0) ids.insert(id);
  }
  closedir(tasks);
  return ids;
}

// The processor clock of any thread of the process, as the kernel numbers them (clock_getres(2)
// names only one's own; pthread_getcpuclockid makes the same number of a pthread_t).
clockid_t ClockOf(pid_t thread) {
  constexpr int kScheduled = 2;
  constexpr int kPerThread = 4;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | kPerThread | kScheduled);
}

}  // namespace

// The timers, and the thread that keeps them up to date.
class ActivitySampler::Threads {
 public:
  Threads() { Look(); }
  ~Threads() {
    {
      MutexLock lock(&mutex_);
      ending_ = true;
      wakes_.Signal();
    }
    if (thread_.joinable()) thread_.join();
    for (const auto& [thread, timer] : timers_) timer_delete(timer);
  }

  bool any() const { return !timers_.empty(); }
  void Run() {
    thread_ = std::thread([this] { Loop(); });
  }

 private:
  void Loop() {
    for (;;) {
      {
        MutexLock lock(&mutex_);
        if (!ending_) wakes_.WaitForMicros(&mutex_, kLookMillis * 1000);
        if (ending_) return;
      }
      Look();
    }
  }

  // Of the constructor, then of the thread.
  void Look() {
    const std::set<pid_t> alive = ThreadIds();
    std::erase_if(timers_, [&alive](const auto& timer) {
      if (alive.contains(timer.first)) return false;
      timer_delete(timer.second);
      return true;
    });
    for (const pid_t thread : alive) {
      if (timers_.contains(thread)) continue;
      const std::optional<timer_t> timer =
          StartThreadTimer(thread, ClockOf(thread), SIGPROF, kPeriodNanos);
      if (timer.has_value()) timers_.emplace(thread, *timer);  // else it has ended
    }
  }

  std::map<pid_t, timer_t> timers_;
  Mutex mutex_;
  CondVar wakes_;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

uint64_t ActivitySamples::total() const {
  uint64_t sum = 0;
  for (const uint64_t count : counts) sum += count;
  return sum;
}

double ActivitySamples::SecondsOf(Activity activity) const {
  if (total() == 0) return 0;
  const auto count = static_cast<double>(counts[static_cast<size_t>(activity)]);
  return (user_s + kernel_s) * count / static_cast<double>(total());
}

ActivitySamples operator-(const ActivitySamples& end, const ActivitySamples& start) {
  ActivitySamples difference = end;
  for (size_t i = 0; i < kActivities; ++i) difference.counts[i] -= start.counts[i];
  difference.user_s -= start.user_s;
  difference.kernel_s -= start.kernel_s;
  return difference;
}

std::string ActivityJson(const ActivitySamples& samples) {
  std::string json = StrCat("{\"user_s\": ", samples.user_s, ", \"kernel_s\": ", samples.kernel_s,
                            ", \"samples\": {");
  for (size_t i = 0; i < kActivities; ++i) {
    StrAppend(&json, i == 0 ? "" : ", ", "\"", kActivityNames[i], "\": ", samples.counts[i]);
  }
  return StrCat(json, "}}");
}

std::unique_ptr<ActivitySampler> ActivitySampler::Start() {
  if (running.exchange(true)) return nullptr;
  struct sigaction action = {};
  action.sa_handler = CountSample;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  std::unique_ptr<ActivitySampler> sampler(new ActivitySampler());
  if (!sampler->threads_->any()) return nullptr;
  sampler->threads_->Run();
  return sampler;
}

ActivitySampler::ActivitySampler() : threads_(std::make_unique<Threads>()), start_(Now()) {}

ActivitySampler::~ActivitySampler() {
  running = false;
}

ActivitySamples ActivitySampler::Take() const {
  ActivitySamples taken = Now();
  for (size_t i = 0; i < kActivities; ++i) taken.counts[i] -= start_.counts[i];
  return taken;
}

}  // namespace quire
