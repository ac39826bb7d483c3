#include "server/counters/process_counters.h"

#include <dirent.h>
#include <sys/resource.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr int kStatPriorityField = 18;  // proc(5), /proc/pid/stat
constexpr int kStatProcessorField = 39;
constexpr int kFieldsBeforeState = 2;  // pid and (comm): comm may hold blanks

int64_t Micros(const timeval& time) {
  return int64_t{time.tv_sec} * 1000000 + time.tv_usec;
}

std::vector<std::string> ThreadDirectories() {
  std::vector<std::string> directories;
  DIR* directory = opendir("/proc/self/task");
  if (directory == nullptr) return directories;
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] != '.') directories.push_back(StrCat("/proc/self/task/", entry->d_name));
  }
  closedir(directory);
  return directories;
}

// schedstat: time on core, time waiting on a run queue (both ns), slices run.
int64_t RunQueueWaitMicros(const std::string& thread) {
  std::ifstream file(thread + "/schedstat");
  int64_t on_core_ns = 0;
  int64_t waiting_ns = 0;
  file >> on_core_ns >> waiting_ns;
  return waiting_ns / 1000;
}

int64_t ValueAfter(const std::string& path, std::string_view label) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(label)) continue;
    const size_t digit = line.find_first_of("0123456789", label.size());
    int64_t value = 0;
    if (digit != std::string::npos) std::istringstream(line.substr(digit)) >> value;
    return value;
  }
  return 0;
}

int64_t StatField(const std::string& stat, int field) {
  const size_t after_name = stat.rfind(')');
  if (after_name == std::string::npos) return 0;
  std::istringstream rest(stat.substr(after_name + 1));
  std::string value;
  for (int i = kFieldsBeforeState; i < field && rest >> value; ++i) {
  }
  int64_t number = 0;
  return absl::SimpleAtoi(value, &number) ? number : 0;
}

}  // namespace

int64_t AnonymousMemoryBytes() {
  return (ValueAfter("/proc/self/status", "RssAnon:") +
          ValueAfter("/proc/self/status", "RssShmem:")) *
         1024;
}

void ReadProcessCounters(CounterSet* set) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const int64_t busy = Micros(usage.ru_utime) + Micros(usage.ru_stime);
  int64_t waiting = 0;
  int64_t switches = 0;
  for (const std::string& thread : ThreadDirectories()) {
    waiting += RunQueueWaitMicros(thread);
    switches += ValueAfter(thread + "/sched", "se.nr_migrations");
  }
  std::ifstream file("/proc/self/stat");
  std::string stat;
  std::getline(file, stat);
  set->Set(Counter::kCpuBusyTime, busy);
  set->Set(Counter::kRunQueueWaitTime, waiting);
  set->Set(Counter::kReadyTime, busy + waiting);
  set->Set(Counter::kDispatches, usage.ru_nvcsw + usage.ru_nivcsw);
  set->Set(Counter::kIpuSwitches, switches);
  set->Set(Counter::kIpuNum, StatField(stat, kStatProcessorField));
  set->Set(Counter::kCurrentPriorityEnd, StatField(stat, kStatPriorityField));
  set->Set(Counter::kPageFaults, usage.ru_minflt + usage.ru_majflt);
  set->Set(Counter::kPresPagesEnd, ValueAfter("/proc/self/status", "VmRSS:") / 4);
}

}  // namespace quire
