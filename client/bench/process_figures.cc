#include "client/bench/process_figures.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr absl::Duration kSampleInterval = absl::Milliseconds(50);
constexpr uint64_t kStatBlockBytes = 512;  // unit of st_blocks, whatever the file system

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Time all threads of this process spent waiting for a core (second field of schedstat, ns).
double RunQueueWaitSeconds() {
  uint64_t total_ns = 0;
  std::error_code failed;
  for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task", failed)) {
    std::ifstream file(thread.path() / "schedstat");
    uint64_t running_ns = 0;
    uint64_t waiting_ns = 0;
    if (file >> running_ns >> waiting_ns) total_ns += waiting_ns;
  }
  return static_cast<double>(total_ns) / 1e9;
}

uint64_t KilobytesAfter(std::string_view text, std::string_view name) {
  const size_t at = text.find(name);
  if (at == std::string_view::npos) return 0;
  size_t digits = at + name.size();
  while (digits < text.size() && (text[digits] == ' ' || text[digits] == '\t')) ++digits;
  uint64_t value = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), value);
  return value;
}

}  // namespace

ProcessFigures OwnProcess() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  ProcessFigures figures;
  figures.cpu_busy_s = Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
  figures.dispatches = usage.ru_nvcsw + usage.ru_nivcsw;
  figures.ready_s = figures.cpu_busy_s + RunQueueWaitSeconds();
  return figures;
}

ProcessFigures operator-(const ProcessFigures& end, const ProcessFigures& start) {
  return {.cpu_busy_s = end.cpu_busy_s - start.cpu_busy_s,
          .dispatches = end.dispatches - start.dispatches,
          // Threads that ended in between took their waiting time with them.
          .ready_s = std::max(end.ready_s - start.ready_s, 0.0)};
}

uint64_t PrivateBytesOf(std::string_view status_text) {
  return (KilobytesAfter(status_text, "RssAnon:") + KilobytesAfter(status_text, "RssShmem:")) << 10;
}

uint64_t PrivateBytes(pid_t pid) {
  std::ifstream file(StrCat("/proc/", pid, "/status"));
  std::ostringstream text;
  text << file.rdbuf();
  return PrivateBytesOf(text.str());
}

uint64_t DirectoryBytes(const std::string& directory) {
  uint64_t total = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(directory, failed), end; !failed && at != end;
       at.increment(failed)) {
    struct stat status = {};
    if (lstat(at->path().c_str(), &status) == 0) {
      total += static_cast<uint64_t>(status.st_blocks) * kStatBlockBytes;
    }
  }
  return total;
}

class MemorySampler::Worker {
 public:
  explicit Worker(std::vector<pid_t> pids) : pids_(std::move(pids)), thread_([this] { Run(); }) {}

  uint64_t Finish() {
    {
      absl::MutexLock lock(&mutex_);
      finished_ = true;
    }
    thread_.join();
    return peak_bytes_;
  }

 private:
  void Run() {
    for (;;) {
      uint64_t sum = 0;
      for (pid_t pid : pids_) sum += PrivateBytes(pid);
      peak_bytes_ = std::max(peak_bytes_, sum);
      absl::MutexLock lock(&mutex_);
      if (sampled_last_) return;
      sampled_last_ = mutex_.AwaitWithTimeout(absl::Condition(&finished_), kSampleInterval);
    }
  }

  const std::vector<pid_t> pids_;
  absl::Mutex mutex_;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  bool sampled_last_ = false;  // of the thread: the next sample is the last
  uint64_t peak_bytes_ = 0;    // of the thread until it is joined
  std::thread thread_;         // last: starts when the rest is made
};

MemorySampler::MemorySampler(std::vector<pid_t> pids)
    : worker_(std::make_unique<Worker>(std::move(pids))) {}

MemorySampler::~MemorySampler() {
  if (worker_ != nullptr) worker_->Finish();
}

uint64_t MemorySampler::Finish() {
  const uint64_t peak = worker_->Finish();
  worker_.reset();
  return peak;
}

}  // namespace bench
}  // namespace quire
