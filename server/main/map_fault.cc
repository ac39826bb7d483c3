#include "server/main/map_fault.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "quire/text.h"
#include "server/base/check.h"
#include "server/main/serve.h"
#include "spdlog/spdlog.h"

namespace quire {
namespace {

constexpr uint64_t kEnd = 1;    // the watch ends without a fault
constexpr uint64_t kFault = 2;  // written by the handler
// For the word NOT_SERVING to reach those who watch.
constexpr int kLastWordMs = 200;

// For the handler, which may use little else.
std::atomic<int> fault_descriptor{-1};
std::atomic<uint64_t> fault_address{0};

void OnBusError(int, siginfo_t* information, void*) {
  fault_address.store(reinterpret_cast<uintptr_t>(information->si_addr));
  // Fails only when an earlier fault has filled it.
  [[maybe_unused]] const ssize_t told = write(fault_descriptor.load(), &kFault, sizeof(kFault));
  for (;;) pause();
}

uint64_t NumberIn(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

std::string ReadMaps() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  return text.str();
}

}  // namespace

std::string DescribeMappedByte(const std::string& maps, uint64_t address) {
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string range;
    std::string rights;
    std::string offset;
    std::string device;
    std::string inode;
    std::string path;
    words >> range >> rights >> offset >> device >> inode >> std::ws;
    std::getline(words, path);
    const size_t dash = range.find('-');
    if (dash == std::string::npos || path.empty()) continue;
    const uint64_t begin = NumberIn(std::string_view(range).substr(0, dash));
    const uint64_t end = NumberIn(std::string_view(range).substr(dash + 1));
    if (address < begin || address >= end) continue;
    return StrCat("byte ", address - begin + NumberIn(offset), " of ", path);
  }
  return "no file";
}

MapFaultWatch::MapFaultWatch() {
  const int descriptor = eventfd(0, EFD_CLOEXEC);
  QUIRE_CHECK(descriptor >= 0);
  QUIRE_CHECK(fault_descriptor.exchange(descriptor) == -1);
  struct sigaction action = {};
  action.sa_sigaction = OnBusError;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  QUIRE_CHECK(sigaction(SIGBUS, &action, nullptr) == 0);
  thread_ = std::thread([this] { Run(); });
}

MapFaultWatch::~MapFaultWatch() {
  signal(SIGBUS, SIG_DFL);
  const int descriptor = fault_descriptor.load();
  QUIRE_CHECK(write(descriptor, &kEnd, sizeof(kEnd)) == sizeof(kEnd));
  thread_.join();
  close(descriptor);
  fault_descriptor.store(-1);
}

void MapFaultWatch::SetLastWord(std::function<void()> last_word) {
  MutexLock lock(&mutex_);
  last_word_ = std::move(last_word);
}

void MapFaultWatch::Run() {
  uint64_t event = 0;
  while (read(fault_descriptor.load(), &event, sizeof(event)) < 0) QUIRE_CHECK(errno == EINTR);
  if (event == kEnd) return;
  const uint64_t address = fault_address.load();
  spdlog::critical(
      "SIGBUS at address {:#x}: {} cannot be read: the file was cut short, or its disc fails. "
      "Check "
      "the disc; if the volume does not start again, restore its directory from a copy",
      address, DescribeMappedByte(ReadMaps(), address));
  {
    MutexLock lock(&mutex_);
    if (last_word_) last_word_();
  }
  poll(nullptr, 0, kLastWordMs);
  _exit(kExitStoreFailed);
}

}  // namespace quire
