#include "tests/unit/store/failing_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace quire {
namespace {

struct CallState {
  std::atomic<int> failures_left = 0;
  std::atomic<int> error_number = 0;
  std::atomic<int64_t> made = 0;
};

std::array<CallState, 4> states;
std::atomic<int64_t> largest_fallocate_bytes = 0;

CallState& StateOf(SystemCall call) {
  return states[static_cast<size_t>(call)];
}

// True when this call is to fail; errno is set.
bool Fails(SystemCall call) {
  CallState& state = StateOf(call);
  state.made.fetch_add(1);
  int left = state.failures_left.load();
  while (left > 0 && !state.failures_left.compare_exchange_weak(left, left - 1)) {
  }
  if (left <= 0) return false;
  errno = state.error_number.load();
  return true;
}

// The definition that this program's own stands before.
template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

FailingCalls::FailingCalls(SystemCall call, int error_number, int times) : call_(call) {
  StateOf(call).error_number.store(error_number);
  StateOf(call).failures_left.store(times);
}
FailingCalls::~FailingCalls() {
  StateOf(call_).failures_left.store(0);
}

int64_t CallsMade(SystemCall call) {
  return StateOf(call).made.load();
}
int64_t LargestFallocateBytes() {
  return largest_fallocate_bytes.load();
}

}  // namespace quire

extern "C" {

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  static const auto next = quire::Next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return quire::Fails(quire::SystemCall::kPwrite) ? -1 : next(descriptor, bytes, count, offset);
}

ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  static const auto next = quire::Next<ssize_t (*)(int, const struct iovec*, int)>("writev");
  return quire::Fails(quire::SystemCall::kWritev) ? -1 : next(descriptor, pieces, count);
}

int fdatasync(int descriptor) {
  static const auto next = quire::Next<int (*)(int)>("fdatasync");
  return quire::Fails(quire::SystemCall::kFdatasync) ? -1 : next(descriptor);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  static const auto next = quire::Next<int (*)(int, int, off_t, off_t)>("fallocate");
  if (quire::Fails(quire::SystemCall::kFallocate)) return -1;
  if (length > quire::largest_fallocate_bytes.load()) {
    quire::largest_fallocate_bytes.store(length);
  }
  return next(descriptor, mode, offset, length);
}

}  // extern "C"
